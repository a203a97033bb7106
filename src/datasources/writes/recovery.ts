import type { Clock } from "../../clock.js";
import type { Accounts } from "../accounts/accounts.js";
import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { Fault } from "../fault.js";
import type { JournalEntry } from "./journal/entry.js";
import { CLAIM_EVERY_MS, type JournalObserver, LEASE_MS, type WriteJournal } from "./journal/writeJournal.js";

/** What an earlier process left open is settled before an account writes again, unless that takes longer than this. */
const WITHIN_MS = 60_000;

/** By account, when its entries are settled. */
type Followed = ReadonlyMap<string, Promise<unknown>> | Promise<ReadonlyMap<string, Promise<unknown>>>;
const NONE: Followed = new Map();

interface RecoveryParts {
  readonly journal: Pick<WriteJournal, "claim">;
  readonly clock: Clock;
  readonly accounts: Pick<Accounts, "all">;
  /** Can it still be found out what became of this write? */
  readonly isProvable: (entry: JournalEntry) => boolean;
  /** Finds out what became of a write that nobody follows any more. */
  readonly follow: (account: ExchangeAccount, entry: JournalEntry) => Promise<unknown>;
  readonly observer: Pick<JournalObserver, "failed"> | undefined;
}

/**
 * Takes over what processes that have gone left open in the journal: at the start, and from then on for as long as this
 * process lives, which it thereby tells the others.
 */
export class Recovery {
  /** By account, what has to be settled before it writes. */
  #started: Promise<Map<string, Promise<true>>> | undefined;
  /** By account, what was taken over since the start. */
  readonly #followed = new Map<string, Promise<unknown>>();
  /** Entries that are this process's to settle, of accounts that are not configured. */
  #unfollowed: readonly JournalEntry[] = [];
  #cancel: (() => void) | undefined;
  #isStopped = false;

  constructor(private readonly parts: RecoveryParts) {}

  /** Begins, once. Rejects with `JOURNAL_UNAVAILABLE` while the journal cannot be used; the next call begins again. */
  start(): Promise<ReadonlyMap<string, Promise<true>>> {
    this.#started ??= this.#begin().catch((error: unknown) => {
      this.#started = undefined;
      throw error;
    });
    return this.#started;
  }

  /** An account is there only now: what is open of it is settled before it writes. */
  add({ name }: ExchangeAccount): void {
    const own = this.#unfollowed.filter(({ account }) => account === name);
    this.#unfollowed = this.#unfollowed.filter(({ account }) => account !== name);
    const followed = this.#follow(own);
    if (followed.size > 0) void this.#started?.then((all) => all.set(name, this.#settled(name, [followed], all)));
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
    const settled = this.#follow(taken);
    // Who holds these lives, or has died so lately that its lease still runs.
    const names = new Set(held.filter(this.parts.isProvable).map(({ account }) => account));
    const decided = names.size === 0 ? NONE : this.#decided();
    const all = new Map<string, Promise<true>>();
    for (const name of new Set([...settled.keys(), ...names])) all.set(name, this.#settled(name, [settled, decided], all));
    return all;
  }

  /** What was taken over by the time at which it is sure who lives. */
  async #decided(): Promise<ReadonlyMap<string, Promise<unknown>>> {
    await this.#pause(LEASE_MS + 1);
    await this.#takeOver();
    return this.#followed;
  }

  /** Waits for what an account has among all that is followed; then nothing is open any more from before. */
  async #settled(name: string, parts: readonly Followed[], all: Map<string, Promise<true>>): Promise<true> {
    for (const part of parts) await (await part).get(name);
    all.delete(name);
    return true;
  }

  /** Settles entries; by account, when all of its own are settled or it has taken too long. */
  #follow(entries: readonly JournalEntry[]): ReadonlyMap<string, Promise<unknown>> {
    const { accounts, isProvable, follow } = this.parts;
    const byAccount = new Map<string, Promise<unknown>[]>();
    for (const entry of entries.filter(isProvable)) {
      const account = accounts.all.find(({ name }) => name === entry.account);
      if (account === undefined) this.#unfollowed = [...this.#unfollowed, entry];
      else byAccount.set(entry.account, [...(byAccount.get(entry.account) ?? []), follow(account, entry)]);
    }
    const inTime = (settled: readonly Promise<unknown>[]) => Promise.race([Promise.all(settled), this.#pause(WITHIN_MS)]);
    return new Map([...byAccount].map(([account, settled]) => [account, inTime(settled)]));
  }

  #goOn(): void {
    if (this.#isStopped) return;
    this.#cancel = this.parts.clock.after(CLAIM_EVERY_MS, () => {
      void this.#again();
    });
  }

  async #again(): Promise<void> {
    await this.#takeOver();
    this.#goOn();
  }

  /** Never rejects: what could not be taken over now is taken over later. */
  async #takeOver(): Promise<void> {
    try {
      for (const [name, settled] of this.#follow((await this.parts.journal.claim()).taken))
        this.#followed.set(name, Promise.all([this.#followed.get(name), settled]));
    } catch (error) {
      // The journal itself says when it cannot be used.
      if (!(error instanceof Fault)) this.parts.observer?.failed(error);
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.parts.clock.after(ms, resolve);
    });
  }
}
