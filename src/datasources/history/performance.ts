import { DAY_MS } from "@exchange-graph/contract/clock";
import { type DecimalText, type Exact, exact, plain, truncated } from "@exchange-graph/contract/decimal";
import { type EquityChange, flowOf, sumOfChanges, type ValuedChange } from "./change.js";
import type { CurvePoint } from "./curve.js";

/** Decimals of a ratio. */
const PLACES = 10;
/** Decimals while ratios are computed: more than a quotient has. */
const WORKING_PLACES = 30;
/** Fewest days from whose returns a spread is computed. */
const LEAST_DAYS = 5;
const DAYS_OF_YEAR = exact("365");
const [ZERO, ONE] = [exact("0"), exact("1")];

/** Why a figure is not known. */
type UnknownReason =
  | "TOO_FEW_POINTS"
  | "CHANGES_NOT_KNOWN"
  | "NO_EQUITY"
  | "TOO_FEW_DAYS"
  | "NO_LOSS"
  | "NO_CLOSED_TRADES"
  | "NO_SPREAD"
  | "NOT_BY_PRODUCT";

/** A figure, or why it is not known. */
export type Figure = DecimalText | { readonly unknown: UnknownReason };
const unknown = (reason: UnknownReason): Figure => ({ unknown: reason });
export const isKnown = (figure: Figure): figure is DecimalText => typeof figure === "string";

/** Return and risk of a curve. Ratios are fractions: 0.05 is 5 %. */
export interface Returns {
  readonly timeWeightedReturn: Figure;
  readonly moneyWeightedReturn: Figure;
  readonly maxDrawdown: Figure;
  /** From the peak before the longest drawdown until it was reached again, or until the end, ms. */
  readonly longestDrawdownMs: number | undefined;
  readonly volatility: Figure;
  readonly sharpe: Figure;
  readonly sortino: Figure;
  readonly calmar: Figure;
}

const ratio = (value: Exact): DecimalText => plain(truncated(value, PLACES));
const working = (value: Exact): Exact => truncated(value, WORKING_PLACES);

/** Growth of the interval that ends with the point, as a factor; undefined if there was nothing before, or flows are not known. */
function growth(before: CurvePoint, { equity, change }: CurvePoint): Exact | UnknownReason {
  if (change === undefined) return "CHANGES_NOT_KNOWN";
  if (exact(before.equity).lte(ZERO)) return "NO_EQUITY";
  return working(exact(equity).minus(flowOf(change)).div(before.equity));
}

/**
 * Return and risk. The return of an interval is (equity at its end − flows) ÷ equity at its start − 1; of several, the product.
 * Daily figures are of days (UTC), as the product of their intervals.
 */
export function returnsOf(points: readonly CurvePoint[]): Returns {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return allUnknown("TOO_FEW_POINTS");
  const days = new Map<number, Exact>();
  let [index, peak, deepest] = [ONE, ONE, ZERO];
  let [peakAt, longest] = [first.at, 0];
  for (const [at, point] of points.entries()) {
    const before = points[at - 1];
    if (before === undefined) continue;
    const grown = growth(before, point);
    if (typeof grown === "string") return allUnknown(grown);
    index = working(index.times(grown));
    const day = Math.ceil(point.at / DAY_MS);
    days.set(day, working((days.get(day) ?? ONE).times(grown)));
    if (index.gte(peak)) [peak, peakAt] = [index, point.at];
    else {
      longest = Math.max(longest, point.at - peakAt);
      const depth = ONE.minus(index.div(peak));
      if (depth.gt(deepest)) deepest = depth;
    }
  }
  const daily = [...days.values()].map((grown) => grown.minus(ONE));
  return {
    timeWeightedReturn: ratio(index.minus(ONE)),
    moneyWeightedReturn: dietz(points, first, last),
    maxDrawdown: ratio(deepest),
    longestDrawdownMs: longest,
    ...riskOf(daily, deepest),
  };
}

export const allUnknown = (reason: UnknownReason): Returns => {
  const figure = unknown(reason);
  return {
    timeWeightedReturn: figure,
    moneyWeightedReturn: figure,
    maxDrawdown: figure,
    longestDrawdownMs: undefined,
    volatility: figure,
    sharpe: figure,
    sortino: figure,
    calmar: figure,
  };
};

