import { DAY_MS, HOUR_MS } from "@exchange-graph/contract/clock";
import { type DecimalText, isZero } from "@exchange-graph/contract/decimal";
import { isRead } from "@exchange-graph/contract/rows";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import type { Instrumentation } from "../../../instrumentation/instrumentation.js";
import type { ExchangeAccount } from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import { type Reads, readCandles } from "../../reads/index.js";
import type { BalanceRecords } from "../balanceRecords.js";
import type { HistoryStore, StoredPoint } from "../historyStore.js";
import { type CurveGap, endOf, isGap, type Point, rolledUp, stored } from "../point.js";
import { firstSamplesOf, holdingsAt, hourBefore, startOf } from "./firstSamples.js";
import { marginCoinOf, Past, type PastPrices, reconstructed } from "./pastHoldings.js";
import { IncompleteExecution, readPastTrades } from "./pastTrades.js";
import { type Holdings, notedProgress, type Progress, progressOf, shareOf } from "./progress.js";

/** Prices of one market at the ends of hours; null if the exchange has no such market. */
type Closes = ReadonlyMap<number, DecimalText> | null;

const keyOf = (category: string, symbol: string): string => `${category} ${symbol}`;

/** A range of ends of hours, Unix ms, both included. */
interface Hours {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads the prices that these holdings need, one market after the other: closing prices of hourly candles, of marks for contracts, and of
 * trades with USDT for coins, as for recorded samples. Rejects with `Fault`.
 */
async function readPastPrices(
  newReads: () => Reads,
  holdings: readonly Holdings[],
  hours: Hours,
): Promise<(at: number) => PastPrices> {
  const markets = new Map<string, { readonly category: ProductCategory; readonly symbol: string }>();
  const add = (category: ProductCategory, symbol: string) => markets.set(keyOf(category, symbol), { category, symbol });
  const addCoin = (coin: string) => coin !== "USDT" && add("SPOT", `${coin}USDT`);
  for (const { purses, exposures } of holdings) {
    for (const { coin } of purses) addCoin(coin);
    for (const contract of exposures) {
      add(contract.category, contract.symbol);
      addCoin(marginCoinOf(contract));
    }
  }
  const closes = new Map<string, Closes>();
  for (const [key, { category, symbol }] of markets) closes.set(key, await readCloses(newReads(), category, symbol, hours));
  return (at) => ({
    coin: (coin) => {
      const found = closes.get(keyOf("SPOT", `${coin}USDT`));
      return coin === "USDT" ? "1" : found === null ? null : found?.get(at);
    },
    mark: (category, symbol) => closes.get(keyOf(category, symbol))?.get(at),
  });
}

async function readCloses(reads: Reads, category: ProductCategory, symbol: string, { first, last }: Hours): Promise<Closes> {
  try {
    const found = await readCandles(reads, {
      ...{ category, symbol, interval: "1H", price: category === "SPOT" ? "market" : "mark" },
      // A candle is known by its start.
      ...{ from: first - HOUR_MS, to: last - HOUR_MS, first: (last - first) / HOUR_MS + 1 },
    });
    const closes = found.flatMap((candle) =>
      !isRead(candle) || candle.close === null || isZero(candle.close)
        ? []
        : [[candle.startTime + HOUR_MS, candle.close] as const],
    );
    return new Map(closes);
  } catch (error) {
    // A market that the exchange does not have, or not any more.
    if (error instanceof Fault && error.code === "EXCHANGE_REJECTED") return null;
    throw error;
  }
}

/** How far back an operator wants the past of an account kept and rebuilt. */
export interface BackfillSettings {
  /** Time before the first recorded sample, ms; 0 rebuilds nothing. The exchange keeps less than 90 days. */
  readonly backfillMs: number;
  /** Time for which hours, days and records are kept, ms. */
  readonly retentionMs: number;
}

interface BackfillParts {
  readonly store: HistoryStore;
  readonly ledger: Pick<BalanceRecords, "coverage" | "changes">;
  /** Reads in the background, which give way to all others. */
  readonly newReads: () => Reads;
  /** The exchange's time, Unix ms. */
  readonly now: () => number;
  readonly instrumentation: Instrumentation;
  readonly settings: BackfillSettings;
}

/** Time that is rebuilt and stored at once: whole days, so that a point of a day is written with all its hours. */
const STRETCH_MS = 2 * DAY_MS;
/** Attempts to find a moment without trades before the exchange's times decide which executions a position contains. */
const MAX_ATTEMPTS = 5;

/**
 * Rebuilds what accounts were worth before they were recorded, hour by hour backwards from the first sample: balances from the changes
 * that the ledger has stored, positions from executions, prices from candles. One account after the other, one call after the other.
 */
export class Backfill {
  /** Attempts to begin, by user: those that wait for a moment without trades. */
  readonly #attempts = new Map<string, number>();

