import type { AccountMode } from "../../../calls/index.js";
import { isFuturesCategory, type SymbolRules } from "../../../reads/index.js";
import type { OrderEstimate } from "../../writePlan.js";
import type { Planning } from "../mutation.js";
import { estimateOrder } from "../placement/estimate.js";
import { estimateTpsl } from "../placement/estimateTpsl.js";
import { boundsOf, type PlacePlanOrder } from "./planOrderInput.js";

/**
 * Estimated cost of a trigger order: of its whole quantity at the price that counts for limits, or of closing the position for
 * exits. Funds are needed once it trades, so only that of an OCO order, which is in the book at once, is checked against them.
 * Null without a price. Throws `Fault` if the account cannot be read.
 */
export async function estimatePlan(
  planning: Planning,
  order: PlacePlanOrder,
  mode: AccountMode,
  rules: SymbolRules | undefined,
  isHedged: boolean,
): Promise<OrderEstimate | null> {
  const { category, symbol, side, posSide, qty, reduceOnly, terms } = order;
  if (terms.tpsl !== undefined) {
    const exit = terms.tpsl.takeProfit ?? terms.tpsl.stopLoss;
    if (exit === undefined || posSide === undefined || !isFuturesCategory(category)) return null;
    const { triggerPrice, limitPrice: executePrice } = exit;
    return estimateTpsl(planning, { category, symbol, posSide, qty, triggerPrice, executePrice }, rules);
  }
  if (side === undefined) return null;
  const { price, trigger: triggerPrice } = boundsOf(terms, side);
  const orderType = price === undefined ? "market" : "limit";
  const estimated = { category, symbol, side, posSide, qty, reduceOnly, price, triggerPrice, orderType } as const;
  const estimate = await estimateOrder({ planning, order: estimated, mode, rules, isHedged });
  if (estimate === null) return null;
  const isAffordable = terms.oco === undefined ? null : estimate.isAffordable;
  // A trigger order has its quantity in base coin, also for a market buy on spot.
  return { ...estimate, isAffordable, maxQuoteQty: null, field: "qty" };
}
