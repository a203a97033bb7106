import { type DecimalText, type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import type { Order } from "@exchange-graph/contract/order";
import type { Ticker } from "@exchange-graph/contract/ticker";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { badInput, Fault } from "../../errors/index.js";
import type { OrderIds } from "../policies/replies.js";

/** A write's addition to the risk of its account, in terms of its input. */
export interface Exposure {
  /** Its market; null for a conversion. */
  readonly market: { readonly category: ProductCategory; readonly symbol: string } | null;
  /** The coin that is counted: the base coin, or the converted coin. Null if the exchange does not list the symbol. */
  readonly coin: string | null;
  readonly quoteCoin: string | null;
  readonly side?: "buy" | "sell" | undefined;
  /** In `coin`. */
  readonly qty?: DecimalText | undefined;
  /** In `quoteCoin`, for orders in quote coin. */
  readonly quoteQty?: DecimalText | undefined;
  /** Limit price; undefined for a market order. */
  readonly price?: DecimalText | undefined;
  readonly trigger?: DecimalText | undefined;
  /** How far the price of its trade may be above the market and below it, as fractions; undefined for the default. */
  readonly margin?: { readonly above: DecimalText | null; readonly below: DecimalText | null } | undefined;
  /** Orders of the same quantity in the other direction that the exchange places once this one has traded. */
  readonly exits?: readonly Pick<ValuedTerms, "price" | "trigger">[] | undefined;
  readonly field: string;
  /** Whether it can stay open after it was accepted. */
  readonly stays: boolean;
  /** Whether it is a trigger order, which the lists of trigger orders show. */
  readonly waits?: boolean | undefined;
  /** The open order that it changes: its existing risk is not added again. */
  readonly changes?: ChangedOrder | undefined;
}

/** An order that is changed in place, or replaced by a new one. */
interface ChangedOrder extends OrderIds {
  readonly isReplaced: boolean;
}

/** Current prices of a market, in quote coin; null for those that it does not have. */
export type MarketPrices = Pick<Ticker, "lastPrice" | "bid1Price" | "ask1Price">;

export interface MarketView {
  /** Prices of a market; null if they cannot be read. */
  quotes(category: ProductCategory, symbol: string): Promise<MarketPrices | null>;
  /** Price of a coin in USDT; null if not known. */
  usdtPrice(coin: string): Promise<DecimalText | null>;
  /** An open order; null if there is none. */
  order(market: NonNullable<Exposure["market"]>, ids: OrderIds): Promise<Order | null>;
}

/** An exposure in numbers. `value` is in USDT, null if not known. */
export interface Priced {
  readonly exposure: Exposure;
  readonly side: "buy" | "sell" | undefined;
  readonly price: Exact | undefined;
  readonly lastPrice: Exact | null;
  readonly whole: CoinAmount;
  /** Added amount: less than the whole if an order is changed. */
  readonly added: CoinAmount;
  /** The whole amount that a new order can trade, with the orders that follow it. */
  readonly anew: CoinAmount;
  /** The order that is changed, with both of its identifiers. */
  readonly changed: ChangedOrder | undefined;
}

/** An amount of a coin, and its value in USDT. */
export interface CoinAmount {
  readonly qty: Exact;
  readonly value: Exact | null;
}

const ZERO = exact("0");

/** Computes the numbers of an exposure. Throws `Fault` if the market or the order cannot be read. */
export async function priced(exposure: Exposure, market: MarketView): Promise<Priced> {
  const { market: place, quoteCoin, coin } = exposure;
  if (place === null) {
    const worth = coin === null ? null : await market.usdtPrice(coin);
    const whole = amountOf(exact(exposure.qty ?? "0"), worth === null ? null : exact(worth), "1");
    return { exposure, side: undefined, price: undefined, lastPrice: null, whole, added: whole, anew: whole, changed: undefined };
  }
  const [quotes, rate, before] = await Promise.all([
    market.quotes(place.category, place.symbol),
    quoteCoin === null ? null : usdtRate(market, quoteCoin),
    exposure.changes === undefined ? undefined : existing(market, place, exposure.changes, exposure.price),
  ]);
  const side = exposure.side ?? before?.side;
  const price = exposure.price ?? before?.price;
  const { trigger, margin, quoteQty, qty = before?.qty ?? "0" } = exposure;
  const whole = most({ side, price, qty, quoteQty, trigger, margin }, quotes, rate);
  const isReplaced = exposure.changes?.isReplaced === true;
  const old = before === undefined ? NOTHING : most({ ...before, ...(isReplaced && { qty: before.left }), margin }, quotes, rate);
  // Buying back sold coins adds risk; selling bought coins is like the close of a position.
  const exits = side === "sell" ? (exposure.exits ?? []) : [];
  const back = exits.map((exit) => most({ ...exit, side: "buy", qty, margin }, quotes, rate));
  const added = back.reduce(plus, {
    qty: above(whole.qty, old.qty),
    value: whole.value === null || old.value === null ? whole.value : above(whole.value, old.value),
  });
  const isClose = before?.reduceOnly === true;
  return {
    exposure,
    side,
    price: price === undefined ? undefined : exact(price),
    lastPrice: positive(quotes?.lastPrice) ?? null,
    whole: isClose ? NOTHING : whole,
    added: isClose ? NOTHING : added,
    anew: isClose ? NOTHING : back.reduce(plus, whole),
    changed: before && { orderId: before.orderId, clientOid: before.clientOid, isReplaced },
  };
}

/** The amount of a write that adds nothing. */
export const NOTHING: CoinAmount = { qty: ZERO, value: ZERO };

const plus = (one: CoinAmount, other: CoinAmount): CoinAmount => ({
  qty: one.qty.plus(other.qty),
  value: one.value === null || other.value === null ? null : one.value.plus(other.value),
});

const above = (one: Exact, other: Exact): Exact => (one.gt(other) ? one.minus(other) : ZERO);

function amountOf(qty: Exact, unit: Exact | null, rate: DecimalText | null): CoinAmount {
  return { qty, value: unit === null || rate === null ? null : qty.times(unit).times(exact(rate)) };
}

/** The terms of an order by which it is valued. */
export interface ValuedTerms extends Pick<Exposure, "side" | "price" | "trigger" | "margin" | "quoteQty"> {
  readonly qty: DecimalText;
}

/**
 * The most that an order can trade: its coins, and their value. An amount of quote coin is spent whole, and buys more coins at a
 * lower price. Throws `Fault` if that needs a price and there is none.
 */
export function most(order: ValuedTerms, quotes: MarketPrices | null, rate: DecimalText | null): CoinAmount {
  const { side, qty, quoteQty, price } = order;
  const reach = reachOf(order, quotes);
  if (quoteQty === undefined) return amountOf(exact(qty), unitPrice(side, positive(price), reach), rate);
  const lowest = positive(price) ?? reach?.lowest;
  if (lowest === undefined || lowest.lte("0"))
    throw new Fault("EXCHANGE_UNAVAILABLE", "limits cannot be checked without a price; nothing was sent");
  return { qty: exact(quoteQty).div(lowest), value: rate === null ? null : exact(quoteQty).times(exact(rate)) };
}

/** The prices at which an order without a limit price may trade. */
interface Reach {
  readonly lowest: Exact;
  readonly highest: Exact;
  /** A sell at this price or below trades at once. */
  readonly bid: Exact;
}

/** The margin in a symbol for which the exchange lists none: its usual one. */
const USUAL_MARGIN = "0.05";

/**
 * The market moves until an order arrives, and a large order trades at several prices of the book. So it may trade at the market's
 * prices widened by the symbol's price band. A trigger order trades at the market of its trigger time, which is at the trigger
 * price, or at the current market if it is triggered at once.
 */
function reachOf({ trigger, margin }: ValuedTerms, quotes: MarketPrices | null): Reach | undefined {
  const [last, bid, ask] = [positive(quotes?.lastPrice), positive(quotes?.bid1Price), positive(quotes?.ask1Price)];
  const [first, ...others] = [last, bid, ask, positive(trigger)].filter((one) => one !== undefined);
  if (first === undefined) return undefined;
  const low = others.reduce((one, other) => (one.lt(other) ? one : other), first);
  const high = others.reduce((one, other) => (one.gt(other) ? one : other), first);
  return {
    lowest: low.times(exact("1").minus(exact(margin?.below ?? USUAL_MARGIN))),
    highest: high.times(exact("1").plus(exact(margin?.above ?? USUAL_MARGIN))),
    bid: trigger === undefined ? (bid ?? last ?? high) : high,
  };
}

/** A price of zero stands for none. */
const positive = (price: DecimalText | null | undefined): Exact | undefined =>
  price === null || price === undefined || !exact(price).gt("0") ? undefined : exact(price);

/**
 * The highest price at which one coin may trade. That of a buy is its limit price. A sell trades at its limit price or above, and
 * one that trades at once at the prices of the market.
 */
function unitPrice(side: ValuedTerms["side"], limit: Exact | undefined, reach: Reach | undefined): Exact | null {
  if (limit === undefined) return reach?.highest ?? null;
  if (side === "buy" || reach === undefined || limit.gt(reach.bid)) return limit;
  return limit.gt(reach.highest) ? limit : reach.highest;
}

/** Contracts quoted in dollars are valued in those. */
const usdtRate = async (market: MarketView, quoteCoin: string): Promise<DecimalText | null> =>
  quoteCoin.toUpperCase() === "USD" ? "1" : market.usdtPrice(quoteCoin);

interface Existing extends ValuedTerms, OrderIds {
  /** The part that has not been filled, in base coin: a new order in its place can trade its whole quantity again. */
  readonly left: DecimalText;
  readonly reduceOnly: boolean;
}

async function existing(
  market: MarketView,
  place: NonNullable<Exposure["market"]>,
  ids: OrderIds,
  newPrice: DecimalText | undefined,
): Promise<Existing> {
  const order = await market.order(place, ids);
  if (order === null) throw new Fault("ORDER_NOT_FOUND", "there is no such open order; nothing was sent");
  if (order.orderType === "market" && newPrice !== undefined)
    throw badInput([{ argument: "price", rule: "must not be given for a market order; nothing was sent" }]);
  const { orderId, clientOid, side, qty, cumExecQty, price, triggerPrice, isReduceOnly } = order;
  return {
    orderId,
    clientOid: clientOid ?? undefined,
    side: side === null || side === "UNKNOWN" ? undefined : side,
    qty: qty ?? "0",
    // An unknown filled quantity may be all of it.
    left: cumExecQty === null ? "0" : plain(above(exact(qty ?? "0"), exact(cumExecQty))),
    price: price ?? undefined,
    trigger: triggerPrice ?? undefined,
    reduceOnly: isReduceOnly === true,
  };
}
