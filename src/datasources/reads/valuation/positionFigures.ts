import { type DecimalText, type Exact, exact, isZero, plain, quotient, truncated } from "@exchange-graph/contract/decimal";
import { type Position, profitRateOf } from "@exchange-graph/contract/position";
import Big from "big.js";
import { type ContractRules, type MarginRules, maintenanceRateAt, type Prices } from "./marginRules.js";
import { ceiling, costOf, crossMarginAt, isInverse, profitAt, RATE_PLACES, ratePlacesOf } from "./markToMarket.js";

/** Decimals of an amount. */
export const PLACES = 8;
export const ZERO = exact("0");
const ONE = exact("1");

/** An amount as the exchange writes it. */
export const written = (amount: Exact): DecimalText => plain(truncated(amount, PLACES));

/** A quotient as the exchange writes it. */
export const writtenQuotient = (dividend: Exact, divisor: Exact): DecimalText => plain(quotient(dividend, divisor, PLACES));

/** Figures of a position at a mark price; amounts in margin coin unless noted. */
export interface PositionFigures {
  readonly position: Position;
  readonly rules: ContractRules;
  readonly size: Exact;
  /** Cost, in quote coin. */
  readonly cost: Exact;
  readonly mark: Exact;
  readonly value: Exact;
  readonly unrealised: Exact;
  /** Initial margin at this size and price; of an isolated position its assigned margin. */
  readonly initial: Exact;
  /** Maintenance margin, below which it is liquidated. */
  readonly maintenance: Exact;
}

/**
 * Figures of each position; undefined if a price or rule is not known, or the formulas do not reproduce the exchange's last
 * figures.
 */
export const figuresOf = (
  positions: readonly Position[],
  rules: MarginRules,
  prices: Prices,
): readonly (PositionFigures | undefined)[] =>
  positions.map((position) => figuresAt(position, rules, prices.mark(position.categoryRaw, position.symbol)));

/** All rows; undefined if one is missing. */
export const every = <T>(rows: readonly (T | undefined)[]): readonly T[] | undefined => {
  const found = rows.filter((row) => row !== undefined);
  return found.length === rows.length ? found : undefined;
};

function figuresAt(position: Position, allRules: MarginRules, mark: Exact | undefined): PositionFigures | undefined {
  const { qty, margin, leverage, marginMode, categoryRaw, symbol } = position;
  const cost = costOf(position);
  const rules = allRules.contract(categoryRaw, symbol);
  if (cost === undefined || rules === undefined || mark === undefined || mark.eq(ZERO)) return undefined;
  if (qty === null || margin === null || leverage === null || isZero(leverage) || marginMode === "UNKNOWN" || marginMode === null)
    return undefined;
  const size = exact(qty).abs();
  const value = isInverse(position) ? size : size.times(mark);
  const rate = maintenanceRateAt(rules, size.times(mark));
  return {
    position,
    rules,
    size,
    cost,
    mark,
    value,
    unrealised: profitAt(position, cost, size, mark),
    initial: marginMode === "crossed" ? crossMarginAt(position, size, mark, exact(leverage)) : exact(margin),
    maintenance: ceiling(value.times(rate.plus(rules.takerFeeRate))),
  };
}

/**
 * The mark price at which the margin of a position plus its loss equals the maintenance margin; null if there is no such price.
 */
function liquidationPriceOf({ position, rules, size, cost }: PositionFigures, backing: Exact): DecimalText | null {
  const isLong = position.posSide === "long";
  const rate = maintenanceRateAt(rules, cost).plus(rules.takerFeeRate);
  const kept = size.times(isLong ? ONE.minus(rate) : ONE.plus(rate));
  const divisor = isInverse(position) ? (isLong ? kept.plus(backing) : kept.minus(backing)) : kept;
  const dividend = isInverse(position) ? cost : isLong ? cost.minus(backing) : cost.plus(backing);
  if (divisor.lte(ZERO) || dividend.lte(ZERO)) return null;
  const price = dividend.div(divisor).round(rules.pricePrecision, isLong ? Big.roundUp : Big.roundDown);
  return price.lte(ZERO) ? null : plain(price);
}

/** Further inputs of a position's figures. */
interface PositionInputs {
  readonly liquidationPrice: DecimalText | null;
  /** The ratio of its futures account, if the mode has one. */
  readonly marginRatio?: DecimalText;
  /** The possible numbers of decimals of the exchange's profit rates. */
  readonly ratePlaces: readonly number[];
}

/** A position with these figures; undefined if its profit rate is not certain. */
export function positionAt(
  { position, rules, size, mark, unrealised, initial }: PositionFigures,
  { liquidationPrice, marginRatio, ratePlaces }: PositionInputs,
): Position | undefined {
  const margin = written(initial);
  const moved = { ...position, markPrice: plain(mark), margin, unrealisedPnl: plain(unrealised) };
  const profitRate =
    marginRatio === undefined
      ? rateAt({ ...moved, margin: plain(initial) }, ratePlaces)
      : (profitRateOf(moved) ?? position.profitRate);
  if (profitRate === undefined) return undefined;
  const maintenanceMarginRate = plain(maintenanceRateAt(rules, size.times(mark)));
  return { ...moved, profitRate, maintenanceMarginRate, liquidationPrice, ...(marginRatio === undefined ? {} : { marginRatio }) };
}

/** The profit rate; undefined unless every possible number of decimals gives the same text. */
function rateAt({ unrealisedPnl, margin }: Position, ratePlaces: readonly number[]): DecimalText | undefined {
  if (unrealisedPnl === null || margin === null || isZero(margin)) return undefined;
  const [dividend, divisor] = [exact(unrealisedPnl), exact(margin)];
  const [rate, ...others] = new Set(ratePlaces.map((places) => plain(quotient(dividend, divisor, places))));
  return others.length === 0 ? rate : undefined;
}

/** The numbers of decimals that reproduce each of these positions' profit rates, among `possible` ones. */
export function sharedRatePlaces(positions: readonly Position[], possible: readonly number[] = RATE_PLACES): readonly number[] {
  let shared = possible;
  for (const position of positions) {
    const own = ratePlacesOf(position);
    const both = shared.filter((places) => own.includes(places));
    if (both.length > 0) shared = both;
  }
  return shared;
}

/** The liquidation price of a position in a pool; `free`: what the pool has beyond all its obligations, in margin coin. */
export function liquidationPriceIn(figures: PositionFigures, free: Exact): DecimalText | null {
  const { position, unrealised, maintenance, initial } = figures;
  const backing = position.marginMode === "isolated" ? initial : free.plus(maintenance).minus(unrealised);
  return liquidationPriceOf(figures, backing);
}

/** The sum of one amount over all rows. */
export const total = <T>(rows: readonly T[], amount: (row: T) => Exact): Exact =>
  rows.reduce((sum, row) => sum.plus(amount(row)), ZERO);
