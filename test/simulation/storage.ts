import type { Clock } from "@exchange-graph/contract/clock";
import { type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import { bookingsOf } from "../../packages/replicas/src/journal/bookings.js";
import type { FollowedHalts, Halt, HaltStore } from "../../src/datasources/writes/halts/halt.js";
import { addressOf, type JournalEntry, type NewEntry } from "../../src/datasources/writes/journal/entry.js";
import { MemoryJournal, SharedEntries } from "../../src/datasources/writes/journal/memoryJournal.js";
import {
  type Claim,
  type DayFigure,
  type DayFigures,
  type DayLimit,
  DayLimitBroken,
  KeyTaken,
} from "../../src/datasources/writes/journal/writeJournal.js";
import { dayOf } from "../../src/datasources/writes/limits/sharedFigures.js";
import type { WriteStores } from "../../src/datasources/writes/writeStores.js";

const ZERO = exact("0");

/** What is durable: it outlives every process. */
export class Storage {
  readonly entries = new SharedEntries();
  readonly figures = new Map<string, Exact>();
  readonly followers = new Set<() => void>();
  halts: readonly Halt[] = [];
  /** Number of changes of the halts. */
  version = 0;

  /** `file`: for one process, which knows its own use of limits only. `database`: for several. */
  constructor(readonly kind: "file" | "database") {}

  book(booking: Pick<ReturnType<typeof bookingsOf>[number], "kind" | "whose" | "unit">, day: number, adds: Exact): Exact {
    const key = figureOf(day, booking, booking.unit);
    const used = (this.figures.get(key) ?? ZERO).plus(adds);
    this.figures.set(key, used);
    return used;
  }

  /** Use from a day on. */
  usedSince(first: number, subject: DayFigure, unit: string): Exact {
    let used = ZERO;
    for (const [key, figure] of this.figures) {
      const day = Number.parseInt(key, 10);
      if (day >= first && key === figureOf(day, subject, unit)) used = used.plus(figure);
    }
    return used;
  }
}

const figureOf = (day: number, { kind, whose }: DayFigure, unit: string): string => [day, kind, whose, unit].join("\n");

/** Never ends if the process is killed. */
const pause = (clock: Clock, ms: number): Promise<void> =>
  ms === 0 ? Promise.resolve() : new Promise((resolve) => clock.after(ms, resolve));

/** Opens the storage for a process. Each access takes `latencyMs()`. */
export function openStorage(storage: Storage, clock: Clock, latencyMs: () => number): WriteStores {
  if (storage.kind === "file")
    return { journal: new StoredJournal(storage, clock, latencyMs), halts: new StoredHalts(storage, clock, latencyMs) };
  const halts = new SharedHalts(storage, clock, latencyMs);
  const journal = new DatabaseJournal(storage, clock, latencyMs, (version) => halts.catchUp(version));
  return { journal, halts, figures: journal };
}

/** A journal that takes time, in which its process may be killed: before an entry is durable, or before it knows that. */
class StoredJournal extends MemoryJournal {
  constructor(
    storage: Storage,
    protected readonly processClock: Clock,
    protected readonly latencyMs: () => number,
  ) {
    super(processClock, storage.entries);
  }

  override async record(entry: NewEntry, limits: readonly DayLimit[] = []): Promise<JournalEntry> {
    await this.#access();
    const line = await this.write(entry, limits);
    await this.#access();
    return line;
  }

  override async settle(entry: JournalEntry): Promise<void> {
    await this.#access();
    await this.end(entry);
  }

  override async find(user: string, key: string): Promise<JournalEntry | undefined> {
    await this.#access();
    return super.find(user, key);
  }

  override async claim(): Promise<Claim> {
    await this.#access();
    return super.claim();
  }

  override async charged(from: number): Promise<readonly JournalEntry[]> {
    await this.#access();
    return super.charged(from);
  }

  protected write(entry: NewEntry, _limits: readonly DayLimit[]): Promise<JournalEntry> {
    return super.record(entry);
  }

  protected end(entry: JournalEntry): Promise<void> {
    return super.settle(entry);
  }

  #access(): Promise<void> {
    return pause(this.processClock, this.latencyMs());
  }
}

