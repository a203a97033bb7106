import { isDeepStrictEqual } from "node:util";
import type { Clock } from "@exchange-graph/contract/clock";
import type { LimitsEvent } from "../../../instrumentation/events.js";
import type { Accounts, ExchangeAccount } from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import type { Users } from "../../reads/index.js";
import { type AppliedLimits, entryOf, type LimitBook } from "./tradingLimits.js";

/** Minimum time between two attempts to read the user of an account. */
const RETRY_MS = 10_000;

interface InForceParts {
  readonly accounts: Pick<Accounts, "all">;
  readonly users: Pick<Users, "cachedUser" | "of">;
  readonly clock: Clock;
  /** Called when accounts have lost their limits, or names of one user have different ones. */
  readonly report: (event: LimitsEvent) => void;
}

/**
 * The limits in force. The file names accounts, but limits apply to the exchange's users. Every entry for one of a user's names
 * applies to the user, and so does every entry that has applied to it since the file was read, so that a renamed account keeps its
 * limits. If there are several entries, the strictest decides.
 */
export class LimitsInForce {
  /** By user, the entries that have applied to it since the file was read. */
  readonly #bound = new Map<string, Set<string>>();
  /** Users, and names of accounts, that have had limits since the start. */
  readonly #limited = new Set<string>();
  readonly #triedAt = new WeakMap<ExchangeAccount, number>();
  #version = 0;
  #reported = "";

  constructor(
    private book: LimitBook,
    private readonly parts: InForceParts,
  ) {
    this.review();
  }

  /** Changes with every replacement. */
  get version(): number {
    return this.#version;
  }

  get hasAccounts(): boolean {
    return this.book.accounts.size > 0;
  }

  get hasClients(): boolean {
    return this.book.clients.size > 0;
  }

  /** Accounts that had limits and have none any more. */
  get unlimited(): readonly string[] {
    return this.parts.accounts.all.filter((account) => this.#hasLost(account)).map(({ name }) => name);
  }

  /** Replaces the limits. If they differ, users are bound to the entries of their current names. */
  replace(book: LimitBook): void {
    if (isDeepStrictEqual(book, this.book)) return;
    this.book = book;
    this.#version++;
    this.#bound.clear();
    this.review();
  }

  /** Called when accounts were replaced, or a user became known: binds users to the entries of their names. */
  review(): void {
    const { accounts, users, report } = this.parts;
    if (!this.hasAccounts && this.#limited.size === 0) return;
    for (const account of accounts.all) {
      const user = users.cachedUser(account);
      const entry = entryOf(this.book.accounts, account.name);
      if (user !== undefined && entry !== undefined) this.#bound.set(user, (this.#bound.get(user) ?? new Set()).add(entry));
      if (this.#entriesOf(account.name, user).size > 0)
        for (const name of [account.name, user]) if (name) this.#limited.add(name);
    }
    const changes = { unlimited: this.unlimited, differing: this.#differing() };
    const text = JSON.stringify(changes);
    if (text === this.#reported || (this.#reported === "" && changes.unlimited.length + changes.differing.length === 0)) return;
    this.#reported = text;
    report(changes);
  }

  /** Reads the users of accounts as far as they can be read now: an account with limits may be another name of the same user. */
  async ready(): Promise<void> {
    if (!this.hasAccounts) return;
    const { accounts, users, clock } = this.parts;
    const now = clock.now();
    const unknown = accounts.all.filter((account) => users.cachedUser(account) === undefined);
    const due = unknown.filter((account) => now - (this.#triedAt.get(account) ?? Number.NEGATIVE_INFINITY) >= RETRY_MS);
    if (due.length === 0) return;
    await Promise.all(
      due.map((account) =>
        users.of(account, "write").catch((error: unknown) => {
          if (!(error instanceof Fault)) throw error;
          this.#triedAt.set(account, clock.now());
        }),
      ),
    );
  }

  /** The limits that apply to a write of this client to this account of the user. */
  of({ user, account, client }: { readonly user: string; readonly account: string; readonly client: string }) {
    const { accounts, clients } = this.book;
    const applied = (kind: AppliedLimits["kind"], of: LimitBook["accounts"], entry: string, whose: string): AppliedLimits[] => {
      const limits = of.get(entry);
      return limits === undefined ? [] : [{ kind, whose, path: `${kind}s.${entry}`, limits }];
    };
    const ofClient = entryOf(clients, client);
    return [
      ...[...this.#entriesOf(account, user)].flatMap((entry) => applied("account", accounts, entry, user)),
      ...(ofClient === undefined ? [] : applied("client", clients, ofClient, client)),
    ];
  }

  /** The entries for all names of a user, and those that it is bound to. */
  #entriesOf(account: string, user: string | undefined): ReadonlySet<string> {
    const { accounts, users } = this.parts;
    const others = user === undefined ? [] : accounts.all.filter((one) => users.cachedUser(one) === user);
    const names = [account, ...others.map(({ name }) => name)];
    const entries = names.flatMap((name) => entryOf(this.book.accounts, name) ?? []);
    return new Set([...entries, ...((user !== undefined && this.#bound.get(user)) || [])]);
  }

  #hasLost(account: ExchangeAccount): boolean {
    const user = this.parts.users.cachedUser(account);
    const isLimited = this.#limited.has(account.name) || (user !== undefined && this.#limited.has(user));
    return isLimited && this.#entriesOf(account.name, user).size === 0;
  }

  /** Names of one user with different limits. */
  #differing(): readonly (readonly string[])[] {
    const { accounts, users } = this.parts;
    const byUser = new Map<string, string[]>();
    for (const account of accounts.all) {
      const user = users.cachedUser(account);
      if (user !== undefined) byUser.set(user, [...(byUser.get(user) ?? []), account.name]);
    }
    const limitsOf = (name: string) => this.book.accounts.get(entryOf(this.book.accounts, name) ?? "");
    return [...byUser.values()].filter((names) =>
      names.some((name) => !isDeepStrictEqual(limitsOf(name), limitsOf(names[0] ?? name))),
    );
  }
}
