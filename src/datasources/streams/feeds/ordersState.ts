import {
  classicFuturesOrdersChannel,
  classicSpotOrdersChannel,
  classicSpotTriggerOrdersChannel,
  orderChannel,
  type StreamedOrder,
} from "@exchange-graph/contract/channels/order";
import type { Order } from "@exchange-graph/contract/order";
import { FUTURES_CATEGORIES } from "@exchange-graph/contract/vocabulary";
import type { AccountMode } from "../../accounts/accountModes.js";
import type { ExchangeAccount } from "../../accounts/exchangeAccount.js";
import { growingLru } from "../../cache/lru.js";
import type { RequestReads } from "../../requestReads.js";
import { compareDecimals } from "../book/decimalOrder.js";
import { allOpenOrders, NO_ROWS, ordersFinishedSince, whatBecameOf } from "../reconcile.js";
import type { Change } from "./feed.js";
import { type PrivateState, type Source, source } from "./privateFeed.js";

/** More orders than the exchange lets an account have open. */
const MAX_OPEN = 10_000;
/** Finished orders that are remembered, so that none is told twice and no late message brings one back to life. */
const MAX_FINISHED = 5_000;

const FINAL: ReadonlySet<string | null> = new Set(["filled", "cancelled", "triggered"]);
const isFinal = ({ orderStatus }: Order): boolean => FINAL.has(orderStatus);

/** Above zero where the first is known to have filled more. */
const comparedFills = (order: Order, known: Order): number =>
  order.cumExecQty === null || known.cumExecQty === null ? 0 : compareDecimals(order.cumExecQty, known.cumExecQty);

/** An order only ever moves on: to its end, to more filled, to a later change. What is not said decides nothing. */
function isLater(order: Order, known: Order): boolean {
  if (isFinal(order) !== isFinal(known)) return isFinal(order);
  const filled = comparedFills(order, known);
  if (filled !== 0) return filled > 0;
  if (order.updatedTime !== known.updatedTime && order.updatedTime !== null && known.updatedTime !== null)
    return order.updatedTime > known.updatedTime;
  // Some times are whole seconds: a change within one is a change all the same.
  return order.orderStatus !== known.orderStatus || order.price !== known.price || order.qty !== known.qty;
}

/** A Classic cancellation leaves out what had been filled at which price. */
const withFilled = (order: StreamedOrder, known: StreamedOrder | undefined): StreamedOrder =>
  order.avgPrice === null && known !== undefined && comparedFills(order, known) === 0
    ? { ...order, avgPrice: known.avgPrice, cumExecValue: known.cumExecValue }
    : order;

/** The orders of an account: those that are open, and those whose end was told lately. */
class OrderLedger {
  readonly #open = growingLru<StreamedOrder>(MAX_OPEN);
  readonly #finished = growingLru<StreamedOrder>(MAX_FINISHED);

  get open(): readonly StreamedOrder[] {
    return [...this.#open.rvalues()].filter((one) => one !== undefined);
  }

  has(orderId: string): boolean {
    return this.#open.has(orderId);
  }

  /** Takes orders as they came; gives those that are news. */
  take(orders: readonly StreamedOrder[]): readonly StreamedOrder[] {
    const news: StreamedOrder[] = [];
    for (const order of orders) {
      const { orderId } = order;
      const known = this.#open.peek(orderId) ?? this.#finished.peek(orderId);
      if (known !== undefined && !isLater(order, known)) continue;
      const whole = withFilled(order, known);
      if (isFinal(order)) {
        this.#open.delete(orderId);
        this.#finished.set(orderId, whole);
      } else this.#open.set(orderId, whole);
      news.push(whole);
    }
    return news;
  }

  /** The exchange no longer knows it. */
  forget(orderId: string): void {
    this.#open.delete(orderId);
  }
}

type Orders = readonly StreamedOrder[];

/**
 * Orders: the open ones first, then each that changes. After a gap the list of open orders is read again, besides what
 * was placed and finished in the gap, and what became of each order that is gone from the list.
 */
export function ordersState(account: ExchangeAccount, mode: AccountMode): PrivateState<Orders> {
  const ledger = new OrderLedger();
  const accept = (orders: Orders): Change<Orders> | undefined => {
    const news = ledger.take(orders);
    return news.length === 0 ? undefined : { kind: "update", value: news };
  };
  return {
    sources: sourcesOf(mode, accept),
    current: () => ledger.open,
    unchanged: () => [],
    async reconcile(reads: RequestReads, since) {
      const before = ledger.open;
      const [open, finished] = await Promise.all([
        allOpenOrders(reads, account),
        since === undefined ? NO_ROWS : ordersFinishedSince(reads, account, since),
      ]);
      const news = [...ledger.take(asStreamed(open.rows)), ...ledger.take(asStreamed(finished.rows))];
      const isWhole = open.isWhole && finished.isWhole;
      const listed = new Set(open.rows.map(({ orderId }) => orderId));
      // One that could not be read in the list is not gone from it.
      const gone = open.isWhole ? before.filter(({ orderId }) => ledger.has(orderId) && !listed.has(orderId)) : [];
      const found = await whatBecameOf(reads, account, gone);
      news.push(...ledger.take(asStreamed(found.filter((order) => order !== undefined))));
      const unknown = gone.filter((_, at) => found[at] === undefined);
      for (const { orderId } of unknown) ledger.forget(orderId);
      // An order without a trace has no last word: only the whole list says that it is gone.
      if (unknown.length > 0) return { change: { kind: "snapshot", value: [...ledger.open, ...news.filter(isFinal)] }, isWhole };
      return { change: news.length === 0 ? undefined : { kind: "update", value: news }, isWhole };
    },
  };
}

const asStreamed = (orders: readonly Order[]): Orders => orders.map((order) => ({ ...order, lastFill: null }));

const sourcesOf = (mode: AccountMode, accept: (orders: Orders) => Change<Orders> | undefined): readonly Source<Orders>[] =>
  mode === "UNIFIED"
    ? [source(orderChannel, {}, accept)]
    : [
        source(classicSpotOrdersChannel, {}, accept),
        source(classicSpotTriggerOrdersChannel, {}, accept),
        ...FUTURES_CATEGORIES.map((category) => source(classicFuturesOrdersChannel, { category }, accept)),
      ];
