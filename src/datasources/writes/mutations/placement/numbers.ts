import type { Ticker } from "@exchange-graph/contract/ticker";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { type ArgumentViolation, Fault } from "../../../fault.js";
import type { SymbolRules } from "../../../queries/symbolRules.js";
import type { RequestReads } from "../../../requestReads.js";
import { brokenBy } from "../../rules/orderRules.js";
import { exitPrices } from "../exits.js";
import { isClose, type PlaceOrder } from "./input.js";

/** What the numbers of an order are held against. */
type NumberRules = (isHedged: boolean) => readonly ArgumentViolation[];

/**
 * Gets what an order's numbers are held against: the rules of its symbol, and the market for a limit price. An order is
 * not held up for want of a market price: the exchange measures by its own.
 */
export async function numberRules(reads: RequestReads, order: PlaceOrder, rules: SymbolRules | undefined): Promise<NumberRules> {
  const { category, symbol, orderType, price } = order;
  const isPriced = orderType === "limit" && price !== undefined;
  const ticker = isPriced ? await marketPrice(reads, category, symbol) : null;
  return (isHedged) => {
    if (rules === undefined) return [];
    const closes = isClose(order, isHedged);
    const triggers = { triggerPrice: order.triggerPrice, ...exitPrices(order) };
    return brokenBy({ ...order, isMarket: orderType === "market", closes, triggers }, rules, ticker);
  };
}

async function marketPrice(reads: RequestReads, category: ProductCategory, symbol: string): Promise<Ticker | null> {
  try {
    return await reads.loaders.marketTicker(category, symbol);
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}
