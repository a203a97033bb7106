import { type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { t } from "../../text/text.js";
import { Tabs } from "../../ui/controls.js";
import { Panel } from "../../ui/panel.js";
import { lazily } from "../../ui/parts.js";
import { OrdersPanel, PlanOrdersPanel } from "../ordersPanel.js";
import { PositionsPanel } from "../positionsPanel.js";

const VIEWS = [
  { value: "positions", text: t("Positions") },
  { value: "orders", text: t("Open orders") },
  { value: "plans", text: t("Trigger orders") },
  { value: "history", text: t("History") },
] as const;
type View = (typeof VIEWS)[number]["value"];

interface PartProps {
  readonly tabs: ReactNode;
}

const HistoryPanel = lazily(
  () => import("../historyPanel.js"),
  ({ HistoryPanel }) => HistoryPanel,
);
const History = ({ tabs }: PartProps) => (
  <Suspense fallback={<Panel title={t("History")} feeds={[]} has={false} actions={tabs} />}>
    <HistoryPanel tabs={tabs} />
  </Suspense>
);

const PANELS: { readonly [view in View]: (props: PartProps) => ReactNode } = {
  positions: PositionsPanel,
  orders: OrdersPanel,
  plans: PlanOrdersPanel,
  history: History,
};

/** What the account has in all markets, in one place beside the chart and the ticket. */
export function Strip() {
  const [view, setView] = useState<View>("positions");
  const isChosen = useRef(false);
  const Shown = PANELS[view];
  const choose = (to: View) => {
    isChosen.current = true;
    setView(to);
  };
  return <Shown tabs={<StripTabs view={view} isChosen={isChosen} onChange={choose} />} />;
}

interface TabsProps {
  readonly view: View;
  readonly isChosen: RefObject<boolean>;
  readonly onChange: (view: View) => void;
}

/** The tabs belong to the panel that they choose: the focus goes from those of the former panel to those of the next one. */
function StripTabs({ view, isChosen, onChange }: TabsProps) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (isChosen.current && document.activeElement === document.body)
      place.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  }, [isChosen]);
  return (
    <span ref={place}>
      <Tabs label={t("Of the account")} tabs={VIEWS} value={view} onChange={onChange} />
    </span>
  );
}
