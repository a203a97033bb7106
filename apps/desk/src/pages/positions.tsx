import { HistoryPanel } from "../panels/historyPanel.js";
import { OrdersPanel, PlanOrdersPanel } from "../panels/ordersPanel.js";
import { PositionsPanel } from "../panels/positionsPanel.js";

/** What is open, and what has happened. */
export const Positions = () => (
  <>
    <h1 className="hidden">Positions and orders</h1>
    <PositionsPanel />
    <OrdersPanel />
    <PlanOrdersPanel />
    <HistoryPanel />
  </>
);
