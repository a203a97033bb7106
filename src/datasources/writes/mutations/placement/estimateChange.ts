import { type DecimalText, type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import type { Order } from "@exchange-graph/contract/order";
import type { AccountMode } from "../../../calls/index.js";
import type { ArgumentViolation } from "../../../errors/index.js";
import { readOrder, type SymbolRules } from "../../../reads/index.js";
import { orNothing } from "../../limits/marketView.js";
import { brokenBy } from "../../rules/orderRules.js";
import type { OrderEstimate } from "../../writePlan.js";
import type { Planning } from "../mutation.js";
import { type Estimated, estimateOrder } from "./estimate.js";
import { isClose, type PlaceOrder } from "./placeOrderInput.js";
import { brokenExits, entryPrice } from "./presentRules.js";

type Change = Pick<PlaceOrder, "category" | "symbol" | "qty" | "price" | "takeProfit" | "stopLoss"> & {
  readonly orderId?: string | undefined;
  readonly clientOid?: string | undefined;
};

export interface EstimatedChange {
  readonly planning: Planning;
  readonly mode: AccountMode;
  readonly rules: SymbolRules | undefined;
  readonly change: Change;
  /** Whether the change makes a new order, which can trade its whole quantity. */
  readonly isReplaced: boolean;
}

/**
 * Estimated cost of the unfilled part of a changed order, and the funds required in addition to those it has reserved. Null if
 * there is no such open order, or its terms are not known. Throws `Fault` if it cannot be read.
 */
export async function estimateChange(estimated: EstimatedChange): Promise<OrderEstimate | null> {
  const { planning, mode, rules, change, isReplaced } = estimated;
  const order = await readOrder(planning.reads, planning.account, change);
  const terms = order === null ? undefined : termsOf(order);
  if (order === null || terms === undefined) return null;
  const filled = exact(order.cumExecQty ?? "0");
  const counted = isReplaced ? exact("0") : filled;
  const isHedged = order.holdMode === "hedge_mode";
  const ofRest = (qty: DecimalText, price: DecimalText | undefined, done: Exact): Estimated => {
    const left = exact(qty).minus(done);
    const { category, symbol } = change;
    const rest = { ...terms, category, symbol, price, qty: left.gt("0") ? plain(left) : "0" };
    return { planning, mode, rules, isHedged, order: rest };
  };
  const before = await estimateOrder(ofRest(terms.qty, terms.price, filled));
  const after = await estimateOrder({
    ...ofRest(change.qty ?? terms.qty, change.price ?? terms.price, counted),
    setAside: before?.required ?? undefined,
  });
  if (after === null) return null;
  const { maxQty } = after;
  return {
    ...after,
    maxQty: maxQty === null ? null : plain(exact(maxQty).plus(counted)),
    field: change.qty === undefined ? "price" : "qty",
  };
}

/** Violations of a change as the order and the market are now: its price is too far away, or an exit is on the wrong side. */
export async function brokenChangeNow(
  planning: Planning,
  rules: SymbolRules | undefined,
  change: Change,
): Promise<readonly ArgumentViolation[]> {
  const order = await readOrder(planning.reads, planning.account, change);
  const terms = order === null ? undefined : termsOf(order);
  if (order === null || terms === undefined) return [];
  const { category, symbol, price } = change;
  const { side } = terms;
  const ticker = await orNothing(planning.reads.loaders.marketTicker(category, symbol));
  const closes = isClose({ category, ...terms }, order.holdMode === "hedge_mode");
  const entry = await entryPrice(planning, { category, symbol, side, price: price ?? terms.price });
  return [
    ...(rules === undefined ? [] : brokenBy({ side, isMarket: false, closes: true, price }, rules, ticker)),
    ...(closes ? [] : brokenExits(change, side === "buy" ? "long" : "short", entry)),
  ];
}

/** The terms of an open order; undefined if they are not known, or it has ended. */
function termsOf({ side, orderType, qty, price, triggerPrice, posSide, isReduceOnly, marginMode, status }: Order) {
  const isOpen = status === "new" || status === "partially_filled";
  if (!isOpen || qty === null || side === null || side === "UNKNOWN" || orderType === null || orderType === "UNKNOWN")
    return undefined;
  return {
    side,
    orderType,
    qty,
    price: price ?? undefined,
    triggerPrice: triggerPrice ?? undefined,
    posSide: posSide === "long" || posSide === "short" ? posSide : undefined,
    reduceOnly: isReduceOnly === true,
    marginMode: marginMode === "crossed" || marginMode === "isolated" ? marginMode : undefined,
  };
}
