import { amount, words } from "../format/format.js";
import type { Zone } from "../format/time.js";
import type { Order, PlanOrder } from "../live/orders.js";
import { t } from "../text/text.js";
import type { Column } from "../ui/csv.js";
import { timeColumn } from "./columns.js";
import { SideCell, SymbolCell } from "./symbolCell.js";

interface Priced {
  readonly instrument: { readonly precision: { readonly price: number | null } | null } | null;
}

const price = (value: string | null | undefined, { instrument }: Priced) => amount(value, instrument?.precision?.price);

interface OfMarket {
  readonly category: string;
  readonly symbol: string;
  readonly side: string | null;
}

/** The market and the side of a row. */
export const marketColumn = <Row extends OfMarket>(): Column<Row> => ({
  id: "symbol",
  title: t("Market"),
  value: ({ symbol }) => symbol,
  cell: ({ symbol, category, side }) => (
    <>
      <SymbolCell category={category} symbol={symbol} /> <SideCell side={side} />
    </>
  ),
  isHead: true,
});

export const orderColumns = (zone: Zone): readonly Column<Order>[] => [
  marketColumn(),
  {
    id: "type",
    title: t("Type"),
    value: ({ orderType, timeInForce }) => [orderType, timeInForce].filter((word) => word !== null).join(" "),
    cell: ({ orderType, timeInForce, reduceOnly, tpslType }) => (
      <span>
        {words(orderType)} {timeInForce !== null && <small className="muted">{timeInForce.replaceAll("_", " ")}</small>}{" "}
        {reduceOnly === true && <span className="tag">{t("reduce")}</span>}
        {tpslType === "TPSL" && <span className="tag">{t("trigger")}</span>}
      </span>
    ),
  },
  { id: "price", title: t("Price"), value: (row) => row.price, cell: (row) => price(row.price, row), isNumber: true },
  {
    id: "qty",
    title: t("Quantity"),
    value: ({ qty }) => qty,
    cell: ({ qty, quoteQty }) => amount(qty ?? quoteQty),
    isNumber: true,
  },
  {
    id: "filled",
    title: t("Filled"),
    value: ({ cumExecQty }) => cumExecQty,
    cell: ({ cumExecQty }) => amount(cumExecQty),
    isNumber: true,
  },
  {
    id: "trigger",
    title: t("Trigger"),
    value: ({ triggerPrice }) => triggerPrice,
    cell: (row) => price(row.triggerPrice, row),
    isNumber: true,
  },
  {
    id: "exits",
    title: "TP / SL",
    value: ({ takeProfit, stopLoss }) => `${takeProfit?.triggerPrice ?? ""} / ${stopLoss?.triggerPrice ?? ""}`,
    cell: (row) => `${price(row.takeProfit?.triggerPrice, row)} / ${price(row.stopLoss?.triggerPrice, row)}`,
    isNumber: true,
  },
  { id: "status", title: t("Status"), value: ({ orderStatus }) => orderStatus, cell: ({ orderStatus }) => words(orderStatus) },
  timeColumn("created", t("Created"), zone, ({ createdTime }) => createdTime),
];

/** Kind of a trigger order. */
export const kindOf = (planType: string | null): string => (planType === "TPSL" ? "TP / SL" : words(planType));

export const planColumns = (zone: Zone): readonly Column<PlanOrder>[] => [
  marketColumn(),
  { id: "kind", title: t("Kind"), value: ({ planType }) => planType, cell: ({ planType }) => kindOf(planType) },
  {
    id: "trigger",
    title: t("Trigger"),
    value: ({ triggerPrice }) => triggerPrice,
    cell: (row) => (
      <span>
        {price(row.triggerPrice, row)} {row.triggerBy !== null && <small className="muted">{words(row.triggerBy)}</small>}
      </span>
    ),
    isNumber: true,
  },
  {
    id: "price",
    title: t("Price"),
    value: ({ executePrice }) => executePrice,
    cell: (row) =>
      row.executePrice === null || /^0(\.0+)?$/.test(row.executePrice) ? t("Market") : price(row.executePrice, row),
    isNumber: true,
  },
  {
    id: "qty",
    title: t("Quantity"),
    value: ({ qty }) => qty,
    cell: ({ qty }) => (qty === null ? t("All") : amount(qty)),
    isNumber: true,
  },
  {
    id: "exits",
    title: "TP / SL",
    value: ({ takeProfit, stopLoss }) => `${takeProfit?.triggerPrice ?? ""} / ${stopLoss?.triggerPrice ?? ""}`,
    cell: (row) => `${price(row.takeProfit?.triggerPrice, row)} / ${price(row.stopLoss?.triggerPrice, row)}`,
    isNumber: true,
  },
  timeColumn("created", t("Created"), zone, ({ createdTime }) => createdTime),
];
