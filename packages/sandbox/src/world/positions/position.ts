import { type Exact, exact } from "@exchange-graph/contract/decimal";
import type { FuturesCategory } from "@exchange-graph/contract/vocabulary";
import type { HoldMode, MarginMode, PositionSide } from "../accounts.js";
import type { FuturesInstrument, Tier } from "../catalogue/instrument.js";
import { ZERO } from "../ledger.js";
import type { Side } from "../market/listing.js";
import { down, up } from "../money.js";

/**
 * A futures position. `cost` is the value of its current size at opening, in quote coin; the average price follows from it. Fees
 * and funding are cash flows: negative when the user paid. Amounts are in margin coin unless stated otherwise.
 */
export interface Position {
  readonly positionId: string;
  readonly uid: string;
  readonly category: FuturesCategory;
  readonly symbol: string;
  readonly marginCoin: string;
  readonly holdMode: HoldMode;
  readonly side: PositionSide;
  readonly marginMode: MarginMode;
  readonly createdTime: number;
  leverage: number;
  /** In base coin. */
  size: Exact;
  cost: Exact;
  /** Isolated margin: its locked coins. Zero with cross margin, which locks nothing. */
  margin: Exact;
  /** Profit realised by closing, without fees and funding. */
  realised: Exact;
  funding: Exact;
  openFees: Exact;
  closeFees: Exact;
  /** Total opened and closed quantity: base coin, and its value in quote coin. */
  opened: Exact;
  openedValue: Exact;
  closed: Exact;
  closedValue: Exact;
  updatedTime: number;
}

/** A closed position: a `Position` with a size of zero, and the reason of its end. */
export interface ClosedPosition extends Readonly<Position> {
  readonly endedBy: "close" | "liquidation" | "delivery";
}

const NOTHING = {
  ...{ size: ZERO, cost: ZERO, margin: ZERO, realised: ZERO, funding: ZERO, openFees: ZERO, closeFees: ZERO },
  ...{ opened: ZERO, openedValue: ZERO, closed: ZERO, closedValue: ZERO },
};

/** A position before its first trade. */
export const newPosition = (terms: Omit<Position, "updatedTime" | keyof typeof NOTHING>): Position => ({
  ...terms,
  ...NOTHING,
  updatedTime: terms.createdTime,
});

/** The side of an order that opens such a position. */
export const openedBy = (side: PositionSide): Side => (side === "long" ? "buy" : "sell");
/** The side of an order that closes it. */
export const closedBy = (side: PositionSide): Side => (side === "long" ? "sell" : "buy");

const ONE = exact("1");

/** Converts an amount of quote coin to margin coin, at a price. Linear contracts settle in the quote coin itself. */
const settled = ({ contract }: FuturesInstrument, quote: Exact, price: Exact): Exact =>
  contract.isInverse ? quote.div(price) : quote;

/** Value of a quantity at a price, in margin coin. For an inverse contract that is the quantity itself. */
export const valueOf = ({ contract }: FuturesInstrument, quantity: Exact, price: Exact): Exact =>
  contract.isInverse ? quantity : quantity.times(price);

/** Closing a quantity of a position at a price: what it takes of the position's cost, and the profit in margin coin. */
export function closingOf(
  { side, size, cost }: Pick<Position, "side" | "size" | "cost">,
  instrument: FuturesInstrument,
  quantity: Exact,
  price: Exact,
): { readonly share: Exact; readonly profit: Exact } {
  const value = quantity.times(price);
  const share = quantity.eq(size) ? cost : down(cost.times(quantity).div(size));
  const gain = side === "long" ? value.minus(share) : share.minus(value);
  return { share, profit: down(settled(instrument, gain, price)) };
}

/** Profit of closing the whole position at `price`, in margin coin. */
export const unrealised = (position: Position, instrument: FuturesInstrument, price: Exact): Exact =>
  closingOf(position, instrument, position.size, price).profit;

/** The average price of the open quantity. */
export const entryPrice = ({ size, cost }: Position): Exact => (size.eq(ZERO) ? ZERO : cost.div(size));
/** Average opening and closing prices over the position's lifetime. */
export const openAverage = ({ opened, openedValue }: Position): Exact => (opened.eq(ZERO) ? ZERO : openedValue.div(opened));
export const closeAverage = ({ closed, closedValue }: Position): Exact => (closed.eq(ZERO) ? ZERO : closedValue.div(closed));

/** Net profit: realised profit, funding and fees. */
export const netProfit = ({ realised, funding, openFees, closeFees }: Position): Exact =>
  realised.plus(funding).plus(openFees).plus(closeFees);

/** The tier of a value in quote coin; the last one for values above it. */
export function tierOf({ contract }: FuturesInstrument, value: Exact): Tier {
  const tier = contract.tiers.find(({ maxValue }) => value.lte(maxValue)) ?? contract.tiers.at(-1);
  if (tier === undefined) throw new RangeError("a contract has at least one tier");
  return tier;
}

/** The margin required to open a quantity at a price, in margin coin. */
export const initialMargin = (instrument: FuturesInstrument, quantity: Exact, price: Exact, leverage: number): Exact =>
  up(valueOf(instrument, quantity, price).div(String(leverage)));

/** The margin below which the position is liquidated: the maintenance rate on its value, and the fee for closing it. */
export function maintenanceMargin(position: Position, instrument: FuturesInstrument, price: Exact): Exact {
  const { maintenanceRate } = tierOf(instrument, position.size.times(price));
  return up(valueOf(instrument, position.size, price).times(exact(maintenanceRate).plus(instrument.takerFeeRate)));
}

/**
 * The mark price at which margin plus profit equals the maintenance margin, if nothing else changes. `margin` is the equity
 * behind the position: its own margin if isolated, the pool's free margin if crossed. Zero if there is no such price.
 *
 * Linear, long: margin + size·p − cost = rate·size·p. Inverse: margin + size − cost/p = rate·size, its coin gain.
 */
export function liquidationPrice(position: Position, instrument: FuturesInstrument, margin: Exact): Exact {
  const { size, cost, side } = position;
  if (size.eq(ZERO)) return ZERO;
  const rate = exact(tierOf(instrument, cost).maintenanceRate).plus(instrument.takerFeeRate);
  const kept = side === "long" ? ONE.minus(rate) : ONE.plus(rate);
  const price = instrument.contract.isInverse
    ? inversePrice(size.times(kept), cost, side, margin)
    : (side === "long" ? cost.minus(margin) : cost.plus(margin)).div(size.times(kept));
  const places = instrument.pricePrecision;
  return price.lte(ZERO) ? ZERO : side === "long" ? up(price, places) : down(price, places);
}

function inversePrice(keptSize: Exact, cost: Exact, side: PositionSide, margin: Exact): Exact {
  const coins = side === "long" ? keptSize.plus(margin) : keptSize.minus(margin);
  return coins.lte(ZERO) ? ZERO : cost.div(coins);
}

/** The price at which closing covers all costs: fees, funding and the fee of the closing itself included. */
export function breakEvenPrice(position: Position, instrument: FuturesInstrument): Exact {
  const { size, cost, side, openFees, funding } = position;
  if (size.eq(ZERO)) return ZERO;
  const paid = ZERO.minus(openFees).minus(funding);
  const inQuote = instrument.contract.isInverse ? paid.times(entryPrice(position)) : paid;
  const taker = exact(instrument.takerFeeRate);
  const places = instrument.pricePrecision;
  return side === "long"
    ? down(cost.plus(inQuote).div(size).div(ONE.minus(taker)), places)
    : down(cost.minus(inQuote).div(size).div(ONE.plus(taker)), places);
}
