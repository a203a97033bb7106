import type { Clock } from "@exchange-graph/contract/clock";
import type { FollowedHalts, Halt, HaltEdit, HaltStore } from "../../src/datasources/writes/halts/haltStore.js";
import { addressOf, isUnsettled, type JournalEntry, type NewEntry } from "../../src/datasources/writes/journal/journalEntry.js";
import { MemoryJournal, SharedEntries } from "../../src/datasources/writes/journal/memoryJournal.js";
import { type Claim, journalUnavailable } from "../../src/datasources/writes/journal/writeJournal.js";
import type { WriteStores } from "../../src/datasources/writes/writeParts.js";
import type { Random } from "./random.js";

/** The disk confirms what was written within this time, ms. An entry is confirmed before its write is sent. */
const CONFIRMED_MS = 50;
/** Interval at which a process tries again to write the end of an entry. */
const AGAIN_MS = 1_000;

/** What the disk has not confirmed yet, and what the file has without it. */
interface Unconfirmed {
  /** World time, Unix ms. */
  readonly at: number;
  readonly seq: number;
  /** Undefined for an entry that was written anew. */
  readonly before: JournalEntry | undefined;
}

/** A file that outlives every process: its confirmed beginning survives that the machine loses power, too. */
export class Storage {
  readonly entries = new SharedEntries();
  halts: readonly Halt[] = [];
  /** Whether nothing can be written. */
  isFull = false;
  #unconfirmed: Unconfirmed[] = [];

  /** `now`: world time, Unix ms. */
  constructor(
    private readonly now: () => number,
    private readonly random: Random,
  ) {}

  written(seq: number, before: JournalEntry | undefined): void {
    this.#unconfirmed = [
      ...this.#unconfirmed.filter(({ at }) => at > this.now() - CONFIRMED_MS),
      { at: this.now(), seq, before },
    ];
  }

  confirmed(seq: number): void {
    this.#unconfirmed = this.#unconfirmed.filter((one) => one.seq !== seq);
  }

  /** A beginning of what is not confirmed survives; the file is cut off at the first line that is not whole. */
  losePower(): void {
    const recent = this.#unconfirmed.filter(({ at }) => at > this.now() - CONFIRMED_MS);
    const { entries, byKey, owners } = this.entries;
    for (const { seq, before } of recent.slice(this.random.between(0, recent.length)).reverse()) {
      const present = entries.get(seq);
      if (before !== undefined) {
        entries.set(seq, before);
        byKey.set(addressOf(before.user, before.key), seq);
        owners.set(seq, this);
      } else if (present !== undefined) {
        entries.delete(seq);
        byKey.delete(addressOf(present.user, present.key));
        owners.delete(seq);
      }
    }
    this.#unconfirmed = [];
  }
}

/** Never ends if the process is killed. */
const pause = (clock: Clock, ms: number): Promise<void> =>
  ms === 0 ? Promise.resolve() : new Promise((resolve) => clock.after(ms, resolve));

/** Opens the storage for a process. Each access takes `latencyMs()`. */
export const openStorage = (storage: Storage, clock: Clock, latencyMs: () => number): WriteStores => ({
  journal: new StoredJournal(storage, clock, latencyMs),
  halts: new StoredHalts(storage, clock, latencyMs),
});

/** A journal that takes time, in which its process may be killed: before an entry is durable, or before it knows that. */
class StoredJournal extends MemoryJournal {
  constructor(
    private readonly storage: Storage,
    private readonly processClock: Clock,
    private readonly latencyMs: () => number,
  ) {
    super(processClock, storage.entries);
  }

  override async record(entry: NewEntry): Promise<JournalEntry> {
    await this.#access();
    if (this.storage.isFull) throw journalUnavailable("its disk is full");
    const line = await super.record(entry);
    this.storage.written(line.seq, undefined);
    await this.#access();
    this.storage.confirmed(line.seq);
    return line;
  }

  override async settle(entry: JournalEntry): Promise<void> {
    await this.#access();
    while (this.storage.isFull) await pause(this.processClock, AGAIN_MS);
    const before = this.storage.entries.entries.get(entry.seq);
    if (before !== undefined && isUnsettled(before)) this.storage.written(entry.seq, before);
    await super.settle(entry);
  }

  override async find(user: string, key: string): Promise<JournalEntry | undefined> {
    await this.#access();
    return super.find(user, key);
  }

  override async claim(): Promise<Claim> {
    await this.#access();
    if (this.storage.isFull) throw journalUnavailable("its disk is full");
    return super.claim();
  }

  override async charged(from: number): Promise<readonly JournalEntry[]> {
    await this.#access();
    return super.charged(from);
  }

  #access(): Promise<void> {
    return pause(this.processClock, this.latencyMs());
  }
}

/** Halts that outlive their process. */
class StoredHalts implements HaltStore {
  readonly isDurable = true;
  #follower: FollowedHalts | undefined;

  constructor(
    private readonly storage: Storage,
    private readonly clock: Clock,
    private readonly latencyMs: () => number,
  ) {}

  read(): readonly Halt[] {
    return this.storage.halts;
  }

  follow(halts: FollowedHalts): void {
    this.#follower = halts;
  }

  async change(edit: HaltEdit): Promise<void> {
    await pause(this.clock, this.latencyMs());
    this.storage.halts = edit(this.storage.halts);
    await pause(this.clock, this.latencyMs());
    this.#follower?.takeOver(this.storage.halts);
  }
}