  constructor(private readonly parts: BackfillParts) {}

  /**
   * Rebuilds the past of an account until it is complete, or `isWanted` returns false. Resolves to whether nothing is left to do;
   * at once to false while it cannot begin. After an interruption it continues where it was. Rejects with `Fault`.
   */
  async run(user: string, account: ExchangeAccount, isWanted: () => boolean): Promise<boolean> {
    if (this.parts.settings.backfillMs === 0) return true;
    let progress = await progressOf(this.parts.store, user);
    while ((progress === undefined || progress.status === "RUNNING") && isWanted()) {
      const next = progress === undefined ? await this.#begin(user, account) : await this.#further(user, account, progress);
      // Another process may continue it by now.
      if (next === undefined || !isWanted()) return false;
      await this.parts.store.write({ points: next.points, notes: [notedProgress(user, next.progress)] });
      this.#publish(account, progress, next);
      progress = next.progress;
    }
    return progress !== undefined && progress.status !== "RUNNING";
  }

  /**
   * The first progress; undefined while the changes of balances around the first samples are not stored, or it is not certain what
   * the account held. If that stays uncertain, the past ends here.
   */
  async #begin(user: string, account: ExchangeAccount): Promise<StoredStep | undefined> {
    const { store, ledger, newReads, now, settings } = this.parts;
    const beginning = await firstSamplesOf(store, user);
    const coverage = await ledger.coverage(user);
    if (beginning === undefined || coverage === undefined || coverage.until < beginning.second.time) return undefined;
    const attempts = (this.#attempts.get(user) ?? 0) + 1;
    this.#attempts.set(user, attempts);
    const isForced = attempts >= MAX_ATTEMPTS;
    const wanted = Math.max(beginning.first.at - settings.backfillMs, now() - settings.retentionMs);
    const range = {
      ...{ mode: beginning.first.mode, until: beginning.first.at, reached: startOf(beginning) },
      // An hour that ends here needs changes and prices from here on.
      from: endOf(Math.max(coverage.from, wanted), HOUR_MS),
      isKeptFrom: coverage.from >= wanted,
    };
    try {
      const held = await holdingsAt(beginning, { user, account, ledger, newReads, isForced });
      if (held === undefined) return undefined;
      this.#attempts.delete(user);
      return { points: [], progress: { ...range, ...held, status: "RUNNING" } };
    } catch (error) {
      if (!(error instanceof IncompleteExecution)) throw error;
      return isForced ? stoppedAt(user, { ...range, purses: [], exposures: [], status: "STOPPED" }) : undefined;
    }
  }

  /** The next stretch back in time, as it is stored. The past ends at an execution whose effect is not certain. */
  async #further(user: string, account: ExchangeAccount, progress: Progress): Promise<StoredStep> {
    const { reached, from } = progress;
    const last = hourBefore(reached);
    const dayBefore = Math.floor((last - 1) / DAY_MS) * DAY_MS;
    const hours = { first: Math.max(from, dayBefore + DAY_MS - STRETCH_MS + HOUR_MS), last };
    if (hours.first > last) return { points: [], progress: { ...progress, status: "COMPLETE" } };
    try {
      return await this.#rebuilt(user, account, progress, hours);
    } catch (error) {
      if (!(error instanceof IncompleteExecution)) throw error;
      return stoppedAt(user, { ...progress, status: "STOPPED" });
    }
  }

