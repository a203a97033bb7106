import { DAY_MS } from "@exchange-graph/contract/clock";
import { exact, plain } from "@exchange-graph/contract/decimal";
import { Args, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql";
import {
  type EquityChange as Change,
  type Curve,
  type CurvePoint,
  type Curves,
  changeOver,
  type Figure,
  flowOf,
  type GapRange,
  isKnown,
  MAX_POINTS,
  type NextPoint,
  netOf,
  returnsOf,
  together,
  tradingOf,
} from "../datasources/history/index.js";
import { badInput, type ExchangeAccount, Fault } from "../datasources/index.js";
import type { Listener, Unlisten } from "../datasources/streams/index.js";
import { Account } from "../schema/account.js";
import { Cost, type FieldCost } from "../schema/cost.js";
import { EquityInterval, PerformanceGroup } from "../schema/enums/history.js";
import { of, time } from "../schema/fields.js";
import { EquityHistory, type EquityPoint, Performance, type PerformanceFigure, ProfitDay } from "../schema/history.js";
import { pointsAsked } from "../schema/listLengths.js";
import { Arguments, extended, fieldsOf } from "../schema/record.js";
import { RequiresScope } from "../schema/requiresScope.js";
import type { RequestContext } from "./context.js";

@Arguments()
class RangeArguments extends fieldsOf({
  from: time("From here on"),
  to: time.optional("Up to here. Default: now"),
}) {}

@Arguments()
class EquityArguments extends extended(RangeArguments, {
  interval: of(EquityInterval).withDefault(
    `Interval of the points. Default: HOUR. A range has at most ${MAX_POINTS} of them`,
    "HOUR",
  ),
}) {}

@Arguments()
class PerformanceArguments extends extended(RangeArguments, {
  by: of(PerformanceGroup).withDefault("What the rows are about. Default: ACCOUNT", "ACCOUNT"),
}) {}

/** Where nothing is recorded these fields are refused. */
const NO_CALLS: FieldCost = { calls: 0, refused: (_asked, { outlook }) => outlook.own("histories") === 0 };
/** Rows of a table by month, symbol or category. */
const TABLE_ROWS = 500;

/** What accounts were worth. Everything is answered from what the gateway has recorded. */
@Resolver(() => Account)
export class AccountHistoryResolver {
  @RequiresScope("read:account")
  @Cost(NO_CALLS)
  @FieldResolver(() => EquityHistory, {
    nullable: true,
    description:
      "What the account was worth over time, with its gaps, and why it changed. Source: the gateway's own record of proven live state, and the account's financial records",
  })
  equityHistory(
    @Root() account: ExchangeAccount,
    @Ctx() context: RequestContext,
    @Args(() => EquityArguments) asked: EquityArguments,
  ): Promise<EquityHistory> {
    return equityOf(context, [account], asked);
  }

  @RequiresScope("read:account")
  @Cost({ ...NO_CALLS, rows: TABLE_ROWS })
  @FieldResolver(() => [Performance], {
    nullable: true,
    description:
      "Return, drawdown, risk and trading statistics of the account. A range of up to two days is computed from single samples, up to 120 days from hours, a longer one from days. Source: as for `equityHistory`",
  })
  performance(
    @Root() account: ExchangeAccount,
    @Ctx() context: RequestContext,
    @Args(() => PerformanceArguments) asked: PerformanceArguments,
  ): Promise<readonly Performance[]> {
    return performanceOf(context, [account], asked);
  }

  @RequiresScope("read:account")
  @Cost({ ...NO_CALLS, rows: (asked, place) => pointsAsked(asked, place, "DAY") })
  @FieldResolver(() => [ProfitDay], {
    nullable: true,
    description: "Profit of each day (UTC) that has a sample, the earliest first. Source: as for `equityHistory`",
  })
  profitCalendar(
    @Root() account: ExchangeAccount,
    @Ctx() context: RequestContext,
    @Args(() => RangeArguments) asked: RangeArguments,
  ): Promise<readonly ProfitDay[]> {
    return calendarOf(context, [account], asked);
  }
}

/** The same for all accounts that the client may read. */
@Resolver()
export class HistoryResolver {
  @RequiresScope("read:account")
  @Cost(NO_CALLS)
  @Query(() => EquityHistory, {
    nullable: true,
    description:
      "What all accounts that the client may read were worth together: at the times at which each of them has a sample. An account with several names counts once. Source: as for `Account.equityHistory`",
  })
  equityHistory(@Ctx() context: RequestContext, @Args(() => EquityArguments) asked: EquityArguments): Promise<EquityHistory> {
    return equityOf(context, readable(context), asked);
  }

  @RequiresScope("read:account")
  @Cost({ ...NO_CALLS, rows: TABLE_ROWS })
  @Query(() => [Performance], {
    nullable: true,
    description:
      "Performance of all accounts that the client may read: by account one row of each and one of all together, otherwise of all together. Source: as for `Account.performance`",
  })
  performance(
    @Ctx() context: RequestContext,
    @Args(() => PerformanceArguments) asked: PerformanceArguments,
  ): Promise<readonly Performance[]> {
    return performanceOf(context, readable(context), asked);
  }

  @RequiresScope("read:account")
  @Cost({ ...NO_CALLS, rows: (asked, place) => pointsAsked(asked, place, "DAY") })
  @Query(() => [ProfitDay], {
    nullable: true,
    description:
      "Profit of each day (UTC) of all accounts that the client may read together. Source: as for `Account.profitCalendar`",
  })
  profitCalendar(
    @Ctx() context: RequestContext,
    @Args(() => RangeArguments) asked: RangeArguments,
  ): Promise<readonly ProfitDay[]> {
    return calendarOf(context, readable(context), asked);
  }
}

const readable = ({ exchange, principal: { rights } }: RequestContext): readonly ExchangeAccount[] =>
  exchange.accounts.filter(({ name }) => rights.on("read:account", name));

interface Range {
  readonly from: number;
  readonly to?: number | null | undefined;
}

/** The recorded curves. Throws `UNAVAILABLE` if nothing is recorded. */
export const curvesOf = ({ history }: RequestContext): Curves => {
  if (history !== undefined) return history;
  throw new Fault("HISTORY_UNAVAILABLE", "this gateway records no history: HISTORY_INTERVAL_MINUTES is 0", { retryable: false });
};

/** The exchange's user of an account; undefined if it is not known: then nothing is recorded. No upstream call. */
export async function userOf({ exchange: { users } }: RequestContext, account: ExchangeAccount): Promise<string | undefined> {
  if (users.cachedUser(account) === undefined) await users.recall(account);
  return users.cachedUser(account);
}

/** Reads the curves of these accounts, once for each user. Throws `BAD_USER_INPUT`. */
async function curves(
  context: RequestContext,
  accounts: readonly ExchangeAccount[],
  { from, to }: Range,
  resolution: EquityInterval,
): Promise<readonly { readonly account: ExchangeAccount; readonly curve: Curve }[]> {
  const history = curvesOf(context);
  const until = to ?? context.reads.now();
  if (until < from) throw badInput([{ argument: "to", rule: "must not be before from" }]);
  const longest = (MAX_POINTS - 1) * history.lengthOf(resolution);
  if (until - from > longest) {
    const days = Math.floor(longest / DAY_MS);
    throw badInput([{ argument: "from", rule: `must be at most ${days} days before to, or the interval longer` }]);
  }
  context.reads.trace.markFleeting();
  // Without an end the unfinished interval is the last one.
  const end = to === null || to === undefined ? until + history.lengthOf(resolution) : to;
  const users = new Map<string, ExchangeAccount>();
  for (const account of accounts) {
    const user = await userOf(context, account);
    if (user !== undefined && !users.has(user)) users.set(user, account);
  }
  return Promise.all(
    [...users].map(async ([user, account]) => ({
      account,
      curve: await history.read(user, { from, to: end, resolution }, true),
    })),
  );
}

async function equityOf(
  context: RequestContext,
  accounts: readonly ExchangeAccount[],
  asked: EquityArguments,
): Promise<EquityHistory> {
  const found = await curves(context, accounts, asked, asked.interval);
  const { points, gaps, known } = together(found.map(({ curve }) => curve));
  return {
    interval: asked.interval,
    points: points.map(pointOf),
    gaps: gaps.map(gapOf),
    changesStartTime: known?.from ?? null,
    changesEndTime: known?.until ?? null,
  };
}

/** A recorded point as the graph shows it. */
export const pointOf = ({ at, time, comparedAt, count, coins, change, ...point }: CurvePoint): EquityPoint => ({
  ...point,
  time: at,
  sampledTime: time,
  comparedTime: comparedAt,
  samples: count,
  coins: coins.map((coin) => ({ ...coin, equity: netOf(coin) })),
  change: change === undefined ? null : shownChange(change),
});

/** A gap as the graph shows it. */
export const gapOf = ({ from, to, reason }: GapRange) => ({ startTime: from, endTime: to, reason });

const shownChange = (change: Change) => ({ ...change, flows: flowOf(change) });

const shown = (figure: Figure): PerformanceFigure =>
  isKnown(figure) ? { value: figure, reason: null } : { value: null, reason: figure.unknown };

/** The longest ranges that are computed from samples and from hours, ms. */
const [SAMPLES_MS, HOURS_MS] = [2 * DAY_MS, 120 * DAY_MS];

async function performanceOf(
  context: RequestContext,
  accounts: readonly ExchangeAccount[],
  { by, ...range }: PerformanceArguments,
): Promise<readonly Performance[]> {
  const length = (range.to ?? context.reads.now()) - range.from;
  const resolution = length <= SAMPLES_MS ? "MINUTE" : length <= HOURS_MS ? "HOUR" : "DAY";
  const found = await curves(context, accounts, range, resolution);
  const [only] = found;
  const all = together(found.map(({ curve }) => curve)).points;
  const common = found.length === 1 && only !== undefined ? only.account : null;
  switch (by) {
    case "ACCOUNT": {
      const own = found.flatMap(({ account, curve }) => row(curve.points, account));
      return found.length > 1 ? [...own, ...row(all, null)] : own;
    }
    case "MONTH":
      return byMonth(all).flatMap((points) => row(points, common));
    case "CATEGORY":
    case "SYMBOL":
      return byProduct(all, by === "SYMBOL", common);
  }
}

function row(points: readonly CurvePoint[], account: ExchangeAccount | null): readonly Performance[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return [];
  const change = changeOver(points);
  const { longestDrawdownMs, ...returns } = returnsOf(points);
  return [
    {
      account,
      category: null,
      symbol: null,
      startTime: first.at,
      endTime: last.at,
      equityAtStart: first.equity,
      equityAtEnd: last.equity,
      change: change === undefined ? null : shownChange(change),
      ...figuresOf(returns),
      longestDrawdownSeconds: longestDrawdownMs === undefined ? null : Math.round(longestDrawdownMs / 1_000),
      ...tradingRow(points),
    },
  ];
}

type Returns = Omit<ReturnType<typeof returnsOf>, "longestDrawdownMs">;

const figuresOf = (returns: Returns) => ({
  timeWeightedReturn: shown(returns.timeWeightedReturn),
  moneyWeightedReturn: shown(returns.moneyWeightedReturn),
  maxDrawdown: shown(returns.maxDrawdown),
  volatility: shown(returns.volatility),
  sharpe: shown(returns.sharpe),
  sortino: shown(returns.sortino),
  calmar: shown(returns.calmar),
});

function tradingRow(points: readonly Pick<CurvePoint, "records">[]) {
  const { winRate, profitFactor, expectancy, ...trading } = tradingOf(points.flatMap(({ records }) => records));
  return { ...trading, winRate: shown(winRate), profitFactor: shown(profitFactor), expectancy: shown(expectancy) };
}

/** The points of each month, with the last one of the month before in front. */
function byMonth(points: readonly CurvePoint[]): readonly (readonly CurvePoint[])[] {
  const months = new Map<string, CurvePoint[]>();
  for (const [at, point] of points.entries()) {
    // A point is the end of its interval: that of midnight belongs to the day before.
    const month = new Date(point.at - 1).toISOString().slice(0, 7);
    const before = points[at - 1];
    const own = months.get(month) ?? (before === undefined ? [] : [before]);
    months.set(month, [...own, point]);
  }
  return [...months.values()];
}

const BY_PRODUCT = shown({ unknown: "NOT_BY_PRODUCT" });

function byProduct(points: readonly CurvePoint[], bySymbol: boolean, account: ExchangeAccount | null): readonly Performance[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return [];
  const groups = new Map<
    string,
    { readonly category: string; readonly symbol: string | null; readonly records: CurvePoint["records"][number][] }
  >();
  for (const record of points.flatMap(({ records }) => records)) {
    const symbol = bySymbol ? record.symbol : null;
    const key = `${record.category} ${symbol ?? ""}`;
    const group = groups.get(key) ?? { category: record.category.replaceAll("-", "_"), symbol, records: [] };
    groups.set(key, group);
    group.records.push(record);
  }
  const nothing = { equityAtStart: null, equityAtEnd: null, change: null, longestDrawdownSeconds: null };
  const returns = {
    timeWeightedReturn: BY_PRODUCT,
    moneyWeightedReturn: BY_PRODUCT,
    maxDrawdown: BY_PRODUCT,
    volatility: BY_PRODUCT,
    sharpe: BY_PRODUCT,
    sortino: BY_PRODUCT,
    calmar: BY_PRODUCT,
  };
  return [...groups.values()].map(({ category, symbol, records }) => ({
    account,
    category,
    symbol,
    startTime: first.at,
    endTime: last.at,
    ...nothing,
    ...returns,
    ...tradingRow([{ records }]),
  }));
}

async function calendarOf(
  context: RequestContext,
  accounts: readonly ExchangeAccount[],
  asked: RangeArguments,
): Promise<readonly ProfitDay[]> {
  const found = await curves(context, accounts, asked, "DAY");
  const { points } = together(found.map(({ curve }) => curve));
  return points.map((point, at): ProfitDay => {
    const before = points[at - 1];
    const { change, equity } = point;
    const profit = change === undefined ? null : plain(exact(change.total).minus(flowOf(change)));
    const { timeWeightedReturn } = returnsOf(before === undefined ? [point] : [before, point]);
    return {
      startTime: point.at - DAY_MS,
      profit,
      flows: change === undefined ? null : flowOf(change),
      dailyReturn: shown(timeWeightedReturn),
      equity,
    };
  });
}

/** Follows the curve of an account, for a subscription. */
export function followEquity(context: RequestContext, account: ExchangeAccount, listener: Listener<NextPoint>): Unlisten {
  const history = curvesOf(context);
  const { clock } = context.exchange;
  const failed = (error: unknown): void =>
    listener.failed(new Fault("HISTORY_UNAVAILABLE", "the history cannot be read now", {}, { cause: error }));
  let [leave, isOver]: [Unlisten, boolean] = [() => undefined, false];
  userOf(context, account).then((user) => {
    if (isOver) return;
    if (user === undefined) {
      listener.failed(new Fault("HISTORY_UNAVAILABLE", `nothing is recorded of ${account.name} yet`));
      return;
    }
    const next = (value: NextPoint): void => listener.next({ kind: "update", time: clock.now(), stale: false, value });
    leave = history.follow(user, { next, failed });
  }, failed);
  return () => {
    isOver = true;
    leave();
  };
}
