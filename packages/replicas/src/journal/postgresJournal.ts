import { type Clock, DAY_MS } from "@exchange-graph/contract/clock";
import { Fault, inTime, standIn } from "../../../../src/datasources/errors/index.js";
import {
  type Claim,
  type DayFigure,
  type DayLimit,
  DayLimitBroken,
  type DayUse,
  isUnsettled,
  JOURNAL_FAILURE,
  type JournalEntry,
  type JournalState,
  journalUnavailable,
  KeyTaken,
  LEASE_MS,
  mayFollow,
  type NewEntry,
  OPEN_KEPT_MS,
  PRUNE_EVERY,
  REMEMBERED_MS,
  sent,
  unsent,
  type WriteJournal,
  type WriteMoment,
  whenEnded,
} from "../../../../src/datasources/writes/index.js";
import { INSTRUMENTATION, type Instrumentation } from "../../../../src/instrumentation/instrumentation.js";
import type { Database } from "../database/database.js";
import { DatabaseUnavailable } from "../database/databaseErrors.js";
import { tooNew, VERSION } from "../database/schema.js";
import type { DatabaseRow, Value } from "../database/transaction.js";
import { Waiters } from "../waiters.js";
import { bookingsOf } from "./bookings.js";
import { Orphans } from "./orphans.js";
import { OwnEntries } from "./ownEntries.js";
import * as sql from "./statements.js";

export interface PostgresJournalOptions {
  readonly database: Database;
  readonly realm: string;
  /** Unique name of this process among those that share the journal. */
  readonly owner: string;
  readonly clock: Clock;
  readonly instrumentation?: Instrumentation | undefined;
  /** Whether this version writes to an endpoint. Orphans of other endpoints are not taken over. Default: all are. */
  readonly writesTo?: ((endpoint: string) => boolean) | undefined;
  /** Called with the version of the halts at each new entry. The returned promise is awaited before anything is sent. */
  readonly onHalts?: ((version: number) => Promise<void>) | undefined;
}

/** A journal that answered this recently counts as writable. */
const FRESH_MS = 1_000;
/** Interval of checks without an announcement, because announcements may be lost. */
const LOOK_MS = 1_000;
/** Maximum time for writing known outcomes when the process ends. */
const CLOSING_MS = 2_000;

/** The journal in PostgreSQL, for replicas on any number of machines. */
export class PostgresJournal implements WriteJournal {
  readonly #own: OwnEntries;
  readonly #instrumentation: Instrumentation;
  /** By the number of an entry that another process settles. */
  readonly #waiters = new Waiters();
  readonly #stopListening: () => void;
  readonly #orphans: Orphans;
  #unavailable: string | undefined;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #records = 0;
  #untilPrune = PRUNE_EVERY;
  #hasClaimed = false;
  #isClosed = false;

