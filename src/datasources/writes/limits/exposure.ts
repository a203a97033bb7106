import { type DecimalText, type Exact, exact } from "@exchange-graph/contract/decimal";
import type { Order } from "@exchange-graph/contract/order";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { Fault } from "../../fault.js";

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
  /** Trigger price. */
  readonly trigger?: DecimalText | undefined;
  /** The input field of the quantity. */
  readonly field: string;
  /** Whether it can stay open after it was accepted. */
  readonly stays: boolean;
  /** The open order that it changes: its existing risk is not added again. */
  readonly changes?: { readonly orderId?: string | undefined; readonly clientOid?: string | undefined } | undefined;
}

/** Market data for limits. */
export interface MarketView {
  /** The last price; null if there is none. */
  lastPrice(category: ProductCategory, symbol: string): Promise<DecimalText | null>;
  /** Price of a coin in USDT; null if not known. */
  usdtPrice(coin: string): Promise<DecimalText | null>;
  /** An open order; null if there is none. */
  order(market: NonNullable<Exposure["market"]>, ids: NonNullable<Exposure["changes"]>): Promise<Order | null>;
}

/** An exposure in numbers. `value` is in USDT, null if not known. */
export interface Priced {
  readonly exposure: Exposure;
  readonly side: "buy" | "sell" | undefined;
  readonly price: Exact | undefined;
  readonly lastPrice: Exact | null;
  readonly whole: Amount;
  /** Added amount: less than the whole if an order is changed. */
  readonly added: Amount;
}

/** An amount of a coin, and its value in USDT. */
export interface Amount {
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
    return { exposure, side: undefined, price: undefined, lastPrice: null, whole, added: whole };
  }
  const [last, rate, before] = await Promise.all([
    market.lastPrice(place.category, place.symbol),
    quoteCoin === null ? null : usdtRate(market, quoteCoin),
    exposure.changes === undefined ? undefined : existing(market, place, exposure.changes),
  ]);
  const lastPrice = last === null || exact(last).eq("0") ? null : exact(last);
  const side = exposure.side ?? before?.side;
  const price = exposure.price ?? before?.price;
  const unit = unitPrice(side, price === undefined ? undefined : exact(price), lastPrice);
  const qty = quantityOf(exposure, before?.qty, unit);
  const whole = amountOf(qty, unit, rate);
  const old =
    before === undefined
      ? NOTHING
      : amountOf(
          exact(before.qty),
          unitPrice(side, before.price === undefined ? undefined : exact(before.price), lastPrice),
          rate,
        );
  const added = {
    qty: above(qty, old.qty),
    value: whole.value === null || old.value === null ? whole.value : above(whole.value, old.value),
  };
  const isClose = before?.reduceOnly === true;
  return {
    exposure,
    side,
    price: price === undefined ? undefined : exact(price),
    lastPrice,
    whole: isClose ? NOTHING : whole,
    added: isClose ? NOTHING : added,
  };
}

const NOTHING: Amount = { qty: ZERO, value: ZERO };

const above = (one: Exact, other: Exact): Exact => (one.gt(other) ? one.minus(other) : ZERO);

function amountOf(qty: Exact, unit: Exact | null, rate: DecimalText | null): Amount {
  return { qty, value: unit === null || rate === null ? null : qty.times(unit).times(exact(rate)) };
}

/** Price of one coin: the limit price, but for a sell at least the market price. */
function unitPrice(side: Priced["side"], limit: Exact | undefined, last: Exact | null): Exact | null {
  if (limit === undefined || limit.eq("0")) return last;
  return side !== "buy" && last?.gt(limit) ? last : limit;
}

/** Quantity for an amount of quote coin. */
function quantityOf({ qty, quoteQty }: Exposure, before: DecimalText | undefined, unit: Exact | null): Exact {
  if (quoteQty === undefined) return exact(qty ?? before ?? "0");
  if (unit === null) throw new Fault("EXCHANGE_UNAVAILABLE", "limits cannot be checked without a price; nothing was sent");
  return exact(quoteQty).div(unit);
}

/** Contracts quoted in dollars are valued in those. */
const usdtRate = async (market: MarketView, quoteCoin: string): Promise<DecimalText | null> =>
  quoteCoin.toUpperCase() === "USD" ? "1" : market.usdtPrice(quoteCoin);

async function existing(
  market: MarketView,
  place: NonNullable<Exposure["market"]>,
  ids: NonNullable<Exposure["changes"]>,
): Promise<{
  readonly side: "buy" | "sell" | undefined;
  readonly qty: DecimalText;
  readonly price: DecimalText | undefined;
  readonly reduceOnly: boolean;
}> {
  const order = await market.order(place, ids);
  if (order === null) throw new Fault("ORDER_NOT_FOUND", "there is no such open order; nothing was sent");
  const { side, qty, price, reduceOnly } = order;
  return {
    side: side === null || side === "UNKNOWN" ? undefined : side,
    qty: qty ?? "0",
    price: price ?? undefined,
    reduceOnly: reduceOnly === true,
  };
}
