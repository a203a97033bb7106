import type { Clock } from "@exchange-graph/contract/clock";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import type { Accounts, ExchangeAccount } from "../calls/index.js";
import { Fault, inTime } from "../errors/index.js";
import type { Users } from "../reads/index.js";
import type { JournalEntry } from "./journal/journalEntry.js";
import { CLAIM_EVERY_MS, JOURNAL_FAILURE, LEASE_MS, type WriteJournal } from "./journal/writeJournal.js";

/** Maximum time for which an account's writes wait for those that an earlier process left open. */
const WITHIN_MS = 60_000;

/** By user, settled when its entries are. */
type Followed = ReadonlyMap<string, Promise<unknown>> | Promise<ReadonlyMap<string, Promise<unknown>>>;
const NONE: Followed = new Map();

interface RecoveryParts {
  readonly journal: Pick<WriteJournal, "claim">;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, "all">;
  readonly users: Users;
  /** Whether the outcome of this write can still be determined. */
  readonly isProvable: (entry: JournalEntry) => boolean;
  /** Looks up a write that no process follows any more. */
  readonly follow: (account: ExchangeAccount, entry: JournalEntry) => Promise<unknown>;
  readonly instrumentation: Instrumentation;
}

/**
 * Takes over writes that ended processes left open in the journal: at the start, and then regularly. Each claim also renews this
 * process's own lease.
 */
export class Recovery {
  /** By user, the writes to be settled before an account of it writes. */
  #started: Promise<Map<string, Promise<true>>> | undefined;
  /** By user, writes taken over since the start. */
  readonly #followed = new Map<string, Promise<unknown>>();
  /** Writes of users whose accounts are not known yet, or do not exist. */
  #parked: readonly JournalEntry[] = [];
  /** By user, writes found open when its account first wrote. */
  readonly #met = new Map<string, Promise<ReadonlyMap<string, Promise<unknown>>>>();
  /** Cancels of its timers, none of which fires once it is stopped. */
  readonly #timers = new Set<() => void>();
  readonly #clock: Clock;
  #isStopped = false;

  constructor(private readonly parts: RecoveryParts) {
    this.#clock = { now: () => parts.clock.now(), after: (ms, task) => this.#after(ms, task) };
  }

  /** Starts, once. Rejects with `JOURNAL_UNAVAILABLE` while the journal cannot be used; the next call starts again. */
  async start(): Promise<void> {
    await this.#start();
  }

  /** The writes to be settled before an account of this user writes; undefined if none are open. */
  async before(user: string): Promise<{ readonly settled: Promise<unknown> } | undefined> {
    const open = (await this.#start()).get(user);
    // Writes may have been left open under a placeholder of the user, or have waited for its account.
    const meeting = this.#met.get(user) ?? this.#takeOver();
    this.#met.set(user, meeting);
    const parts = [open, (await meeting).get(user), this.#take([]).get(user)].filter((part) => part !== undefined);
    if (parts.length === 0) return undefined;
    return { settled: Promise.all(parts).then(() => this.#met.set(user, Promise.resolve(new Map()))) };
  }

  #start(): Promise<ReadonlyMap<string, Promise<true>>> {
    this.#started ??= this.#begin().catch((error: unknown) => {
      this.#started = undefined;
      throw error;
    });
    return this.#started;
  }

  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#timers) cancel();
    this.#timers.clear();
  }

  async #begin(): Promise<Map<string, Promise<true>>> {
    const { journal } = this.parts;
    const { taken, held } = await journal.claim();
    this.#goOn();
    const { accounts, users } = this.parts;
    await Promise.all(accounts.all.map((account) => users.recall(account)));
    const settled = this.#follow(taken);
    this.#readOwners();
    // The owner of these runs, or has ended so recently that its lease has not expired.
    const holding = new Set(held.filter(this.parts.isProvable).map(({ user }) => user));
    const decided = holding.size === 0 ? NONE : this.#decided();
    const all = new Map<string, Promise<true>>();
    for (const user of new Set([...settled.keys(), ...holding])) all.set(user, this.#settled(user, [settled, decided], all));
    return all;
  }

  /** The writes taken over by the time at which expired leases are known. */
  async #decided(): Promise<ReadonlyMap<string, Promise<unknown>>> {
    await new Promise<void>((resolve) => this.#clock.after(LEASE_MS + 1, resolve));
    await this.#takeOver();
    return this.#followed;
  }

  /** Waits for a user's writes among all that are looked up; then none from before is open. */
  async #settled(user: string, parts: readonly Followed[], all: Map<string, Promise<true>>): Promise<true> {
    for (const part of parts) await (await part).get(user);
    all.delete(user);
    return true;
  }

  /** Reads the users of accounts if there are open writes that may be theirs. */
  #readOwners(): void {
    const { accounts, users } = this.parts;
    if (this.#parked.length === 0) return;
    for (const account of accounts.all)
      if (users.cachedUser(account) === undefined)
        users.of(account).catch((error: unknown) => {
          // The next call repeats it.
          if (!(error instanceof Fault)) this.#failed(error);
        });
  }

  /**
   * Settles entries; by user, resolves when all of its own are settled or it has taken too long. Entries of unknown users wait.
   */
  #follow(entries: readonly JournalEntry[]): ReadonlyMap<string, Promise<unknown>> {
    const { accounts, users, isProvable, follow } = this.parts;
    const byUser = new Map<string, Promise<unknown>[]>();
    const parked: JournalEntry[] = [];
    for (const entry of [...this.#parked, ...entries.filter(isProvable)]) {
      const account = accounts.all.find((one) => users.known.namesOf(one).includes(entry.user));
      const user = account === undefined ? undefined : users.cachedUser(account);
      if (account === undefined || user === undefined) parked.push(entry);
      else byUser.set(user, [...(byUser.get(user) ?? []), follow(account, { ...entry, user, account: account.name })]);
    }
    this.#parked = parked;
    return new Map([...byUser].map(([user, settled]) => [user, inTime(this.#clock, Promise.all(settled), WITHIN_MS)]));
  }

  #goOn(): void {
    this.#clock.after(CLAIM_EVERY_MS, () => {
      void this.#again();
    });
  }

  async #again(): Promise<void> {
    this.#readOwners();
    await this.#takeOver();
    this.#goOn();
  }

  /** Never rejects: what cannot be taken over now is taken over later. */
  async #takeOver(): Promise<ReadonlyMap<string, Promise<unknown>>> {
    try {
      return this.#take((await this.parts.journal.claim()).taken);
    } catch (error) {
      // The journal itself reports when it cannot be used.
      if (!(error instanceof Fault)) this.#failed(error);
      return new Map();
    }
  }

  /** Settles entries that this process has taken over. */
  #take(entries: readonly JournalEntry[]): ReadonlyMap<string, Promise<unknown>> {
    const followed = this.#follow(entries);
    for (const [user, settled] of followed) this.#followed.set(user, Promise.all([this.#followed.get(user), settled]));
    return followed;
  }

  #failed(error: unknown): void {
    this.parts.instrumentation.failure.publish({ error, what: JOURNAL_FAILURE });
  }

  #after(ms: number, task: () => void): () => void {
    if (this.#isStopped) return () => undefined;
    const cancel = this.parts.clock.after(ms, () => {
      this.#timers.delete(cancel);
      task();
    });
    this.#timers.add(cancel);
    return () => {
      this.#timers.delete(cancel);
      cancel();
    };
  }
}