  constructor(private readonly options: PostgresJournalOptions) {
    const { database, realm, owner, clock, instrumentation = INSTRUMENTATION, writesTo = () => true } = options;
    this.#instrumentation = instrumentation;
    this.#own = new OwnEntries({ realm, owner, clock, ask: (text, values) => this.#guard(() => database.query(text, values)) });
    this.#orphans = new Orphans({ realm, owner, writesTo, transact: (work) => this.#guard(() => database.transaction(work)) });
    this.#stopListening = database.announcements.on("settled", (seqs) => {
      if (seqs === undefined) this.#waiters.wakeAll();
      else for (const seq of seqs.split(" ")) this.#waiters.wake(seq);
    });
  }

  get state(): JournalState {
    return { unavailable: this.#unavailable, kept: this.#own.kept, syncs: this.#records, hasLost: false };
  }

  async ready(): Promise<void> {
    await this.#look();
  }

  async probe(): Promise<void> {
    const isFresh = this.options.clock.now() < this.#answeredAt + FRESH_MS && this.#unavailable === undefined;
    if (this.#isClosed || !isFresh) await this.#ask(sql.FORMAT, []);
  }

  async record(entry: NewEntry, limits: readonly DayLimit[] = []): Promise<JournalEntry> {
    const { clock, onHalts } = this.options;
    const before = clock.now();
    this.#own.refuse(entry);
    const { seq, halts, broken, used } = await this.#insert(entry, limits);
    const booking = broken === null ? undefined : bookingsOf(entry, limits)[broken - 1];
    if (booking?.limit !== undefined) throw new DayLimitBroken(booking.limit, used ?? "0", booking.adds);
    if (seq === null) throw new KeyTaken(`there is an entry of the key ${entry.key}`);
    const line = sent(entry, seq);
    this.#own.add(seq, 1);
    try {
      await this.#guard(async () => onHalts?.(halts));
      // The process may have been suspended for so long that another one has taken the entry over.
      if (clock.now() - before >= LEASE_MS) throw journalUnavailable("this process was suspended for too long");
    } catch (error) {
      void this.settle(unsent(entry, seq));
      throw error;
    }
    return line;
  }

  async settle(entry: JournalEntry): Promise<void> {
    if (this.#own.end(entry)) await this.#own.write();
  }

  ended({ seq }: JournalEntry, withinMs: number): Promise<JournalEntry | undefined> {
    const { clock } = this.options;
    const read = async () => (await this.#entries(sql.BY_SEQ, [seq]))[0];
    const changed = () => this.#waiters.wait(String(seq), LOOK_MS, clock);
    return whenEnded(clock, withinMs, read, { lookMs: LOOK_MS, changed });
  }

  async userOf(key: string): Promise<string | undefined> {
    return sql.userRows.parse(await this.#ask(sql.USER_OF, [key]))[0]?.user;
  }

  async remember(key: string, user: string): Promise<void> {
    if (user === standIn(key)) return;
    const { realm, database } = this.options;
    await this.#guard(() =>
      database.transaction(async (transaction) => {
        await transaction.query(sql.SET_USER, [key, user]);
        await transaction.query(sql.ADOPT, [user, standIn(key), realm]);
        await transaction.query(sql.ADOPT_FIGURES, [user, standIn(key), realm]);
      }),
    );
  }

  async find(user: string, key: string): Promise<JournalEntry | undefined> {
    const [entry] = await this.#entries(sql.BY_KEY, [this.options.realm, user, key]);
    return entry?.state === "UNSENT" ? undefined : entry;
  }

  async open(): Promise<readonly JournalEntry[]> {
    return (await this.#entries(sql.ALL_OPEN, [this.options.realm], true)).filter(isUnsettled);
  }

  async claim(): Promise<Claim> {
    const { realm, owner } = this.options;
    await this.#look();
    await this.#own.write();
    await this.#own.renew();
    const taken = await this.#orphans.take(this.#own);
    if (taken.length > 0) this.#instrumentation.journal.publish({ kind: "taken over", entries: taken.length });
    const tellsHeld = !this.#hasClaimed || taken.length > 0;
    const held = tellsHeld ? await this.#entries(sql.HELD, [realm, owner], true) : [];
    this.#hasClaimed = true;
    return { taken, held };
  }

  async hold(right: string, forMs: number): Promise<number> {
    const { realm, owner } = this.options;
    const [mine] = await this.#ask(sql.HOLD, [realm, right, owner, forMs]);
    if (mine !== undefined) return 0;
    return sql.heldRows.parse(await this.#ask(sql.HELD_FOR, [realm, right]))[0]?.ms ?? 0;
  }

  async giveUp(right: string): Promise<void> {
    const { realm, owner } = this.options;
    await this.#ask(sql.GIVE_UP, [realm, right, owner]);
  }

  around({ seq, user, endpoint, sentAt }: WriteMoment, withinMs: number): Promise<readonly JournalEntry[]> {
    const when = [user, endpoint, sentAt - withinMs, sentAt + withinMs];
    const { realm } = this.options;
    return seq === undefined ? this.#entries(sql.BETWEEN, [realm, ...when]) : this.#entries(sql.AROUND, [realm, seq, ...when]);
  }

  async since(entry: JournalEntry): Promise<readonly JournalEntry[]> {
    const { seq, user, endpoint, sentAt } = entry;
    const others = await this.#entries(sql.SINCE, [this.options.realm, seq, user, endpoint, sentAt]);
    return others.filter((other) => mayFollow(entry, other));
  }

  charged(from: number): Promise<readonly JournalEntry[]> {
    return this.#entries(sql.CHARGED, [this.options.realm, from], true);
  }

  page(user: string, before: number | undefined, limit: number): Promise<readonly JournalEntry[]> {
    return this.#entries(sql.PAGE, [this.options.realm, user, before ?? Number.MAX_SAFE_INTEGER, limit], true);
  }

  /** The use of limits by all processes since a day, given as days since 1970. */
  async dayFigures(day: number, whose: readonly DayFigure[]): Promise<DayUse> {
    const names = [whose.map(({ kind }) => kind), whose.map((one) => one.whose)];
    const rows = sql.figureRows.parse(await this.#ask(sql.FIGURES, [this.options.realm, day, ...names]));
    const of = (figure: DayFigure, unit: string) =>
      rows.find((row) => row.kind === figure.kind && row.whose === figure.whose && row.unit === unit)?.used ?? "0";
    return (figure, coin) => ({ qty: of(figure, coin), value: of(figure, "") });
  }

  async prune(now: number): Promise<void> {
    this.#untilPrune = PRUNE_EVERY;
    await this.#ask(sql.PRUNE, [now - REMEMBERED_MS, now - DAY_MS, now - OPEN_KEPT_MS, 2 * PRUNE_EVERY]);
    await this.#ask(sql.PRUNE_FIGURES, [Math.floor(now / DAY_MS) - 1]);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    const { owner, clock, database } = this.options;
    const handedOver = this.#own.write().then(() => database.query(sql.RELEASE, [owner]));
    this.#isClosed = true;
    this.#stopListening();
    this.#waiters.wakeAll();
    // Entries that cannot be handed over in time are claimed when their lease has expired.
    await inTime(clock, Promise.allSettled([handedOver]), CLOSING_MS);
    this.#own.close();
  }

  async #insert(entry: NewEntry, limits: readonly DayLimit[]) {
    const { realm, owner, clock } = this.options;
    // Neither clock may be far ahead: what is deleted too early is lost.
    if (--this.#untilPrune <= 0)
      this.prune(Math.min(entry.sentAt, clock.now())).catch((error: unknown) => {
        // The next call repeats it; the journal itself reports when it cannot be used.
        if (!(error instanceof Fault)) this.#unexpected(error);
      });
    const { user, account, who, mutation, endpoint, key, digest, clientOid, values, charge, sentAt, validUntil, traceparent } =
      entry;
    const bookings = bookingsOf(entry, limits);
    const row: readonly Value[] = [
      ...[realm, owner, user, account, who, mutation, endpoint, key, digest, clientOid, JSON.stringify(values)],
      ...[charge === undefined ? null : JSON.stringify(charge), sentAt, validUntil, traceparent],
      ...[bookings.map(({ kind }) => kind), bookings.map(({ whose }) => whose), bookings.map(({ unit }) => unit)],
      ...[bookings.map(({ adds }) => adds), bookings.map(({ limit }) => limit?.most ?? null)],
      bookings.map(({ limit }) => limit?.since ?? null),
    ];
    try {
      const [recorded] = sql.recordedRows.parse(await this.#ask(sql.RECORD, row, entry.traceparent));
      this.#records++;
      return recorded;
    } catch (error) {
      if (error instanceof Error && error.cause instanceof DatabaseUnavailable && error.cause.wasSent) this.#own.doubt(entry);
      throw error;
    }
  }

  /** Rejects if an entry has an unknown format of a later version, unless entries are only shown or counted. */
  async #entries(text: string, values: readonly Value[], areShown = false): Promise<readonly JournalEntry[]> {
    const rows = await this.#ask(text, values);
    const entries = rows.flatMap((row) => sql.entryIn(row) ?? []);
    if (entries.length < rows.length && !areShown) throw journalUnavailable("a later version has written a part of it");
    return entries.map((entry) => this.#own.withUnwrittenEnd(entry));
  }

  /** Reads the state that all processes share. Rejects if this version may not continue. */
  async #look(): Promise<void> {
    const [{ oldest, halts }] = sql.formatRows.parse(await this.#ask(sql.FORMAT, []));
    if (oldest > VERSION) throw this.#failed(tooNew(oldest));
    await this.#guard(async () => this.options.onHalts?.(halts));
  }

  async #ask(text: string, values: readonly Value[], traceparent?: string | null): Promise<readonly DatabaseRow[]> {
    if (this.#isClosed) throw journalUnavailable("it is closed");
    return this.#guard(() => this.options.database.query(text, values, traceparent));
  }

  /** Rejects with `JOURNAL_UNAVAILABLE`, and reports it, if the database cannot be used. */
  async #guard<T>(ask: () => Promise<T>): Promise<T> {
    try {
      const answer = await ask();
      this.#answeredAt = this.options.clock.now();
      this.#report(undefined);
      return answer;
    } catch (error) {
      throw error instanceof DatabaseUnavailable ? this.#failed(error) : error;
    }
  }

  #failed(error: DatabaseUnavailable): Error {
    this.#report(error.message);
    if (!error.mayPass) this.#unexpected(error);
    return journalUnavailable(error.message, error);
  }

  #unexpected(error: unknown): void {
    this.#instrumentation.failure.publish({ error, what: JOURNAL_FAILURE });
  }

  #report(why: string | undefined): void {
    const hasChanged = (why === undefined) !== (this.#unavailable === undefined);
    this.#unavailable = why;
    if (!hasChanged) return;
    this.#instrumentation.journal.publish(why === undefined ? { kind: "available" } : { kind: "unavailable", why });
  }
}