/** The journal in a database: counts the use of all processes, and reports the version of the halts with each entry. */
class DatabaseJournal extends StoredJournal {
  constructor(
    private readonly storage: Storage,
    clock: Clock,
    latencyMs: () => number,
    private readonly onHalts: (version: number) => Promise<void>,
  ) {
    super(storage, clock, latencyMs);
  }

  override async ready(): Promise<void> {
    await super.ready();
    await this.onHalts(this.storage.version);
  }

  override async claim(): Promise<Claim> {
    await this.onHalts(this.storage.version);
    return super.claim();
  }

  override async record(entry: NewEntry, limits: readonly DayLimit[] = []): Promise<JournalEntry> {
    const line = await super.record(entry, limits);
    await this.onHalts(this.storage.version);
    return line;
  }

  async dayFigures(day: number, _whose: readonly DayFigure[]): Promise<DayFigures> {
    await pause(this.processClock, this.latencyMs());
    const of = (whose: DayFigure, unit: string) => plain(this.storage.usedSince(day, whose, unit));
    return (whose, coin) => ({ qty: of(whose, coin), value: of(whose, "") });
  }

  override async remember(key: string, user: string): Promise<void> {
    await super.remember(key, user);
    for (const [figure, used] of [...this.storage.figures]) {
      const [day = "", kind = "", whose, unit = ""] = figure.split("\n");
      if (kind !== "account" || whose !== `key:${key}` || whose === user) continue;
      this.storage.figures.delete(figure);
      this.storage.book({ kind, whose: user, unit }, Number.parseInt(day, 10), used);
    }
  }

  protected override async write(entry: NewEntry, limits: readonly DayLimit[]): Promise<JournalEntry> {
    // Nothing is awaited from here to the end: it is one transaction.
    if (this.storage.entries.byKey.has(addressOf(entry.user, entry.key))) throw new KeyTaken(entry.key);
    const day = dayOf(entry.sentAt);
    const bookings = bookingsOf(entry, limits);
    for (const booking of bookings) {
      const { limit, adds, kind, whose, unit } = booking;
      const used = this.storage.usedSince(limit?.since ?? day, { kind, whose }, unit);
      if (limit !== undefined && !exact(adds).eq(ZERO) && used.plus(exact(adds)).gt(exact(limit.most)))
        throw new DayLimitBroken(limit, plain(used), adds);
    }
    for (const booking of bookings) this.storage.book(booking, day, exact(booking.adds));
    return super.write(entry, limits);
  }

  protected override async end(entry: JournalEntry): Promise<void> {
    const before = this.storage.entries.entries.get(entry.seq)?.state;
    await super.end(entry);
    const after = this.storage.entries.entries.get(entry.seq);
    if (after === undefined || after.state === before || (after.state !== "REJECTED" && after.state !== "UNSENT")) return;
    for (const booking of bookingsOf(after, [])) this.storage.book(booking, dayOf(after.sentAt), ZERO.minus(exact(booking.adds)));
  }
}

/** Halts that outlive their process. */
class StoredHalts implements HaltStore {
  constructor(
    protected readonly storage: Storage,
    protected readonly clock: Clock,
    protected readonly latencyMs: () => number,
  ) {}

  read(): readonly Halt[] {
    return this.storage.halts;
  }

  async change(ended: readonly (string | null)[], halt: Halt | undefined): Promise<boolean> {
    await pause(this.clock, this.latencyMs());
    const others = this.storage.halts.filter(({ user }) => !ended.includes(user) && user !== halt?.user);
    this.storage.halts = halt === undefined ? others : [...others, halt];
    this.storage.version++;
    for (const announce of this.storage.followers) announce();
    await pause(this.clock, this.latencyMs());
    return true;
  }
}

/** Halts in the database: announced to the other processes, and read again where a new entry has another version. */
class SharedHalts extends StoredHalts {
  #halts: FollowedHalts | undefined;
  #version = -1;

  override read(): readonly Halt[] {
    return [];
  }

  follow(halts: FollowedHalts): void {
    this.#halts = halts;
    this.storage.followers.add(() => this.clock.after(this.latencyMs(), () => void this.catchUp(this.storage.version)));
  }

  async catchUp(version: number): Promise<void> {
    if (version !== this.#version) {
      await pause(this.clock, this.latencyMs());
      this.#version = this.storage.version;
      this.#halts?.takeOver(this.storage.halts);
    }
    this.#halts?.retry();
  }
}
