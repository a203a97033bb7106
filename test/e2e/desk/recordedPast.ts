import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { exact, plain, truncated } from "@exchange-graph/contract/decimal";
import { CLASSIC_UID, MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import type { MoneyChange } from "../../../src/datasources/history/change.js";
import type { Resolution } from "../../../src/datasources/history/historyStore.js";
import { type CurveGap, endOf, LENGTH_MS, type Point, rolledUp, stored } from "../../../src/datasources/history/point.js";
import type { HeldCoin } from "../../../src/datasources/history/sample.js";
import { SqliteStore } from "../../../src/datasources/history/sqlite/sqliteStore.js";
import { seeded } from "../../support/seeded.js";

/** What is written for an account: its coins by their pools, and its equity at the end. */
interface Past {
  readonly user: string;
  readonly mode: "UNIFIED" | "CLASSIC";
  readonly pools: { readonly coins: HeldCoin["pool"]; readonly cash: HeldCoin["pool"] };
  readonly btc: string;
  readonly endsAt: string;
}

const PASTS: readonly Past[] = [
  { user: MAIN_UID, mode: "UNIFIED", pools: { coins: "UNIFIED", cash: "UNIFIED" }, btc: "1.5", endsAt: "319485.04" },
  { user: CLASSIC_UID, mode: "CLASSIC", pools: { coins: "SPOT", cash: "USDT-FUTURES" }, btc: "0.9", endsAt: "256090.42" },
];

/** How far back it goes. The older part is reconstructed. */
const [DAYS, RECORDED_DAYS, MINUTE_HOURS] = [60, 20, 26];
/** Intervals from now that nobody recorded. */
const ABSENCE = { from: 12 * DAY_MS, to: 10.5 * DAY_MS };
const SYMBOLS = ["BTCUSDT", "ETHUSDT", "SOLUSDT"] as const;

/**
 * Writes an account's past into a history: hours of 60 days with trades, fees, funding, a deposit and a withdrawal, a time that was
 * not recorded, an interruption of minutes, and an older part that is reconstructed.
 */
function write(store: SqliteStore, past: Past, now: number): void {
  const { points, changes } = story(past, now, "0");
  const start = exact(past.endsAt).minus(points.at(-1)?.equity ?? "0");
  const told = story(past, now, plain(start)).points;
  const minutesFrom = now - MINUTE_HOURS * HOUR_MS;
  const rows = told.filter(({ at }) => at > minutesFrom).map((point) => stored(past.user, "MINUTE", point));
  for (const resolution of ["HOUR", "DAY"] as const) rows.push(...rolled(past.user, told, resolution));
  const gaps = Array.from(
    { length: 12 },
    (_, at): CurveGap => ({ at: endOf(now, MINUTE_MS) - (40 + at) * MINUTE_MS, gap: "INTERRUPTED" }),
  );
  rows.push(...gaps.map((gap) => stored(past.user, "MINUTE", gap)));
  const records = changes.map((change, at) => ({ user: past.user, at: change.at, id: `${at}`, body: JSON.stringify(change) }));
  const note = { from: now - (DAYS + 1) * DAY_MS, read: now, until: now };
  store.write({ points: rows, records, notes: [{ user: past.user, name: "records", body: JSON.stringify(note) }] });
}

function rolled(user: string, points: readonly Point[], resolution: Resolution) {
  const ends = new Map<number, Point>();
  for (const point of points) {
    const end = endOf(point.at, LENGTH_MS[resolution]);
    ends.set(end, rolledUp(end, ends.get(end), point));
  }
  return [...ends.values()].map((point) => stored(user, resolution, point));
}

function story({ user, mode, pools, btc }: Past, now: number, cash: string) {
  const fractions = (seed: number) => {
    const next = seeded(seed);
    return (): number => next(1_000_000) / 1_000_000;
  };
  const [random, market] = [fractions(Number.parseInt(user.slice(-3), 10)), fractions(11)];
  const points: Point[] = [];
  const changes: MoneyChange[] = [];
  let [balance, price] = [exact(cash), exact("50000")];
  const end = endOf(now, MINUTE_MS) - MINUTE_MS;
  const minutes = endOf(end - MINUTE_HOURS * HOUR_MS, HOUR_MS);
  for (let at = endOf(end - DAYS * DAY_MS, DAY_MS); at <= end; at += at < minutes ? HOUR_MS : MINUTE_MS) {
    const isMinute = at > minutes;
    price = truncated(price.times(exact((1 + (market() - 0.499) * (isMinute ? 0.0012 : 0.009)).toFixed(8))), 2);
    const change = changeAt(at, random, isMinute ? 0.03 : 0.25);
    if (change !== undefined) {
      changes.push({ ...change, pool: pools.cash });
      balance = balance.plus(change.amount).minus(change.fee);
    }
    const ago = end - at;
    const isOut = (ago < ABSENCE.from && ago > ABSENCE.to) || (ago > 39 * MINUTE_MS && ago < 52 * MINUTE_MS);
    if (isOut) continue;
    const held = { balance: "0", unrealisedPnl: "0", debt: "0" };
    const coins: readonly HeldCoin[] = [
      { ...held, pool: pools.coins, coin: "BTC", balance: btc, price: plain(price) },
      { ...held, pool: pools.cash, coin: "USDT", balance: plain(balance), price: "1" },
    ];
    const equity = plain(balance.plus(exact(btc).times(price)));
    const source = ago > RECORDED_DAYS * DAY_MS ? "RECONSTRUCTED" : "STREAM";
    const totals = { equity, unrealisedPnl: "0", debt: "0", marginInUse: "0", low: equity, high: equity, count: 1 };
    points.push({ at, time: at, comparedAt: at, source, mode, coins, ...totals });
  }
  return { points, changes };
}

function changeAt(at: number, random: () => number, likely: number): Omit<MoneyChange, "pool"> | undefined {
  const base = { at: at - 30_000, category: "USDT-FUTURES", coin: "USDT", fee: "0", type: null, symbol: null };
  const hour = Math.floor(at / HOUR_MS);
  if (at % HOUR_MS === 0 && hour % (17 * 24) === 7) return { ...base, kind: "deposit", amount: "25000" };
  if (at % HOUR_MS === 0 && hour % (29 * 24) === 11) return { ...base, kind: "withdrawal", amount: "-18000.5" };
  if (at % HOUR_MS === 0 && hour % 8 === 0)
    return { ...base, kind: "funding", amount: ((random() - 0.6) * 40).toFixed(4), symbol: "BTCUSDT" };
  if (random() > likely) return undefined;
  const symbol = SYMBOLS[Math.floor(random() * SYMBOLS.length)] ?? "BTCUSDT";
  return { ...base, kind: "trade", amount: ((random() - 0.44) * 1_600).toFixed(4), fee: (random() * 12).toFixed(4), symbol };
}

/** A folder with a journal's path beside which the accounts `main` and `classic` have a recorded past; `broker` has none. */
export function recordedPast(now = Date.now()): string {
  const folder = mkdtempSync(join(tmpdir(), "past-"));
  const store = new SqliteStore(join(folder, "history.sqlite"), "live");
  for (const past of PASTS) write(store, past, now);
  store.close();
  return join(folder, "journal.sqlite");
}
