import { type Exact, exact } from "@exchange-graph/contract/decimal";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { type Instrument, isFutures } from "../catalogue/instrument.js";
import { ZERO } from "../ledger.js";
import { minuteAt, type Side } from "../market/listing.js";
import type { Market } from "../market/market.js";
import { type CancelReason, type Fill, fillOf, newOrder, type Order, type PositionTerms } from "../orders/order.js";
import { valueOf } from "../positions/position.js";
import type { Random } from "../random.js";
import type { InitialState } from "./initialAccounts.js";

interface PastTrade {
  readonly uid: string;
  readonly category: ProductCategory;
  readonly market: Market;
  readonly side: Side;
  readonly quantity: Exact;
  readonly position?: PositionTerms;
  /** Time of its order, Unix ms. */
  readonly at: number;
}

/** A past fill: a `Fill` without its profit, which depends on the position. */
export type PastFill = Omit<Fill, "profit">;

/** Past price, by the minute. */
export const pastPrice = ({ listing }: Market, at: number): Exact =>
  listing.grid.price(listing.stepsOf(listing.path.closeOf(minuteAt(at))));

/** A past order that was filled, in one or two parts, at the price of its time. */
export function filledOrder(
  state: InitialState,
  random: Random,
  trade: PastTrade,
): { readonly order: Order; readonly fills: readonly PastFill[] } {
  const { market, at, side, quantity } = trade;
  const { instrument, grid } = market.listing;
  const isLimit = random.oneIn(2);
  const price = pastPrice(market, at);
  const order = newOrder({ ...orderTerms(trade, isLimit ? price : undefined), quantity }, state.ids.past(at), at);
  const half = grid.floored(quantity.times("0.5"));
  const parts = random.oneIn(3) && half.gte(instrument.minQuantity) ? [half, quantity.minus(half)] : [quantity];
  const execLinkId = state.ids.past(at);
  const fills = parts.map((part, index): PastFill => {
    const filledAt = at + index * random.between(200, 40_000);
    const value = part.times(price);
    const fee = feeOf(instrument, side, part, price, isLimit ? instrument.makerFeeRate : instrument.takerFeeRate);
    order.filledQuantity = order.filledQuantity.plus(part);
    order.filledValue = order.filledValue.plus(value);
    order.fees.set(fee.coin, (order.fees.get(fee.coin) ?? ZERO).plus(fee.amount));
    order.updatedTime = filledAt;
    const scope = isLimit ? ("maker" as const) : ("taker" as const);
    return fillOf(order, {
      execId: state.ids.past(filledAt),
      execLinkId,
      price,
      quantity: part,
      value,
      fee,
      scope,
      at: filledAt,
    });
  });
  order.status = "filled";
  return { order, fills };
}

/** A past order that rested away from the market and was cancelled. */
export function cancelledOrder(state: InitialState, random: Random, trade: PastTrade): Order {
  const { market, at, side } = trade;
  const percent = side === "buy" ? 100 - random.between(1, 4) : 100 + random.between(1, 4);
  const { grid } = market.listing;
  const price = grid.price(grid.steps(pastPrice(market, at).times(String(percent)).div("100")));
  const order = newOrder(orderTerms(trade, price), state.ids.past(at), at);
  order.status = "cancelled";
  order.cancelReason = "normal_cancel" satisfies CancelReason;
  order.updatedTime = at + random.between(5_000, 7_200_000);
  return order;
}

const orderTerms = ({ uid, category, market, side, quantity, position }: PastTrade, price: Exact | undefined) =>
  ({
    uid,
    category,
    symbol: market.listing.instrument.symbol,
    side,
    quantity,
    orderType: price === undefined ? "market" : "limit",
    timeInForce: price === undefined ? "ioc" : "gtc",
    clientOid: "",
    stpMode: "none",
    execType: "normal",
    ...(price === undefined ? {} : { price }),
    ...(position === undefined ? {} : { position }),
  }) as const;

/** Fees of futures are in margin coin, those of spot in the received coin. */
function feeOf(instrument: Instrument, side: Side, quantity: Exact, price: Exact, rate: string): Fill["fee"] {
  if (isFutures(instrument))
    return { coin: instrument.contract.marginCoin, amount: valueOf(instrument, quantity, price).times(exact(rate)) };
  return side === "buy"
    ? { coin: instrument.baseCoin, amount: quantity.times(rate) }
    : { coin: instrument.quoteCoin, amount: quantity.times(price).times(rate) };
}
