import { plain } from "@exchange-graph/contract/decimal";
import type { BalanceRecords } from "../balanceRecords.js";
import { AROUND_MS, explained } from "../change.js";
import type { HistoryStore } from "../historyStore.js";
import { isRecorded, type Point, pointIn } from "../point.js";
import { type DaySpan, differing, type Findings, NOTHING_CHECKED } from "./day.js";

const MAX_MINUTES = 1_500;

/**
 * Compares how balances have changed between the last samples of two days with the exchange's records of their changes. Days without
 * a sample between them are compared together: each change is compared once.
 */
export async function checkBalances(
  store: Pick<HistoryStore, "lastPoint" | "points">,
  ledger: Pick<BalanceRecords, "coverage" | "changes">,
  user: string,
  { from, to }: DaySpan,
): Promise<Findings> {
  const start = (await sample(store, user, from)) ?? (await firstSample(store, user, from, to));
  const end = await sample(store, user, to);
  if (start === undefined || end === undefined || end.time <= start.time) return { ...NOTHING_CHECKED, reason: "NOT_RECORDED" };
  if (start.mode !== end.mode) return { ...NOTHING_CHECKED, reason: "MODE_CHANGED" };
  const coverage = await ledger.coverage(user);
  if (coverage === undefined || coverage.from > start.time || coverage.until < end.time)
    return { ...NOTHING_CHECKED, reason: "TOO_OLD" };
  const changes = await ledger.changes(user, start.time - AROUND_MS, end.time + AROUND_MS);
  if (changes === undefined) return { ...NOTHING_CHECKED, reason: "TOO_MANY" };
  const [between] = explained([start, end], changes);
  const unexplained = between?.unexplained ?? [];
  return {
    checked: new Set([...start.coins, ...end.coins].map(({ pool, coin }) => `${pool} ${coin}`)).size,
    reason: null,
    differences: unexplained.map(({ pool, coin, recorded, changed }) =>
      differing("BALANCE_UNEXPLAINED", { pool, coin, expected: plain(recorded), found: plain(changed) }),
    ),
  };
}

/** The last sample up to a time, from the points of hours. */
async function sample(store: Pick<HistoryStore, "lastPoint">, user: string, to: number): Promise<Point | undefined> {
  const row = await store.lastPoint(user, "HOUR", to);
  const point = row && pointIn(row);
  return point !== undefined && isRecorded(point) ? point : undefined;
}

/** The first sample of a day: a day has fewer minutes than are read. */
async function firstSample(store: Pick<HistoryStore, "points">, user: string, from: number, to: number) {
  const rows = await store.points(user, "MINUTE", { after: from - 1, to, limit: MAX_MINUTES });
  return rows.map(pointIn).find(isRecorded);
}
