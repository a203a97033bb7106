import { type DecimalText, type Exact, exact } from "@exchange-graph/contract/decimal";
import type { Order } from "@exchange-graph/contract/order";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { Fault } from "../../fault.js";

/** What a write adds to what its account has at risk, in the words of its client. */
export interface Exposure {
  /** Where it trades; null for a conversion, which trades in no symbol. */
  readonly market: { readonly category: ProductCategory; readonly symbol: string } | null;
  /** The coin that is counted: the base coin, or the coin that is converted. Null where the exchange lists no such symbol. */
  readonly coin: string | null;
  readonly quoteCoin: string | null;
  readonly side?: "buy" | "sell" | undefined;
  /** In `coin`. */
  readonly qty?: DecimalText | undefined;
  /** In `quoteCoin`, where the order counts in that. */
  readonly quoteQty?: DecimalText | undefined;
  /** Limit price; none at market. */
  readonly price?: DecimalText | undefined;
  /** The price that it waits for before it goes to the market. */
  readonly trigger?: DecimalText | undefined;
  /** The field that names the quantity. */
  readonly field: string;
  /** Can something of it stand open once it is accepted? */
  readonly stays: boolean;
  /** The open order that it changes: what that has at risk already is not added again. */
  readonly changes?: { readonly orderId?: string | undefined; readonly clientOid?: string | undefined } | undefined;
}

/** The market as limits look at it. */
export interface MarketView {
  /** The last price; null where there is none. */
  lastPrice(category: ProductCategory, symbol: string): Promise<DecimalText | null>;
  /** What a coin is worth in USDT; null where nobody says. */
  usdtPrice(coin: string): Promise<DecimalText | null>;
  /** An open order; null where there is none. */
  order(market: NonNullable<Exposure["market"]>, ids: NonNullable<Exposure["changes"]>): Promise<Order | null>;
}

/** An exposure in numbers. `value` is in USDT, null where it cannot be known. */
export interface Priced {
  readonly exposure: Exposure;
  readonly side: "buy" | "sell" | undefined;
  readonly price: Exact | undefined;
  readonly lastPrice: Exact | null;
  readonly whole: Amount;
  /** What is added: less than the whole where an order is changed. */
  readonly added: Amount;
}

/** An amount of a coin, and what it is worth in USDT. */
export interface Amount {
  readonly qty: Exact;
  readonly value: Exact | null;
}

const ZERO = exact("0");

/** Puts an exposure into numbers. Throws `Fault` where the market or the order cannot be read. */
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

/** What one coin of it costs: at a limit the limit, but never less than the market for what is sold. */
function unitPrice(side: Priced["side"], limit: Exact | undefined, last: Exact | null): Exact | null {
  if (limit === undefined || limit.eq("0")) return last;
  return side !== "buy" && last?.gt(limit) ? last : limit;
}

/** An amount of quote coin buys so much. */
function quantityOf({ qty, quoteQty }: Exposure, before: DecimalText | undefined, unit: Exact | null): Exact {
  if (quoteQty === undefined) return exact(qty ?? before ?? "0");
  if (unit === null) throw new Fault("EXCHANGE_UNAVAILABLE", "there is no price to hold limits against; nothing was sent");
  return exact(quoteQty).div(unit);
}

/** Contracts that are quoted in dollars count in those. */
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
