import {
  classicFuturesOrdersChannel,
  classicSpotOrdersChannel,
  classicSpotTriggerOrdersChannel,
  orderChannel,
  type StreamedOrder,
} from "@exchange-graph/contract/channels/order";
import type { Order } from "@exchange-graph/contract/order";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { FUTURES_TRADING, type RequestReads, SPOT_TRADING, UNIFIED_TRADING } from "../../reads/index.js";
import { NO_ROWS, openOrdersIn, ordersFinishedSince, whatBecameOf } from "../reconcile.js";
import { isFinal, orderLedger, orderParts } from "../state/orderLedger.js";
import { type Change, updateOf } from "./feed.js";
import { type PrivateState, type Source, source } from "./privateState.js";

type Orders = readonly StreamedOrder[];

/**
 * Orders: the open ones first, then each change. After a gap the list of open orders is read again, as well as orders that were
 * placed and finished in the gap, and the outcome of each order that is gone from the list.
 */
export function ordersState(account: ExchangeAccount, mode: AccountMode): PrivateState<Orders> {
  const ledger = orderLedger(mode);
  const accept = (orders: Orders) => updateOf(ledger.pushed(orders));
  return {
    sources: sourcesOf(mode, accept),
    current: () => ledger.open,
    queryState: () => ledger.open,
    parts: orderParts(mode),
    hasOpen: (part) => ledger.hasOpen(part),
    partialParts: () => ledger.partialParts,
    unchanged: () => [],
    async read(reads: RequestReads, since, parts) {
      const reading = ledger.beginReading();
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

const sourcesOf = (mode: AccountMode, accept: (orders: Orders) => Change<Orders> | undefined): readonly Source<Orders>[] =>
  mode === "UNIFIED"
    ? [source(orderChannel, {}, UNIFIED_TRADING, accept)]
    : [
        source(classicSpotOrdersChannel, {}, SPOT_TRADING, accept),
        source(classicSpotTriggerOrdersChannel, {}, SPOT_TRADING, accept),
        ...FUTURES_CATEGORIES.map((category) => source(classicFuturesOrdersChannel, { category }, FUTURES_TRADING, accept)),
      ];
