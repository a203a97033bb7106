import { type ReactNode, useState } from "react";
import { t } from "../../text/text.js";
import { Tabs } from "../../ui/controls.js";
import { HistoryPanel } from "../historyPanel.js";
import { OrdersPanel, PlanOrdersPanel } from "../ordersPanel.js";
import { PositionsPanel } from "../positionsPanel.js";

const VIEWS = [
  { value: "positions", text: t("Positions") },
  { value: "orders", text: t("Open orders") },
  { value: "plans", text: t("Trigger orders") },
  { value: "history", text: t("History") },
] as const;
type View = (typeof VIEWS)[number]["value"];

const PANELS: { readonly [view in View]: (props: { readonly tabs: ReactNode }) => ReactNode } = {
  positions: PositionsPanel,
  orders: OrdersPanel,
  plans: PlanOrdersPanel,
  history: HistoryPanel,
};

/** What the account has in all markets, in one place beside the chart and the ticket. */
export function Strip() {
  const [view, setView] = useState<View>("positions");
  const Shown = PANELS[view];
  return <Shown tabs={<Tabs label={t("Of the account")} tabs={VIEWS} value={view} onChange={setView} />} />;
}
