import { type Clock, DAY_MS, HOUR_MS, SECOND_MS } from "@exchange-graph/contract/clock";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import type { ExchangeAccount } from "../calls/index.js";
import { ifFault, inTime } from "../errors/index.js";
import type { Users } from "../reads/index.js";
import type { Streams, Unlisten } from "../streams/index.js";
import type { Backfill, BackfillSettings } from "./backfill/backfill.js";
import type { BalanceRecords } from "./balanceRecords.js";
import type { HistoryStore, Resolution, StoredPoint } from "./historyStore.js";
import { type CurveGap, endOf, type GapReason, isGap, LENGTH_MS, type Point, pointIn, rolledUp, stored } from "./point.js";
import type { DailyReconciler } from "./reconciliation/dailyReconciler.js";
import { sampleOf } from "./sample.js";
import { SpotPrices } from "./spotPrices.js";

/** What an operator sets. */
export interface RecorderSettings extends BackfillSettings {
  /** Interval of samples, ms: whole minutes. */
  readonly intervalMs: number;
}

interface RecorderParts {
  readonly exchange: {
    readonly accounts: readonly ExchangeAccount[];
    readonly users: Pick<Users, "of" | "cachedUser">;
    readonly clock: { now(): number };
  };
  readonly streams: Pick<Streams, "worths" | "market">;
  readonly store: HistoryStore;
  readonly ledger: Pick<BalanceRecords, "read" | "readApart" | "unchanged">;
  readonly backfill: Pick<Backfill, "run">;
  readonly reconciler: Pick<DailyReconciler, "turn">;
  readonly clock: Clock;
  readonly instrumentation: Instrumentation;
  /** Distinguishes this process from the others that share the store. */
  readonly holder: string;
  readonly settings: RecorderSettings;
}

/** The first minute after a start belongs to requests. */
const START_AFTER_MS = 30 * SECOND_MS;
/** What is not proven at the end of an interval is tried again for half the next one. */
const RETRY_MS = SECOND_MS;
/** Samples wait this long for the user of an account that is not known yet. It is recorded once it is known. */
const IDENTIFIED_WITHIN_MS = 2 * SECOND_MS;
/** Number of accounts whose daily work begins at the same time. */
const DAILY_AT_ONCE = 4;
/** Maximum number of recorded users: each takes a connection to the exchange. */
const MAX_USERS = 100;
/** Samples of single minutes are kept for this long, unless the retention is shorter. */
const MINUTES_KEPT_MS = 31 * DAY_MS;
const PRUNE_MS = HOUR_MS;

interface Followed {
  readonly account: ExchangeAccount;
  readonly leave: Unlisten;
  readonly prices: SpotPrices;
  /** The unfinished hour and day; undefined before they were read from the store. */
  readonly open: Map<Resolution, Point | undefined>;
  /** The balances whose changes have been read. */
  explained: string;
  /** When the changes of purses that the equity does not contain are read next, Unix ms. */
  apartAt: number;
  /** Whether its past is rebuilt as far as it can be. */
  isRebuilt: boolean;
}

const ROLLED_UP: readonly Resolution[] = ["HOUR", "DAY"];

/**
 * Records what each account is worth at the end of every interval, from proven live state. It keeps the accounts' streams open, and
 * otherwise only reads why a balance has changed. An account with several names is recorded once, by the exchange's user. An
 * interval without proven state is stored as a gap with its reason. Of several processes that share the store one records.
 */
export class Recorder {
  readonly #followed = new Map<string, Followed>();
  #cancel: (() => void) | undefined;
  #turn: Promise<void> = Promise.resolve();
  #prunedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #isRebuilding = false;
  /** Users whose changes of balances are being read. */
  readonly #reading = new Set<string>();
  /** Users whose daily work is under way. */
  readonly #daily = new Set<string>();

  constructor(private readonly parts: RecorderParts) {}

  /** Whether this process records, of those that share the store. */
  get isRecording(): boolean {
    return this.#followed.size > 0;
  }

  start(): void {
    this.#cancel = this.parts.clock.after(START_AFTER_MS, () => this.#book());
  }