  async #rebuilt(user: string, account: ExchangeAccount, progress: Progress, hours: Hours): Promise<StoredStep> {
    const { store, ledger, newReads } = this.parts;
    const { reached, mode, from, isKeptFrom } = progress;
    const intervalOf = (time: number) => endOf(time, HOUR_MS);
    const trades = await readPastTrades(newReads, account, { after: hours.first, to: reached, intervalOf });
    const past = new Past(progress);
    const held = new Map<number, Holdings>();
    for (let at = hours.last; at >= hours.first; at -= HOUR_MS) {
      const changes = await ledger.changes(user, at, Math.min(at + HOUR_MS, reached));
      if (changes === undefined) throw new IncompleteExecution("an hour has too many changes of balances");
      for (const change of changes.toReversed()) past.undo(change);
      for (const one of trades.byInterval.get(at + HOUR_MS) ?? []) past.undoTrades(one);
      held.set(at, past.holdings);
    }
    const prices = await readPastPrices(newReads, [...held.values()], hours);
    const points = [...held].map(([at, one]) => reconstructed(at, mode, one, prices(at)));
    // An account that held nothing before did not exist, or was empty.
    const isStart = past.isEmpty && (await store.records(user, { after: 0, to: hours.first, limit: 1 })).length === 0;
    if (isStart) while (isNothing(points.at(-1))) points.pop();
    const isComplete = isStart || hours.first <= from;
    const ends = isComplete && !isStart && isKeptFrom ? gapsAt(user, from - HOUR_MS, "NOT_KEPT", progress) : [];
    return {
      points: [...ends, ...rowsOf(user, points, progress)],
      progress: { ...progress, ...past.holdings, reached: hours.first, status: isComplete ? "COMPLETE" : "RUNNING" },
    };
  }

  #publish(account: ExchangeAccount, before: Progress | undefined, { points, progress }: StoredStep): void {
    const { status } = progress;
    const shares = { before: before === undefined ? "0" : shareOf(before), share: shareOf(progress) };
    this.parts.instrumentation.history.publish({
      kind: "rebuilt",
      account: account.name,
      points: points.length,
      status,
      ...shares,
    });
  }
}

interface StoredStep {
  readonly points: readonly StoredPoint[];
  readonly progress: Progress;
}

const isNothing = (point: Point | CurveGap | undefined): boolean =>
  point !== undefined && !isGap(point) && point.coins.length === 0;

/** The day of the first recorded sample is the recorder's. */
const isOwnDay = (end: number, { until }: Progress): boolean => end < endOf(until, DAY_MS);

/** Points of hours, the latest first, and of their days. */
function rowsOf(user: string, points: readonly (Point | CurveGap)[], progress: Progress): readonly StoredPoint[] {
  const days = new Map<number, Point | CurveGap>();
  for (const point of points) {
    const end = endOf(point.at, DAY_MS);
    const later = days.get(end);
    if (later === undefined || isGap(later)) days.set(end, { ...point, at: end });
    else if (!isGap(point)) days.set(end, rolledUp(end, point, later));
  }
  return [
    ...points.map((point) => stored(user, "HOUR", point)),
    ...[...days.values()].filter(({ at }) => isOwnDay(at, progress)).map((day) => stored(user, "DAY", day)),
  ];
}

/** The past ends with a gap before what is rebuilt. */
const stoppedAt = (user: string, progress: Progress): StoredStep => ({
  points: gapsAt(user, hourBefore(progress.reached), "NOT_COMPUTABLE", progress),
  progress,
});

/** The hour and the day before which nothing is known. */
function gapsAt(user: string, at: number, gap: CurveGap["gap"], progress: Progress): readonly StoredPoint[] {
  const day = endOf(at + HOUR_MS, DAY_MS) - DAY_MS;
  return [stored(user, "HOUR", { at, gap }), ...(isOwnDay(day, progress) ? [stored(user, "DAY", { at: day, gap })] : [])];
}
