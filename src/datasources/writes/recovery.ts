import type { Clock } from "@exchange-graph/contract/clock";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import type { Accounts } from "../accounts/accounts.js";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { Fault } from "../fault.js";
import type { Users } from "../identity/users.js";
import type { JournalEntry } from "./journal/entry.js";
import { CLAIM_EVERY_MS, JOURNAL_FAILURE, LEASE_MS, type WriteJournal } from "./journal/writeJournal.js";

/** What an earlier process left open is settled before an account writes again, unless that takes longer than this. */
const WITHIN_MS = 60_000;

/** By user, when its entries are settled. */
type Followed = ReadonlyMap<string, Promise<unknown>> | Promise<ReadonlyMap<string, Promise<unknown>>>;
const NONE: Followed = new Map();

interface RecoveryParts {
  readonly journal: Pick<WriteJournal, "claim">;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, "all">;
  readonly users: Users;
  /** Can it still be found out what became of this write? */
  readonly isProvable: (entry: JournalEntry) => boolean;
  /** Finds out what became of a write that nobody follows any more. */
  readonly follow: (account: ExchangeAccount, entry: JournalEntry) => Promise<unknown>;
  readonly instrumentation: Instrumentation;
}

/**
 * Takes over what ended processes left open in the journal: at the start, and then regularly. Each claim also renews
 * this process's own lease, which shows the others that it lives.
 */
export class Recovery {
  /** By user, what has to be settled before an account of it writes. */
  #started: Promise<Map<string, Promise<true>>> | undefined;
  /** By user, what was taken over since the start. */
  readonly #followed = new Map<string, Promise<unknown>>();
  /** What was taken over of users whose accounts are not known yet, or not there. */
  #parked: readonly JournalEntry[] = [];
  /** By user, what was found to be open when its account first wanted to write. */
  readonly #met = new Map<string, Promise<ReadonlyMap<string, Promise<unknown>>>>();
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(private readonly parts: RecoveryParts) {}

  /** Begins, once. Rejects with `JOURNAL_UNAVAILABLE` while the journal cannot be used; the next call begins again. */
  async start(): Promise<void> {
    await this.#start();
  }

  /** What has to be settled before an account of this user writes; nothing where nothing is open any more. */
  async before(user: string): Promise<{ readonly settled: Promise<unknown> } | undefined> {
    const open = (await this.#start()).get(user);
    // What stood for the user may have left something open; and what is open may have waited for its account.
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

  /** Takes nothing over any more. */
  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  async #begin(): Promise<Map<string, Promise<true>>> {
    const { journal } = this.parts;
    const { taken, held } = await journal.claim();
    this.#goOn();
    const { accounts, users } = this.parts;
    await Promise.all(accounts.all.map((account) => users.recall(account)));
    const settled = this.#follow(taken);
    this.#meet();
    // Who holds these lives, or has died so lately that its lease still runs.
    const holding = new Set(held.filter(this.parts.isProvable).map(({ user }) => user));
    const decided = holding.size === 0 ? NONE : this.#decided();
    const all = new Map<string, Promise<true>>();
    for (const user of new Set([...settled.keys(), ...holding])) all.set(user, this.#settled(user, [settled, decided], all));
    return all;
  }

  /** What was taken over by the time at which it is sure who lives. */
  async #decided(): Promise<ReadonlyMap<string, Promise<unknown>>> {
    await this.#pause(LEASE_MS + 1);
    await this.#takeOver();
    return this.#followed;
  }

  /** Waits for what a user has among all that is followed; then nothing is open any more from before. */
  async #settled(user: string, parts: readonly Followed[], all: Map<string, Promise<true>>): Promise<true> {
    for (const part of parts) await (await part).get(user);
    all.delete(user);
    return true;
  }

  /** Finds out whose the accounts are when something is open that may be theirs. */
  #meet(): void {
    const { accounts, users } = this.parts;
    if (this.#parked.length === 0) return;
    for (const account of accounts.all)
      if (users.known(account) === undefined)
        users.of(account).catch((error: unknown) => {
          // The next time is soon enough.
          if (!(error instanceof Fault)) this.#failed(error);
        });
  }

  /** Settles entries; by user, when all of its own are settled or it has taken too long. What is nobody's waits. */
  #follow(entries: readonly JournalEntry[]): ReadonlyMap<string, Promise<unknown>> {
    const { accounts, users, isProvable, follow } = this.parts;
    const byUser = new Map<string, Promise<unknown>[]>();
    const parked: JournalEntry[] = [];
    for (const entry of [...this.#parked, ...entries.filter(isProvable)]) {
      const account = accounts.all.find((one) => users.isOf(one, entry.user));
      const user = account === undefined ? undefined : users.known(account);
      if (account === undefined || user === undefined) parked.push(entry);
      else byUser.set(user, [...(byUser.get(user) ?? []), follow(account, { ...entry, user, account: account.name })]);
    }
    this.#parked = parked;
    const inTime = (settled: readonly Promise<unknown>[]) => Promise.race([Promise.all(settled), this.#pause(WITHIN_MS)]);
    return new Map([...byUser].map(([user, settled]) => [user, inTime(settled)]));
  }

  #goOn(): void {
    if (this.#isStopped) return;
    this.#cancel = this.parts.clock.after(CLAIM_EVERY_MS, () => {
      void this.#again();
    });
  }

  async #again(): Promise<void> {
    this.#meet();
    await this.#takeOver();
    this.#goOn();
  }

  /** Never rejects: what could not be taken over now is taken over later. */
  async #takeOver(): Promise<ReadonlyMap<string, Promise<unknown>>> {
    try {
      return this.#take((await this.parts.journal.claim()).taken);
    } catch (error) {
      // The journal itself says when it cannot be used.
      if (!(error instanceof Fault)) this.#failed(error);
      return new Map();
    }
  }

  /** Settles entries that are this process's from now on. */
  #take(entries: readonly JournalEntry[]): ReadonlyMap<string, Promise<unknown>> {
    const followed = this.#follow(entries);
    for (const [user, settled] of followed) this.#followed.set(user, Promise.all([this.#followed.get(user), settled]));
    return followed;
  }

  #failed(error: unknown): void {
    this.parts.instrumentation.failure.publish({ error, what: JOURNAL_FAILURE });
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.parts.clock.after(ms, resolve);
    });
  }
}
