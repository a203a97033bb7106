import {
  classicFuturesOrdersChannel,
  classicSpotOrdersChannel,
  classicSpotTriggerOrdersChannel,
  orderChannel,
  type StreamedOrder,
} from "@exchange-graph/contract/channels/order";
import { exact } from "@exchange-graph/contract/decimal";
import { type Order, TPSL_FIELDS } from "@exchange-graph/contract/order";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { FUTURES_TRADING, type RequestReads, SPOT_TRADING, UNIFIED_TRADING } from "../../reads/index.js";
import { updateOf } from "../feeds/feed.js";
import { type PrivateState, source } from "../feeds/privateState.js";
import { NO_ROWS, openOrdersIn, ordersFinishedSince, whatBecameOf } from "../reconcile.js";
import { WHOLE } from "../state/kinds.js";
import { isChanged, type MergeRules, merged, type RecordOrigin } from "../state/merge.js";
import { byTime, RecordLedger, type Sequence, stateOf } from "../state/recordLedger.js";
import { privateChannel } from "./channel.js";

const FINAL: ReadonlySet<string | null> = new Set(["filled", "cancelled", "triggered"]);
/** Whether an order can no longer change. */
const isFinal = ({ status }: Order): boolean => FINAL.has(status);

const UNIFIED_RULES: MergeRules = { clearable: new Set(TPSL_FIELDS), restOnly: new Set() };
const CLASSIC_RULES: MergeRules = { clearable: new Set(TPSL_FIELDS), restOnly: new Set(["orderSource"]) };
/** Classic spot pushes also lack the take-profit and stop-loss of an order. */
const CLASSIC_SPOT_RULES: MergeRules = { clearable: new Set(TPSL_FIELDS), restOnly: new Set([...TPSL_FIELDS, "orderSource"]) };

function rulesOf(mode: AccountMode, { category }: Order): MergeRules {
  if (mode === "UNIFIED") return UNIFIED_RULES;
  return category === "SPOT" ? CLASSIC_SPOT_RULES : CLASSIC_RULES;
}

/** Positive if the first is known to have filled more. */
const comparedFills = (order: Order, held: Order): number =>
  order.cumExecQty === null || held.cumExecQty === null ? 0 : exact(order.cumExecQty).cmp(held.cumExecQty);

/** What a modification changes. */
const TERMS = ["clientOid", "price", "qty", ...TPSL_FIELDS] as const;

/** By the end of an order, by its fills, or by its time. */
function compared(order: Order, held: Order, source: RecordOrigin, rules: MergeRules): Sequence {
  if (isFinal(order) !== isFinal(held)) return isFinal(order) ? "LATER" : "EARLIER";
  const filled = comparedFills(order, held);
  if (filled !== 0) return filled > 0 ? "LATER" : "EARLIER";
  const sequence = byTime(order.updatedTime, held.updatedTime);
  if (sequence !== "UNDECIDED") return sequence;
  // Some times are whole seconds, so an order may change within one.
  if (!isChanged(held, order, source, rules, ["status", ...TERMS])) return "SAME";
  return order.updatedTime === null || order.updatedTime !== held.updatedTime ? "UNDECIDED" : "TIED";
}

/** The lists of open orders. */
const orderParts = (mode: AccountMode): readonly string[] =>
  mode === "UNIFIED" ? [WHOLE] : ["SPOT", "SPOT tpsl", ...FUTURES_CATEGORIES];

/** The list of open orders that has an order: a unified account has one, a Classic one has one for each category, and two of spot. */
const orderPart = (mode: AccountMode, { categoryRaw, tpslType }: Order): string => {
  if (mode === "UNIFIED") return WHOLE;
  return categoryRaw === "SPOT" && tpslType === "tpsl" ? "SPOT tpsl" : categoryRaw;
};

