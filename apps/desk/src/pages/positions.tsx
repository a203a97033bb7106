import { HistoryPanel } from "../panels/historyPanel.js";
import { OrdersPanel, PlanOrdersPanel } from "../panels/ordersPanel.js";
import { PositionsPanel } from "../panels/positionsPanel.js";
import { t } from "../text/text.js";
import { Board } from "../ui/board.js";

/** Open positions and orders, and their history. */
export const Positions = () => (
  <>
    <h1 className="hidden">{t("Positions and orders")}</h1>
    <Board
      tiles={[
        { id: "Positions", w: 24, panel: <PositionsPanel /> },
        { id: "Open orders", w: 24, panel: <OrdersPanel /> },
        { id: "Trigger orders", w: 24, panel: <PlanOrdersPanel /> },
        { id: "History", w: 24, panel: <HistoryPanel /> },
      ]}
    />
  </>
);
