import { DAY_MS } from "@exchange-graph/contract/clock";
import { exact, plain } from "@exchange-graph/contract/decimal";
import {
  allUnknown,
  type CurvePoint,
  changeOver,
  type Figure,
  flowOf,
  isKnown,
  returnsOf,
  sumOfCurves,
  tradingOf,
} from "../datasources/history/index.js";
import type { ExchangeAccount } from "../datasources/index.js";
import { wordOf } from "../schema/enums/exchangeEnum.js";
import { FinancialRecordCategory } from "../schema/enums/financialRecord.js";
import type { EquityInterval, PerformanceGroup } from "../schema/enums/history.js";
import type { Performance, PerformanceFigure, ProfitDay } from "../schema/history.js";
import type { RequestContext } from "./context.js";
import { missingFrom, type Range, readCurves, shownChange } from "./recordedCurves.js";

/** Rows of performance and of the calendar of profit, from recorded curves. */

const shown = (figure: Figure): PerformanceFigure =>
  isKnown(figure) ? { value: figure, reason: null } : { value: null, reason: figure.unknown };

/** The longest ranges that are computed from samples and from hours, ms. */
const [SAMPLES_MS, HOURS_MS] = [2 * DAY_MS, 120 * DAY_MS];

/** The points whose changes of balances are known: those of the latest sample are not read yet. */
function settled(points: readonly CurvePoint[]): readonly CurvePoint[] {
  const last = points.findLastIndex(({ change }) => change !== undefined);
  return last < 0 ? points : points.slice(0, last + 1);
}

/**
 * The rows of a performance. `interval`: distance of the points; by default it depends on the length of the range. Throws
 * `BAD_USER_INPUT`.
 */
export async function performanceOf(
  context: RequestContext,
  accounts: readonly ExchangeAccount[],
  { by, interval, ...range }: Range & { readonly by: PerformanceGroup; readonly interval?: EquityInterval },
): Promise<readonly Performance[]> {
  const length = (range.to ?? context.reads.now()) - range.from;
  const resolution = interval ?? (length <= SAMPLES_MS ? "MINUTE" : length <= HOURS_MS ? "HOUR" : "DAY");
  const found = await readCurves(context, accounts, range, resolution);
  const [only] = found;
  const all = settled(sumOfCurves(found.map(({ curve }) => curve)).points);
  const missing = missingFrom(context, accounts, found);
  const whole = { account: found.length === 1 && only !== undefined ? only.account : null, missingAccounts: missing };
  switch (by) {
    case "ACCOUNT": {
      const own = found.flatMap(({ account, curve }) => row(settled(curve.points), { account, missingAccounts: [] }));
      return found.length > 1 ? [...own, ...row(all, whole)] : own;
    }
    case "MONTH":
      return byMonth(all).flatMap((points) => row(points, whole));
    case "CATEGORY":
    case "SYMBOL":
      return byProduct(all, by === "SYMBOL", whole);
  }
}

/** The account that a row is about, and for several accounts those without a record. */
type RowAccounts = Pick<Performance, "account" | "missingAccounts">;

function row(points: readonly CurvePoint[], accounts: RowAccounts): readonly Performance[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return [];
  const change = changeOver(points);
  return [
    {
      ...accounts,
      category: null,
      symbol: null,
      startTime: first.at,
      endTime: last.at,
      equityAtStart: first.equity,
      equityAtEnd: last.equity,
      change: change === undefined ? null : shownChange(change),
      ...returnsRow(returnsOf(points)),
      ...tradingRow(points),
    },
  ];
}

const shownAll = <N extends string>(figures: Readonly<Record<N, Figure>>) =>
  Object.fromEntries(Object.entries<Figure>(figures).map(([name, figure]) => [name, shown(figure)])) as Record<
    N,
    PerformanceFigure
  >;

const returnsRow = ({ longestDrawdownMs, ...figures }: ReturnType<typeof returnsOf>) => ({
  ...shownAll(figures),
  longestDrawdownSeconds: longestDrawdownMs === undefined ? null : Math.round(longestDrawdownMs / 1_000),
});

function tradingRow(points: readonly Pick<CurvePoint, "records">[]) {
  const { winRate, profitFactor, expectancy, ...trading } = tradingOf(points.flatMap(({ records }) => records));
  return { ...trading, ...shownAll({ winRate, profitFactor, expectancy }) };
}

/** The points of each month, with the last one of the month before in front. */
function byMonth(points: readonly CurvePoint[]): readonly (readonly CurvePoint[])[] {
  const months = new Map<string, CurvePoint[]>();
  for (const [at, point] of points.entries()) {
    const before = points[at - 1];
    // A point is the end of its interval, so that of midnight belongs to the day before. The first point is only the beginning of
    // the next interval.
    const month = new Date(before === undefined ? point.at : point.at - 1).toISOString().slice(0, 7);
    const own = months.get(month) ?? (before === undefined ? [] : [before]);
    months.set(month, [...own, point]);
  }
  return [...months.values()];
}

function byProduct(points: readonly CurvePoint[], bySymbol: boolean, accounts: RowAccounts): readonly Performance[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return [];
  const groups = new Map<
    string,
    {
      readonly category: Performance["category"];
      readonly symbol: string | null;
      readonly records: CurvePoint["records"][number][];
    }
  >();
  for (const record of points.flatMap(({ records }) => records)) {
    const symbol = bySymbol ? record.symbol : null;
    const key = `${record.category} ${symbol ?? ""}`;
    const group = groups.get(key) ?? { category: wordOf(FinancialRecordCategory, record.category), symbol, records: [] };
    groups.set(key, group);
    group.records.push(record);
  }
  const nothing = { equityAtStart: null, equityAtEnd: null, change: null };
  const returns = returnsRow(allUnknown("NOT_BY_PRODUCT"));
  return [...groups.values()].map(({ category, symbol, records }) => ({
    ...accounts,
    category,
    symbol,
    startTime: first.at,
    endTime: last.at,
    ...nothing,
    ...returns,
    ...tradingRow([{ records }]),
  }));
}

/** The profit of each day from the one on that contains the start. Throws `BAD_USER_INPUT`. */
export async function calendarOf(
  context: RequestContext,
  accounts: readonly ExchangeAccount[],
  range: Range,
): Promise<readonly ProfitDay[]> {
  // The end of the day before has the equity with which the first one starts.
  const from = Math.floor(range.from / DAY_MS) * DAY_MS;
  const found = await readCurves(context, accounts, { ...range, from }, "DAY");
  const { points } = sumOfCurves(found.map(({ curve }) => curve));
  const missingAccounts = missingFrom(context, accounts, found);
  const earlier = points.findLast(({ at }) => at <= from);
  const days = points.filter(({ at }) => at > from);
  return days.map((point, at): ProfitDay => {
    const before = at === 0 ? earlier : days[at - 1];
    const { change, equity } = point;
    const profit = change === undefined ? null : plain(exact(change.total).minus(flowOf(change)));
    const { timeWeightedReturn } = returnsOf(before === undefined ? [point] : [before, point]);
    return {
      startTime: point.at - DAY_MS,
      profit,
      flows: change === undefined ? null : flowOf(change),
      dailyReturn: shown(timeWeightedReturn),
      equity,
      missingAccounts,
    };
  });
}
