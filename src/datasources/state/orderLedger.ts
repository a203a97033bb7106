import type { StreamedOrder } from "@exchange-graph/contract/channels/order";
import { exact } from "@exchange-graph/contract/decimal";
import type { Order } from "@exchange-graph/contract/order";
import type { AccountMode } from "../accounts/exchangeAccount.js";
import { growingLru } from "../cache/lru.js";
import { isSame, type MergeRules, merged, type NewsSource } from "./merge.js";

/** More than the exchange's maximum of open orders. */
const MAX_OPEN = 10_000;
/** Finished orders that are remembered, so that none is emitted twice and no late message reopens one. */
const MAX_FINISHED = 5_000;

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

/** Whether a version of an order is later: by its end, by its fills, or by its time. Unknown values decide nothing. */
function isLater(order: Order, known: Order): boolean {
  if (isFinal(order) !== isFinal(known)) return isFinal(order);
  const filled = comparedFills(order, known);
  if (filled !== 0) return filled > 0;
  if (order.updatedTime !== known.updatedTime && order.updatedTime !== null && known.updatedTime !== null)
    return order.updatedTime > known.updatedTime;
  // Some times are whole seconds: a change within one second counts as later.
  return order.orderStatus !== known.orderStatus || order.price !== known.price || order.qty !== known.qty;
}

/** A Classic cancellation lacks the fills and their price: the known ones apply unless more was filled. */
function mergedOrder(known: StreamedOrder, order: StreamedOrder, source: NewsSource, rules: MergeRules): StreamedOrder {
  const whole = merged(known, order, source, rules);
  if (comparedFills(order, known) === 0) return whole;
  return { ...whole, avgPrice: order.avgPrice, cumExecValue: order.cumExecValue };
}

/** The open orders of an account, and those that have ended recently. */
export class OrderLedger {
  readonly #open = growingLru<StreamedOrder>(MAX_OPEN);
  readonly #finished = growingLru<StreamedOrder>(MAX_FINISHED);
  /** Open orders that are known from pushes only, if pushes lack fields. */
  readonly #partial = new Set<string>();

  constructor(private readonly mode: AccountMode) {}

  get open(): readonly StreamedOrder[] {
    return [...this.#open.rvalues()].filter((one) => one !== undefined);
  }

  /** Whether fields are missing that only the lists have. */
  get isPartial(): boolean {
    return this.#partial.size > 0;
  }

  has(orderId: string): boolean {
    return this.#open.has(orderId);
  }

  /** Merges orders; returns those that are new or changed, complete. */
  take(orders: readonly StreamedOrder[], source: NewsSource): readonly StreamedOrder[] {
    return orders.flatMap((order) => this.#take(order, source) ?? []);
  }

  /** Removes an order that the exchange no longer has. */
  forget(orderId: string): void {
    this.#open.delete(orderId);
    this.#partial.delete(orderId);
  }

  #take(order: StreamedOrder, source: NewsSource): StreamedOrder | undefined {
    const { orderId } = order;
    const known = this.#open.peek(orderId) ?? this.#finished.peek(orderId);
    const rules = rulesOf(this.mode, order);
    if (known === undefined) return this.#keep(order, source === "PUSH" && rules.restOnly.size > 0);
    if (isLater(order, known))
      return this.#keep(mergedOrder(known, order, source, rules), source === "PUSH" && this.#partial.has(orderId));
    if (source === "PUSH" || !this.#partial.delete(orderId)) return undefined;
    // The pushed version is kept, and the list adds the fields that pushes lack.
    const whole = merged(order, known, "PUSH", rules);
    return isSame(whole, known) ? undefined : this.#keep(whole, false);
  }

  #keep(order: StreamedOrder, isPartial: boolean): StreamedOrder {
    const { orderId } = order;
    if (isFinal(order)) {
      this.forget(orderId);
      this.#finished.set(orderId, order);
      return order;
    }
    this.#open.set(orderId, order);
    if (isPartial) this.#partial.add(orderId);
    else this.#partial.delete(orderId);
    return order;
  }
}
