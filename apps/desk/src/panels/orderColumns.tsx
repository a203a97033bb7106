import type { ReactNode } from "react";
import { amount, percent, words } from "../format/format.js";
import type { Zone } from "../format/time.js";
import type { Order, PlanOrder } from "../live/orders.js";
import { t } from "../text/text.js";
import type { Column } from "../ui/csv.js";
import { Tag } from "../ui/tag.js";
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

interface Sized {
  readonly qty: string | null;
  readonly quoteQty: string | null;
  readonly cumExecQty: string | null;
  readonly cumExecValue: string | null;
  readonly instrument: { readonly baseCoin: string | null; readonly quoteCoin: string | null } | null;
}

/** Whether the size of an order is an amount of quote coin that it spends. */
const isByAmount = ({ qty, quoteQty }: Sized): boolean => qty === null && quoteQty !== null;

const coined = (value: string | null, coin: string | null | undefined): ReactNode => (
  <>
    {amount(value)} <small className="muted">{coin}</small>
  </>
);

/** What was ordered and what of it was filled: with its coins where the order spends an amount of quote coin. */
export const sizeColumns: readonly Column<Sized>[] = [
  {
    id: "qty",
    title: t("Quantity"),
    value: ({ qty }) => qty,
    cell: (row) => (isByAmount(row) ? <span>{coined(row.quoteQty, row.instrument?.quoteCoin)}</span> : amount(row.qty)),
    isNumber: true,
  },
  {
    id: "filled",
    title: t("Filled"),
    value: ({ cumExecQty }) => cumExecQty,
    cell: (row) =>
      isByAmount(row) ? (
        <span>
          {coined(row.cumExecQty, row.instrument?.baseCoin)}
          {row.cumExecValue !== null && <> = {coined(row.cumExecValue, row.instrument?.quoteCoin)}</>}
        </span>
      ) : (
        amount(row.cumExecQty)
      ),
    isNumber: true,
  },
];

export const orderColumns = (zone: Zone): readonly Column<Order>[] => [
  marketColumn(),
  {
    id: "type",
    title: t("Type"),
    value: ({ orderType, timeInForce }) => [orderType, timeInForce].filter((word) => word !== null).join(" "),
    cell: ({ orderType, timeInForce, isReduceOnly, tpslType }) => (
      <span>
        {words(orderType)} {timeInForce !== null && <small className="muted">{timeInForce.replaceAll("_", " ")}</small>}{" "}
        {isReduceOnly === true && <Tag>{t("reduce")}</Tag>}
        {tpslType === "TPSL" && <Tag>{t("trigger")}</Tag>}
      </span>
    ),
  },
  { id: "price", title: t("Price"), value: (row) => row.price, cell: (row) => price(row.price, row), isNumber: true },
  ...sizeColumns,
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
  { id: "status", title: t("Status"), value: ({ status }) => status, cell: ({ status }) => words(status) },
  timeColumn("created", t("Created"), zone, ({ createdTime }) => createdTime),
];

/** Abbreviations among the kinds of trigger orders. */
const KINDS: Readonly<Record<string, string>> = { TPSL: "TP / SL", OCO: "OCO", TWAP: "TWAP" };

/** Kind of a trigger order. */
export const kindOf = (planType: string | null): string => KINDS[planType ?? ""] ?? words(planType);

/** What a strategy order does, in a few words; empty for one that its trigger price describes. */
function strategyOf(row: PlanOrder): string {
  const { terms } = row;
  if (terms === null) return "";
  if ("limitPrice" in terms) return `${price(terms.limitPrice, row)} | ${price(terms.triggerPrice, row)}`;
  if ("callbackRate" in terms)
    return terms.callbackRate === null ? price(terms.callbackSpread, row) : percent(terms.callbackRate);
  if ("parts" in terms)
    return terms.parts === null
      ? t("{qty} at a time", { qty: amount(terms.partQty) })
      : t("{parts} parts", { parts: terms.parts });
  if ("durationMinutes" in terms)
    return t("{minutes} min, every {seconds} s", {
      minutes: terms.durationMinutes ?? "–",
      seconds: terms.intervalSeconds ?? "–",
    });
  return "";
}

export const planColumns = (zone: Zone): readonly Column<PlanOrder>[] => [
  marketColumn(),
  {
    id: "kind",
    title: t("Kind"),
    value: ({ planType }) => planType,
    cell: (row) => (
      <span>
        {kindOf(row.planType)} <small className="muted">{strategyOf(row)}</small>
      </span>
    ),
  },
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
