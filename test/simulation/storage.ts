import type { Clock } from "@exchange-graph/contract/clock";
import type { Halt, HaltStore } from "../../src/datasources/writes/halts/halt.js";
import type { JournalEntry, NewEntry } from "../../src/datasources/writes/journal/entry.js";
import { MemoryJournal, SharedEntries } from "../../src/datasources/writes/journal/memoryJournal.js";
import type { Claim } from "../../src/datasources/writes/journal/writeJournal.js";
import type { WriteStores } from "../../src/datasources/writes/writeStores.js";

/** What is durable: it outlives every process. */
export class Storage {
  readonly entries = new SharedEntries();
  halts: readonly Halt[] = [];
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
    storage: Storage,
    private readonly processClock: Clock,
    private readonly latencyMs: () => number,
  ) {
    super(processClock, storage.entries);
  }

  override async record(entry: NewEntry): Promise<JournalEntry> {
    await this.#access();
    const line = await super.record(entry);
    await this.#access();
    return line;
  }

  override async settle(entry: JournalEntry): Promise<void> {
    await this.#access();
    await super.settle(entry);
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

  #access(): Promise<void> {
    return pause(this.processClock, this.latencyMs());
  }
}

/** Halts that outlive their process. */
class StoredHalts implements HaltStore {
  constructor(
    private readonly storage: Storage,
    private readonly clock: Clock,
    private readonly latencyMs: () => number,
  ) {}

  read(): readonly Halt[] {
    return this.storage.halts;
  }

  async change(ended: readonly (string | null)[], halt: Halt | undefined): Promise<boolean> {
    await pause(this.clock, this.latencyMs());
    const others = this.storage.halts.filter(({ user }) => !ended.includes(user) && user !== halt?.user);
    this.storage.halts = halt === undefined ? others : [...others, halt];
    await pause(this.clock, this.latencyMs());
    return true;
  }
}
