import {
  compareDecimals,
  divideDecimals,
  isDecimal,
  multiplyDecimals,
  roundToStep,
  subtractDecimals,
  trimDecimal,
} from "@exchange-graph/client";
import { type Category, futuresOf } from "../market.js";
import type { Instrument, Market } from "./instrument.js";

export type Kind = "LIMIT" | "MARKET" | "TPSL";
export type Tif = "GTC" | "POST_ONLY" | "IOC" | "FOK";
export type By = "qty" | "value" | "share" | "risk";

/** The fields of the ticket, as typed. */
export interface Ticket {
  readonly kind: Kind;
  readonly side: "BUY" | "SELL";
  readonly tif: Tif;
  readonly price: string;
  readonly triggerPrice: string;
  readonly by: By;
  /**
   * A quantity, a value in quote coin, a share in percent of the largest order, or the percentage of the account's equity that is
   * lost at the stop-loss, depending on `by`.
   */
  readonly size: string;
  readonly takeProfit: string;
  readonly stopLoss: string;
  readonly reduceOnly: boolean;
  /** In hedge mode: whether a position is opened or closed. */
  readonly effect: "OPEN" | "CLOSE";
}

export const EMPTY: Ticket = {
  kind: "LIMIT",
  side: "BUY",
  tif: "GTC",
  price: "",
  triggerPrice: "",
  by: "qty",
  size: "",
  takeProfit: "",
  stopLoss: "",
  reduceOnly: false,
  effect: "OPEN",
};

/** What an order is composed from, besides the ticket. It does not follow the market: the order changes only when it is edited. */
export interface Terms {
  readonly account: string;
  readonly market: Market;
  readonly instrument: Instrument | undefined;
  readonly isHedge: boolean;
  /** The last price at the time of the edit. */
  readonly last: string | undefined;
  /** The largest possible order at the time when a share of it was chosen. */
  readonly maxQty: string | undefined;
  readonly maxQuoteQty: string | undefined;
  /** Equity of the account in USDT at the time of the edit. */
  readonly equity: string | undefined;
}

/** What the largest possible order depends on. */
export const scopeOf = (
  { side, kind, price, triggerPrice, effect, reduceOnly }: Ticket,
  { account, market }: Pick<Terms, "account" | "market">,
): string => JSON.stringify([account, market.category, market.symbol, side, kind, price, triggerPrice, effect, reduceOnly]);

const isPositive = (text: string): boolean => isDecimal(text) && compareDecimals(text, "0") > 0;

/** Whether the size of a market buy is the amount to spend rather than the quantity to buy. */
export const spends = ({ kind, side }: Ticket, category: Category): boolean =>
  kind === "MARKET" && side === "BUY" && (category === "SPOT" || category === "MARGIN");

/** The quantity of a ticket, in steps of the market; undefined if it has none. */
export function qtyOf(ticket: Ticket, { instrument, last, maxQty, equity }: Terms): string | undefined {
  const step = instrument?.orderSize.step ?? stepFrom(instrument?.precision?.quantity);
  const inSteps = (qty: string) => trimDecimal(step === undefined ? qty : roundToStep(qty, step));
  if (!isPositive(ticket.size)) return undefined;
  if (ticket.by === "qty") return trimDecimal(ticket.size);
  if (ticket.by === "share")
    return maxQty === undefined ? undefined : inSteps(multiplyDecimals(maxQty, divideDecimals(ticket.size, "100", 6)));
  if (ticket.by === "risk") {
    const entry = isPositive(ticket.price) && ticket.kind === "LIMIT" ? ticket.price : last;
    if (entry === undefined || equity === undefined || !isPositive(ticket.stopLoss)) return undefined;
    const loss = subtractDecimals(entry, ticket.stopLoss).replace("-", "");
    if (!isPositive(loss)) return undefined;
    return inSteps(divideDecimals(multiplyDecimals(equity, divideDecimals(ticket.size, "100", 8)), loss, 12));
  }
  const price =
    isPositive(ticket.price) && ticket.kind === "LIMIT"
      ? ticket.price
      : isPositive(ticket.triggerPrice) && ticket.kind === "TPSL"
        ? ticket.triggerPrice
        : last;
  return price === undefined || !isPositive(price) ? undefined : inSteps(divideDecimals(ticket.size, price, 12));
}

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
const hedge = ({ side, effect }: Ticket) => ({
  posSide: (side === "BUY") === (effect === "OPEN") ? ("LONG" as const) : ("SHORT" as const),
});

/** The input of `placeOrder`; undefined while something is missing. */
export function orderInput(ticket: Ticket, terms: Terms) {
  const { account, market, isHedge } = terms;
  const { category, symbol } = market;
  const { kind, side, tif, price, triggerPrice, takeProfit, stopLoss } = ticket;
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
    ...(isPositive(takeProfit) && { takeProfit: { triggerPrice: takeProfit } }),
    ...(isPositive(stopLoss) && { stopLoss: { triggerPrice: stopLoss } }),
    ...(isFutures && isHedge && hedge(ticket)),
    ...(isFutures && !isHedge && ticket.reduceOnly && { reduceOnly: true }),
  };
}

/** The input of `placeTpslOrder`: a take-profit or stop-loss of a part of a futures position. */
export function tpslInput(ticket: Ticket, terms: Terms) {
  const { account, market, last } = terms;
  const category = futuresOf(market.category);
  const qty = qtyOf(ticket, terms);
  const { side, triggerPrice, price } = ticket;
  if (category === undefined || qty === undefined || last === undefined || !isPositive(triggerPrice)) return undefined;
  // Selling closes a long position: above the price with a profit, below it with a loss.
  const posSide = side === "SELL" ? ("LONG" as const) : ("SHORT" as const);
  const isAbove = compareDecimals(triggerPrice, last) > 0;
  const planType = isAbove === (posSide === "LONG") ? ("PROFIT_PLAN" as const) : ("LOSS_PLAN" as const);
  return {
    ...{ account, category, symbol: market.symbol, posSide, planType, triggerPrice, qty },
    ...(isPositive(price) && { executePrice: price }),
  };
}
