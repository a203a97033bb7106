import type { StreamedOrder } from "@exchange-graph/contract/channels/order";
import { exact } from "@exchange-graph/contract/decimal";
import type { Order } from "@exchange-graph/contract/order";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../../calls/index.js";
import { type MergeRules, merged } from "./merge.js";
import { WHOLE } from "./parts.js";
import { byTime, type RecordKind, RecordLedger, type Sequence } from "./recordLedger.js";

const FINAL: ReadonlySet<string | null> = new Set(["filled", "cancelled", "triggered"]);
/** Whether an order can no longer change. */
export const isFinal = ({ orderStatus }: Order): boolean => FINAL.has(orderStatus);

const TPSL_FIELDS = [
  "takeProfit",
  "stopLoss",
  "tpTriggerBy",
  "slTriggerBy",
  "tpOrderType",
  "slOrderType",
  "tpLimitPrice",
  "slLimitPrice",
];
const UNIFIED_RULES: MergeRules = { clearable: new Set(TPSL_FIELDS), restOnly: new Set() };
const CLASSIC_RULES: MergeRules = { clearable: new Set(TPSL_FIELDS), restOnly: new Set(["orderSource"]) };
/** Classic spot pushes also lack the take-profit and stop-loss of an order. */
const CLASSIC_SPOT_RULES: MergeRules = { clearable: new Set(TPSL_FIELDS), restOnly: new Set([...TPSL_FIELDS, "orderSource"]) };

function rulesOf(mode: AccountMode, { category }: Order): MergeRules {
  if (mode === "UNIFIED") return UNIFIED_RULES;
  return category === "SPOT" ? CLASSIC_SPOT_RULES : CLASSIC_RULES;
}

/** Positive if the first is known to have filled more. */
const comparedFills = (order: Order, known: Order): number =>
  order.cumExecQty === null || known.cumExecQty === null ? 0 : exact(order.cumExecQty).cmp(known.cumExecQty);

/** By the end of an order, by its fills, or by its time. */
function compared(order: Order, known: Order): Sequence {
  if (isFinal(order) !== isFinal(known)) return isFinal(order) ? "LATER" : "EARLIER";
  const filled = comparedFills(order, known);
  if (filled !== 0) return filled > 0 ? "LATER" : "EARLIER";
  const sequence = byTime(order.updatedTime, known.updatedTime);
  if (sequence !== "UNDECIDED") return sequence;
  // Some times are whole seconds, so an order may change within one.
  const isChanged = order.orderStatus !== known.orderStatus || order.price !== known.price || order.qty !== known.qty;
  return isChanged ? "UNDECIDED" : "SAME";
}

/** The lists of open orders. */
export const orderParts = (mode: AccountMode): readonly string[] =>
  mode === "UNIFIED" ? [WHOLE] : ["SPOT", "SPOT tpsl", ...FUTURES_CATEGORIES];

/** The list of open orders that has an order: a unified account has one, a Classic one has one for each category, and two of spot. */
const orderPart = (mode: AccountMode, { categoryRaw, tpslType }: Order): string => {
  if (mode === "UNIFIED") return WHOLE;
  return categoryRaw === "SPOT" && tpslType === "tpsl" ? "SPOT tpsl" : categoryRaw;
};

/** The open orders of an account, and those that have ended recently. */
export const orderLedger = (mode: AccountMode): RecordLedger<StreamedOrder> => {
  const kind: RecordKind<StreamedOrder> = {
    keyOf: ({ orderId }) => orderId,
    hasEnded: isFinal,
    compared,
    rulesOf: (order) => rulesOf(mode, order),
    // A Classic cancellation lacks the fills and their price: the known ones apply unless more was filled.
    merged: (known, order, source) => {
      const whole = merged(known, order, source, rulesOf(mode, order));
      if (comparedFills(order, known) === 0) return whole;
      return { ...whole, avgPrice: order.avgPrice, cumExecValue: order.cumExecValue };
    },
    leavesOut: (known, order) => (known === undefined && rulesOf(mode, order).restOnly.size > 0 ? "fields" : "nothing"),
    reportsUnknownEnds: true,
    partOf: (order) => orderPart(mode, order),
  };
  return new RecordLedger(kind);
};