/** Modified Dietz: the gain over the equity at the start and each flow by the share of time that it was there. */
function dietz(points: readonly CurvePoint[], first: CurvePoint, last: CurvePoint): Figure {
  const length = exact(String(last.at - first.at));
  let [flows, invested] = [ZERO, exact(first.equity)];
  for (const { at, change } of points.slice(1)) {
    if (change === undefined) return unknown("CHANGES_NOT_KNOWN");
    const flow = exact(flowOf(change));
    flows = flows.plus(flow);
    invested = invested.plus(flow.times(exact(String(last.at - at)).div(length)));
  }
  if (invested.lte(ZERO)) return unknown("NO_EQUITY");
  return ratio(exact(last.equity).minus(first.equity).minus(flows).div(invested));
}

function riskOf(daily: readonly Exact[], deepest: Exact): Pick<Returns, "volatility" | "sharpe" | "sortino" | "calmar"> {
  const few = unknown("TOO_FEW_DAYS");
  if (daily.length < LEAST_DAYS) return { volatility: few, sharpe: few, sortino: few, calmar: few };
  const count = exact(String(daily.length));
  const sum = (values: readonly Exact[]): Exact => values.reduce((total, value) => total.plus(value), ZERO);
  const mean = sum(daily).div(count);
  const squares = (values: readonly Exact[]): Exact => sum(values.map((value) => working(value.times(value))));
  const spread = squares(daily.map((value) => value.minus(mean)))
    .div(count.minus(ONE))
    .sqrt();
  const downside = squares(daily.filter((value) => value.lt(ZERO)))
    .div(count)
    .sqrt();
  const year = DAYS_OF_YEAR.sqrt();
  const over = (divisor: Exact, reason: UnknownReason): Figure =>
    divisor.eq(ZERO) ? unknown(reason) : ratio(mean.div(divisor).times(year));
  return {
    volatility: ratio(spread.times(year)),
    sharpe: over(spread, "NO_SPREAD"),
    sortino: over(downside, "NO_LOSS"),
    calmar: deepest.eq(ZERO) ? unknown("NO_LOSS") : ratio(mean.times(DAYS_OF_YEAR).div(deepest)),
  };
}

/**
 * What was earned and paid, in USDT, and the statistics of closed futures trades. A closing is a record of a futures trade with a profit
 * or loss.
 */
export function tradingOf(records: readonly ValuedChange[]) {
  let [realised, fees, funding, gains, losses] = [ZERO, ZERO, ZERO, ZERO, ZERO];
  let [wins, closings] = [0, 0];
  for (const { kind, category, amount, fee, price } of records) {
    const worth = exact(amount).times(price);
    fees = fees.minus(exact(fee).times(price));
    if (kind === "fee") fees = fees.plus(worth);
    if (kind === "funding") funding = funding.plus(worth);
    if (!(category.endsWith("FUTURES") && (kind === "trade" || kind === "liquidation")) || worth.eq(ZERO)) continue;
    closings++;
    realised = realised.plus(worth);
    if (worth.gt(ZERO)) [wins, gains] = [wins + 1, gains.plus(worth)];
    else losses = losses.minus(worth);
  }
  const none = unknown("NO_CLOSED_TRADES");
  const count = exact(String(closings));
  return {
    realised: plain(realised),
    fees: plain(fees),
    funding: plain(funding),
    closings,
    winRate: closings === 0 ? none : ratio(exact(String(wins)).div(count)),
    profitFactor: closings === 0 ? none : losses.eq(ZERO) ? unknown("NO_LOSS") : ratio(gains.div(losses)),
    expectancy: closings === 0 ? none : ratio(gains.minus(losses).div(count)),
  };
}

/** Why equity changed over a curve; undefined if that is not known of a part of it. */
export function changeOver(points: readonly CurvePoint[]): EquityChange | undefined {
  const changes = points.slice(1).map(({ change }) => change);
  const explained = changes.filter((change) => change !== undefined);
  return explained.length < changes.length || explained.length === 0 ? undefined : sumOfChanges(explained);
}