/** The open orders of an account, and those that have ended recently. */
export const orderLedger = (mode: AccountMode): RecordLedger<StreamedOrder> =>
  new RecordLedger<StreamedOrder>({
    keyOf: ({ orderId }) => orderId,
    hasEnded: isFinal,
    compared: (order, held, source) => compared(order, held, source, rulesOf(mode, order)),
    rulesOf: (order) => rulesOf(mode, order),
    // A Classic cancellation lacks the fills and their price: the known ones apply unless more was filled.
    merged: (held, order, source) => {
      const whole = merged(held, order, source, rulesOf(mode, order));
      if (comparedFills(order, held) === 0) return whole;
      return { ...whole, avgPrice: order.avgPrice, cumExecValue: order.cumExecValue };
    },
    leavesOut(held, order, readAt) {
      if (held !== undefined) return "nothing";
      // A list that is read after an order was placed shows it until it ends: a late push lacks that end.
      const isLate = order.createdTime === null || order.createdTime <= readAt;
      return isLate || rulesOf(mode, order).restOnly.size > 0 ? "fields" : "nothing";
    },
    reportsUnknownEnds: true,
    partOf: (order) => orderPart(mode, order),
  });

type Orders = readonly StreamedOrder[];

/**
 * Orders: the open ones first, then each change. After a gap the list of open orders is read again, as well as orders that were
 * placed and finished in the gap, and the outcome of each order that is gone from the list.
 */
export function ordersState(account: ExchangeAccount, mode: AccountMode): PrivateState<Orders> {
  const ledger = orderLedger(mode);
  const accept = (orders: Orders) => updateOf(ledger.pushed(orders));
  return {
    sources:
      mode === "UNIFIED"
        ? [source(orderChannel, {}, UNIFIED_TRADING, accept)]
        : [
            source(classicSpotOrdersChannel, {}, SPOT_TRADING, accept),
            source(classicSpotTriggerOrdersChannel, {}, SPOT_TRADING, accept),
            ...FUTURES_CATEGORIES.map((category) => source(classicFuturesOrdersChannel, { category }, FUTURES_TRADING, accept)),
          ],
    ...stateOf(ledger),
    parts: orderParts(mode),
    async read(reads: RequestReads, since, parts) {
      const reading = ledger.beginReading(reads);
      const [open, finished] = await Promise.all([
        openOrdersIn(reads, account, parts),
        since === undefined ? NO_ROWS : ordersFinishedSince(reads, account, since),
      ]);
      const [listed, ended] = [asStreamed(open.rows), asStreamed(finished.rows)];
      // An order that could not be decoded is not gone from the list.
      const missing = open.isWhole ? reading.missingIn(parts, [...listed, ...ended]) : [];
      const found = asStreamed((await whatBecameOf(reads, account, missing)).filter((order) => order !== undefined));
      return () => {
        const changed = [...reading.take(listed), ...reading.take(ended), ...reading.take(found)];
        const isWhole = open.isWhole && finished.isWhole;
        const lost = missing.length > found.length ? reading.missingIn(parts, [...listed, ...ended, ...found]) : [];
        // An order that cannot be found has no final state: only a whole list shows that it is gone.
        const isLost = open.isWhole && lost.length > 0;
        if (!isLost) return { change: updateOf(changed), isWhole };
        for (const order of lost) ledger.forget(order);
        return { change: { kind: "snapshot", value: [...ledger.open, ...changed.filter(isFinal)] }, isWhole };
      };
    },
  };
}

/** The added field comes first: for one after a spread V8 allocates as much memory again as the record has. */
const asStreamed = (orders: readonly Order[]): Orders => orders.map((order) => ({ lastFill: null, ...order }));

export const orders = {
  ...privateChannel(() => ordersState, {
    implies: new Map([
      // Quantities reserved by orders, and their margin.
      [orderChannel.name, ["positions", "accountUpdates"]],
      [classicFuturesOrdersChannel.name, ["positions", "accountUpdates"]],
      // Funds reserved for an order are not pushed before a fill.
      [classicSpotOrdersChannel.name, ["accountUpdates"]],
      [classicSpotTriggerOrdersChannel.name, ["accountUpdates"]],
    ]),
  }),
  hasEnded: isFinal,
};