  /** Stops, and lets another process record at once. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#turn;
    for (const user of [...this.#followed.keys()]) this.#leave(user);
    await this.parts.store.release(this.parts.holder).catch((error: unknown) => this.#failed(error));
  }

  /** Books the end of the current interval. */
  #book(): void {
    if (this.#isClosed) return;
    const { clock, exchange, settings, instrumentation } = this.parts;
    const now = exchange.clock.now();
    const at = endOf(now + 1, settings.intervalMs);
    this.#cancel = clock.after(at - now, () => {
      this.#turn = this.#record(at)
        .catch((error: unknown) => {
          instrumentation.history.publish({ kind: "recorded", points: 0, gaps: this.#followed.size });
          this.#failed(error);
        })
        .finally(() => this.#book());
    });
  }

  async #record(at: number): Promise<void> {
    const { store, holder, settings, instrumentation } = this.parts;
    // A process that has ended is replaced within the second interval after its last one.
    if (!(await store.hold(holder, settings.intervalMs * 1.5))) {
      for (const user of [...this.#followed.keys()]) this.#leave(user);
      // Gaps are the other process's now.
      instrumentation.history.publish({ kind: "recorded", points: 0, gaps: 0 });
      return;
    }
    await this.#follow();
    const points = await this.#samples(at);
    const gaps = [...points.values()].filter(isGap).length;
    instrumentation.history.publish({ kind: "recorded", points: points.size - gaps, gaps });
    await this.#explain(points);
    if (!this.#isRebuilding) void this.#rebuild();
    await this.#prune(at);
    this.#startDaily(at);
  }

  /** Starts what each account needs once a day. Recording does not wait for that, nor do accounts for one that is slow or fails. */
  #startDaily(at: number): void {
    const left = [...this.#followed];
    const work = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined && !this.#isClosed; next = left.shift()) {
        const [user, followed] = next;
        if (this.#daily.has(user)) continue;
        this.#daily.add(user);
        await this.#workDaily(user, followed, at).catch((error: unknown) => this.#failed(error));
        this.#daily.delete(user);
      }
    };
    for (let count = 0; count < DAILY_AT_ONCE; count++) void work();
  }

  async #workDaily(user: string, followed: Followed, at: number): Promise<void> {
    const { ledger, reconciler } = this.parts;
    await reconciler.turn(user, followed.account).catch((error: unknown) => this.#failed(error));
    if (at < followed.apartAt || this.#isClosed) return;
    // A key without the permission is not tried again every minute.
    followed.apartAt = at + DAY_MS;
    await ledger.readApart(user, followed.account);
  }

  /** Starts reading the changes of balances of accounts whose balances have changed. Recording does not wait for it. */
  async #explain(points: ReadonlyMap<string, Point | CurveGap>): Promise<void> {
    const { ledger } = this.parts;
    for (const [user, point] of points) {
      const followed = this.#followed.get(user);
      if (isGap(point) || followed === undefined) continue;
      const balances = point.coins.map(({ pool, coin, balance, debt }) => `${pool} ${coin} ${balance} ${debt}`).join();
      if (followed.explained === balances) await ledger.unchanged(user, point.time);
      else if (!this.#reading.has(user)) {
        this.#reading.add(user);
        ledger
          .read(user, followed.account)
          .then(() => {
            followed.explained = balances;
          })
          .catch((error: unknown) => this.#failed(error))
          .finally(() => this.#reading.delete(user));
      }
    }
  }

  /** Rebuilds what accounts were worth before their first sample, one after the other. Recording does not wait for that. */
  async #rebuild(): Promise<void> {
    this.#isRebuilding = true;
    for (const [user, followed] of this.#followed) {
      if (followed.isRebuilt) continue;
      const isWanted = () => !this.#isClosed && this.#followed.get(user) === followed;
      try {
        followed.isRebuilt = await this.parts.backfill.run(user, followed.account, isWanted);
      } catch (error) {
        this.#failed(error);
      }
    }
    this.#isRebuilding = false;
  }

  /** Follows the present accounts, one of each user. */
  async #follow(): Promise<void> {
    const { exchange, streams, clock } = this.parts;
    const present = new Map<string, ExchangeAccount>();
    // An account whose user cannot be read now is recorded later.
    const users = Promise.all(exchange.accounts.map((account) => exchange.users.of(account).catch(ifFault)));
    await inTime(clock, users, IDENTIFIED_WITHIN_MS);
    for (const account of exchange.accounts) {
      const user = exchange.users.cachedUser(account);
      if (user !== undefined && !present.has(user) && present.size < MAX_USERS) present.set(user, account);
    }
    for (const [user, { account }] of this.#followed) if (present.get(user) !== account) this.#leave(user);
    for (const [user, account] of present) {
      if (this.#followed.has(user)) continue;
      const leave = streams.worths.keep(account, () => this.#leave(user));
      const prices = new SpotPrices(streams.market, () => exchange.clock.now());
      this.#followed.set(user, { account, leave, prices, open: new Map(), explained: "", apartAt: 0, isRebuilt: false });
    }
  }

  #leave(user: string): void {
    const followed = this.#followed.get(user);
    this.#followed.delete(user);
    followed?.leave();
    followed?.prices.close();
  }

  /** Stores a sample or a gap of every followed user: each sample at once, though that of another user is not proven yet. */
  async #samples(at: number): Promise<ReadonlyMap<string, Point | CurveGap>> {
    const { exchange, clock, settings } = this.parts;
    const points = new Map<string, Point | CurveGap>();
    const missing = new Set(this.#followed.keys());
    for (;;) {
      const taken = [...missing].map((user) => [user, this.#sample(user, at)] as const);
      for (const [user, point] of taken) {
        points.set(user, point);
        if (!isGap(point)) missing.delete(user);
      }
      const isOver = missing.size === 0 || this.#isClosed || exchange.clock.now() >= at + settings.intervalMs / 2;
      await this.#store(isOver ? taken : taken.filter(([, point]) => !isGap(point)));
      if (isOver) return points;
      await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve));
    }
  }

  async #store(points: readonly (readonly [user: string, point: Point | CurveGap])[]): Promise<void> {
    const rows: StoredPoint[] = [];
    for (const [user, point] of points) rows.push(stored(user, "MINUTE", point), ...(await this.#rolledUp(user, point)));
    if (rows.length > 0) await this.parts.store.write({ points: rows });
  }

  #sample(user: string, at: number): Point | CurveGap {
    const gap = (reason: GapReason): CurveGap => ({ at, gap: reason });
    const followed = this.#followed.get(user);
    if (followed === undefined) return gap("INTERRUPTED");
    const worth = this.parts.streams.worths.of(followed.account);
    if (typeof worth === "string") return gap(worth);
    followed.prices.want(new Set(worth.holdings.spot.map(({ coin }) => coin)));
    const sample = sampleOf(worth, (coin) => followed.prices.of(coin));
    if (sample === undefined) return gap("NO_PRICE");
    return { ...sample, at, low: sample.equity, high: sample.equity, count: 1 };
  }

  /** The hour and the day that contain the point. */
  async #rolledUp(user: string, point: Point | CurveGap): Promise<readonly StoredPoint[]> {
    const followed = this.#followed.get(user);
    if (isGap(point) || followed === undefined) return [];
    const rows: StoredPoint[] = [];
    for (const resolution of ROLLED_UP) {
      const end = endOf(point.at, LENGTH_MS[resolution]);
      const open = followed.open.has(resolution) ? followed.open.get(resolution) : await this.#last(user, resolution, end);
      const next = rolledUp(end, open?.at === end ? open : undefined, point);
      followed.open.set(resolution, next);
      rows.push(stored(user, resolution, next));
    }
    return rows;
  }

  async #last(user: string, resolution: Resolution, to: number): Promise<Point | undefined> {
    const row = await this.parts.store.lastPoint(user, resolution, to);
    const point = row && pointIn(row);
    return point === undefined || isGap(point) ? undefined : point;
  }

  async #prune(at: number): Promise<void> {
    if (at - this.#prunedAt < PRUNE_MS) return;
    this.#prunedAt = at;
    const { retentionMs } = this.parts.settings;
    const before = at - retentionMs;
    await this.parts.store.prune({
      MINUTE: at - Math.min(MINUTES_KEPT_MS, retentionMs),
      HOUR: before,
      DAY: before,
      RECONCILED: before,
      RECORD: before,
    });
  }

  #failed(error: unknown): void {
    if (this.#isClosed) return;
    this.parts.instrumentation.history.publish({ kind: "failed", error });
  }
}
