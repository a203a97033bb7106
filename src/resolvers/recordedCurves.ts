import { DAY_MS } from "@exchange-graph/contract/clock";
import {
  type EquityChange as Change,
  type Curve,
  type CurvePoint,
  type Curves,
  flowOf,
  type GapRange,
  MAX_POINTS,
  type NextPoint,
  netOf,
  type Progress,
  shareOf,
} from "../datasources/history/index.js";
import { badInput, type ExchangeAccount, Fault, reversedRange } from "../datasources/index.js";
import type { Listener, Unlisten } from "../datasources/streams/index.js";
import { ProductCategory } from "../schema/enums/category.js";
import { wordOf } from "../schema/enums/exchangeEnum.js";
import type { EquityInterval } from "../schema/enums/history.js";
import type { EquityPoint, HistoryBackfill } from "../schema/history.js";
import type { ReconciledDay } from "../schema/reconciliation.js";
import type { RequestContext } from "./context.js";

/** Reads recorded curves, and converts them to types of the graph. */

/** A range of time, Unix ms; without an end up to now. */
export interface Range {
  readonly from: number;
  readonly to?: number | null | undefined;
}

/** The recorded curves. Throws `HISTORY_UNAVAILABLE` if nothing is recorded. */
const curvesOf = ({ history }: RequestContext): Curves => {
  if (history !== undefined) return history;
  throw new Fault("HISTORY_UNAVAILABLE", "this gateway records no history: HISTORY_INTERVAL_MINUTES is 0", { retryable: false });
};

/** The exchange's user of an account; undefined if it is not known: then nothing is recorded. No upstream call. */
async function userOf({ exchange: { users } }: RequestContext, account: ExchangeAccount): Promise<string | undefined> {
  if (users.cachedUser(account) === undefined) await users.recall(account);
  return users.cachedUser(account);
}

interface AccountCurve {
  readonly user: string;
  readonly account: ExchangeAccount;
  readonly curve: Curve;
}

/** The accounts without a point in these curves. Several accounts of one user have one curve. */
export function missingFrom(
  { exchange: { users } }: RequestContext,
  accounts: readonly ExchangeAccount[],
  found: readonly AccountCurve[],
): ExchangeAccount[] {
  const recorded = new Set(found.flatMap(({ user, curve }) => (curve.points.length > 0 ? [user] : [])));
  return accounts.filter((account) => !recorded.has(users.cachedUser(account) ?? ""));
}

/** Reads the curves of these accounts, once for each user. Throws `BAD_USER_INPUT`. */
export async function readCurves(
  context: RequestContext,
  accounts: readonly ExchangeAccount[],
  { from, to }: Range,
  resolution: EquityInterval,
): Promise<readonly AccountCurve[]> {
  const history = curvesOf(context);
  const until = endOf(context, { from, to }, history.lengthOf(resolution));
  // Without an end the unfinished interval is the last one.
  const end = to === null || to === undefined ? until + history.lengthOf(resolution) : to;
  const users = new Map<string, ExchangeAccount>();
  for (const account of accounts) {
    const user = await userOf(context, account);
    if (user !== undefined && !users.has(user)) users.set(user, account);
  }
  return Promise.all(
    [...users].map(async ([user, account]) => ({
      user,
      account,
      curve: await history.read(user, { from, to: end, resolution }, true),
    })),
  );
}

/** The end of a range of points at this distance, Unix ms. Throws `BAD_USER_INPUT` if it has too many of them. */
function endOf(context: RequestContext, { from, to }: Range, lengthMs: number): number {
  const until = to ?? context.reads.now();
  if (until < from) throw reversedRange(from, to);
  const longest = (MAX_POINTS - 1) * lengthMs;
  if (until - from > longest) {
    const days = Math.floor(longest / DAY_MS);
    throw badInput([{ argument: "from", rule: `must be at most ${days} days before to, or the interval longer` }]);
  }
  context.reads.trace.markFleeting();
  return until;
}

/** The reconciled days of an account. Throws `BAD_USER_INPUT`. */
export async function readReconciliation(
  context: RequestContext,
  account: ExchangeAccount,
  range: Range,
): Promise<readonly ReconciledDay[]> {
  const history = curvesOf(context);
  const until = endOf(context, range, DAY_MS);
  const user = await userOf(context, account);
  const days = user === undefined ? [] : await history.reconciled(user, range.from, until);
  return days.map(({ at, checkedAt, count, differences, ...parts }) => ({
    ...parts,
    startTime: at - DAY_MS,
    endTime: at,
    checkedTime: checkedAt,
    differenceCount: count,
    differences: differences.map(({ category, ...one }) => ({
      ...one,
      category: category === null ? null : wordOf(ProductCategory, category),
    })),
  }));
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

export const gapOf = ({ from, to, reason }: GapRange) => ({ startTime: from, endTime: to, reason });

export const shownChange = (change: Change) => ({ ...change, flows: flowOf(change) });

const WAITING = { status: "WAITING", startTime: null, endTime: null, reachedTime: null, share: "0" } as const;

const shownProgress = (progress: Progress): HistoryBackfill => ({
  ...{ status: progress.status, startTime: progress.from, endTime: progress.until },
  ...{ reachedTime: progress.reached, share: shareOf(progress) },
});

/**
 * Progress of rebuilding the past of an account; null if it is not rebuilt. Throws `HISTORY_UNAVAILABLE` if nothing is recorded.
 */
export async function backfillOf(context: RequestContext, account: ExchangeAccount): Promise<HistoryBackfill | null> {
  const history = curvesOf(context);
  context.reads.trace.markFleeting();
  const user = await userOf(context, account);
  const progress = user === undefined ? null : await history.backfill(user);
  return progress === undefined ? null : progress === null ? WAITING : shownProgress(progress);
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
