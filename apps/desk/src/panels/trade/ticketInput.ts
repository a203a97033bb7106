import {
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  roundToStep,
  subtractDecimals,
  trimDecimal,
} from "@exchange-graph/client";
import { isPositive } from "../../format/format.js";
import { type Category, futuresOf } from "../market.js";
import { entryOf, exitFault, exitsOf } from "./bracket.js";
import type { Terms, Ticket } from "./ticketState.js";

/** What the largest possible order depends on. */
export const scopeOf = (
  { side, kind, price, triggerPrice, effect, reduceOnly }: Ticket,
  { account, market }: Pick<Terms, "account" | "market">,
): string => JSON.stringify([account, market.category, market.symbol, side, kind, price, triggerPrice, effect, reduceOnly]);

/** Whether the size of a market buy is the amount to spend rather than the quantity to buy. */
export const spends = ({ kind, side }: Ticket, category: Category): boolean =>
  kind === "MARKET" && side === "BUY" && (category === "SPOT" || category === "MARGIN");

/** The quantity of a ticket, in steps of the market; undefined if it has none. */
export function qtyOf(ticket: Ticket, terms: Terms): string | undefined {
  const { instrument, maxQty, equity } = terms;
  const inSteps = (qty: string) => trimDecimal(roundToStep(qty, qtyStepOf(instrument)));
  if (!isPositive(ticket.size)) return undefined;
  if (ticket.by === "qty") return trimDecimal(ticket.size);
  if (ticket.by === "share")
    return maxQty === undefined ? undefined : inSteps(multiplyDecimals(maxQty, divideDecimals(ticket.size, "100", 6)));
  if (ticket.by === "risk") {
    const entry = entryOf(ticket, terms);
    const { stopLoss } = exitsOf(ticket, terms);
    if (entry === undefined || equity === undefined || stopLoss === undefined) return undefined;
    const loss = subtractDecimals(entry, stopLoss).replace("-", "");
    if (!isPositive(loss)) return undefined;
    return inSteps(divideDecimals(multiplyDecimals(equity, divideDecimals(ticket.size, "100", 8)), loss, 12));
  }
  const at = ticket.kind === "TPSL" && isPositive(ticket.triggerPrice) ? ticket.triggerPrice : undefined;
  const price = at ?? entryOf(ticket, terms);
  return price === undefined || !isPositive(price) ? undefined : inSteps(divideDecimals(ticket.size, price, 12));
}

/** The step of quantities of a market; a small one while that is not known. */
export const qtyStepOf = (instrument: Terms["instrument"]): string =>
  instrument?.orderSize.step ?? stepFrom(instrument?.precision?.quantity) ?? "0.00000001";

const stepFrom = (decimals: number | null | undefined): string | undefined =>
  decimals === null || decimals === undefined ? undefined : decimals <= 0 ? "1" : `0.${"0".repeat(decimals - 1)}1`;

/** Factor on the minimum value of an order, so that a moving price does not make it too small. */
const MARGIN = "1.1";

/** The size of the smallest valid order: for a preview without a size. */
export function smallestSize({ instrument, last }: Terms, price: string): string {
  const { min, minAmount, step } = instrument?.orderSize ?? { min: null, minAmount: null, step: null };
  const at = isPositive(price) ? price : last;
  if (minAmount === null || at === undefined || !isPositive(at)) return min ?? "";
  const worth = roundToStep(
    divideDecimals(multiplyDecimals(minAmount, MARGIN), at, 12),
    step ?? stepFrom(instrument?.precision?.quantity) ?? "0.0001",
    "up",
  );
  return min !== null && compareDecimals(min, worth) > 0 ? min : worth;
}

/** The amount that a spot market buy spends. */
export function quoteQtyOf(ticket: Ticket, { last, maxQuoteQty, instrument }: Terms): string | undefined {
  const decimals = instrument?.precision?.quote ?? 2;
  const cut = (text: string) => roundToStep(text, stepFrom(decimals) ?? "0.01");
  if (!isPositive(ticket.size)) return undefined;
  if (ticket.by === "value") return trimDecimal(ticket.size);
  if (ticket.by === "share")
    return maxQuoteQty === undefined ? undefined : cut(multiplyDecimals(maxQuoteQty, divideDecimals(ticket.size, "100", 6)));
  return last === undefined ? undefined : cut(multiplyDecimals(ticket.size, last));
}

/** In hedge mode an order names its position side. */
export const hedge = ({ side, effect }: Ticket) => ({
  posSide: (side === "BUY") === (effect === "OPEN") ? ("LONG" as const) : ("SHORT" as const),
});

const EXITS = ["takeProfit", "stopLoss"] as const;

/** The input of `placeOrder`; undefined while something is missing. */
export function orderInput(ticket: Ticket, terms: Terms) {
  const { account, market, isHedge } = terms;
  const { category, symbol } = market;
  const { kind, side, tif, price, triggerPrice } = ticket;
  if (kind === "STRATEGY") return undefined;
  if (EXITS.some((exit) => exitFault(exit, ticket, terms) !== undefined)) return undefined;
  const { takeProfit, stopLoss } = exitsOf(ticket, terms);
  const isSpending = spends(ticket, category);
  const quoteQty = isSpending ? quoteQtyOf(ticket, terms) : undefined;
  const qty = isSpending ? undefined : qtyOf(ticket, terms);
  if (qty === undefined && quoteQty === undefined) return undefined;
  const isLimit = kind === "LIMIT" || (kind === "TPSL" && price !== "");
  if ((isLimit && !isPositive(price)) || (kind === "TPSL" && !isPositive(triggerPrice))) return undefined;
  const isFutures = futuresOf(category) !== undefined;
  return {
    account,
    category,
    symbol,
    side,
    orderType: isLimit ? ("LIMIT" as const) : ("MARKET" as const),
    ...(qty !== undefined && { qty }),
    ...(quoteQty !== undefined && { quoteQty }),
    ...(isLimit && { price, timeInForce: kind === "TPSL" ? ("GTC" as const) : tif }),
    ...(kind === "TPSL" && { triggerPrice }),
    ...(takeProfit !== undefined && { takeProfit: { triggerPrice: takeProfit } }),
    ...(stopLoss !== undefined && { stopLoss: { triggerPrice: stopLoss } }),
    ...(isFutures && isHedge && hedge(ticket)),
    ...(isFutures && !isHedge && ticket.reduceOnly && { reduceOnly: true }),
  };
}
