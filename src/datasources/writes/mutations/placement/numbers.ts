import type { ArgumentViolation } from "../../../errors/index.js";
import type { RequestReads, SymbolRules } from "../../../reads/index.js";
import { orNothing } from "../../limits/marketView.js";
import { brokenBy } from "../../rules/orderRules.js";
import { tpslPrices } from "../tpsl.js";
import { isClose, type PlaceOrder } from "./input.js";

/** Checks the numbers of an order. */
type NumberRules = (isHedged: boolean) => readonly ArgumentViolation[];

/**
 * Reads the rules of an order's symbol, and the market price for a limit price. If the market price cannot be read, the order is
 * not refused: the exchange checks it itself.
 */
export async function numberRules(reads: RequestReads, order: PlaceOrder, rules: SymbolRules | undefined): Promise<NumberRules> {
  const { category, symbol, orderType, price } = order;
  const isPriced = orderType === "limit" && price !== undefined;
  const ticker = isPriced ? await orNothing(reads.loaders.marketTicker(category, symbol)) : null;
  return (isHedged) => {
    if (rules === undefined) return [];
    const closes = isClose(order, isHedged);
    const triggers = { triggerPrice: order.triggerPrice, ...tpslPrices(order) };
    return brokenBy({ ...order, isMarket: orderType === "market", closes, triggers }, rules, ticker);
  };
}
