import type { ExchangeAccount } from "../../calls/index.js";
import { Fault, isStandIn } from "../../errors/index.js";
import type { Users } from "../../reads/index.js";
import type { FollowedHalts, Halt, HaltEdit, HaltStore } from "./haltStore.js";

/** A new halt, of one account or of all. */
interface HaltOrder extends Pick<Halt, "since" | "by" | "reason" | "cancelsOpen"> {
  readonly account: ExchangeAccount | null;
}

/** A write that waits for the user of a halt, or an end that could not be stored, may be repeated after this time. */
const RETRY_AFTER_MS = 1_000;

/**
 * The kill switch. While a user of the exchange is halted, only writes that reduce risk are sent for it, whatever its accounts
 * are called. A halt is effective from the call on, and is stored so that it survives a restart.
 *
 * A halt never waits for the exchange: while its user is not known, it applies to the account's key, and any other account may be
 * the same user. So the writes of all accounts that may add risk wait until the exchange has answered, and are refused if it
 * does not.
 */
export class Halts implements FollowedHalts {
  /** As they were stored when they were last read. */
  #stored: readonly Halt[];
  /** What was changed here and is not stored yet, or cannot be, in order. A later change of the same name contains the earlier. */
  readonly #unstored = new Map<string, HaltEdit>();
  /** What is stored, with the changes that are not. */
  #halts: readonly Halt[];
  #storing: Promise<unknown> = Promise.resolve();
  #isStoring = false;

  /** `failed` is called with the reason if halts could not be stored. */
  constructor(
    private readonly store: HaltStore,
    private readonly users: Pick<Users, "cachedUser" | "of" | "known">,
    private readonly failed: (error: unknown) => void,
  ) {
    this.#stored = store.read();
    this.#halts = this.#stored;
    store.follow(this);
  }

  /** All halts in force, the one of all accounts first. */
  get all(): readonly Halt[] {
    return [...this.#halts].sort((one, other) => ((one.account ?? "") < (other.account ?? "") ? -1 : 1));
  }

  /** The halt that applies to an account: that of all accounts, or its own. */
  of(account: ExchangeAccount): Halt | undefined {
    return this.#halts.find(({ user }) => user === null) ?? this.#own(account)[0];
  }

  /** Whether a halt applies to an account, or may because its user is not known yet. */
  mayApplyTo(account: ExchangeAccount): boolean {
    return this.of(account) !== undefined || this.#undecided().length > 0;
  }

  /** Whether it is a halt of this account, and not that of all accounts. */
  isOf(account: ExchangeAccount, halt: Halt): boolean {
    if (halt.user === null) return false;
    return (
      this.users.known.namesOf(account).includes(halt.user) ||
      this.#behind(halt).some((one) => this.users.known.isSame(one, account))
    );
  }

  /** Halts an account, or all, with immediate effect. Resolves to whether it is stored. */
  halt({ account, since, by, reason, cancelsOpen = false }: HaltOrder): Promise<boolean> {
    const user = account === null ? null : (this.users.cachedUser(account) ?? this.users.known.standInOf(account));
    const isSame = (one: Halt) => (account === null ? one.user === null : this.isOf(account, one));
    const ordered: Halt = { user, account: account?.name ?? null, since, by, reason, cancelsOpen: cancelsOpen || undefined };
    // A repeated halt keeps the time of the first, and the cancels that are under way.
    const after = (first: Halt | undefined, halt: Halt): Halt =>
      first === undefined ? halt : { ...halt, since: first.since, cancelsOpen: halt.cancelsOpen ?? first.cancelsOpen };
    const halt = after(this.#halts.find(isSame), ordered);
    const stored = this.#change(`halt of ${user}`, (halts) => [
      ...halts.filter((one) => one.user !== user),
      after(halts.find(isSame), halt),
    ]);
    if (account !== null) void this.#learn(account);
    return stored;
  }

  /**
   * Ends the halt of an account, or that of all, which keeps the accounts' own. Resolves to whether that survives the process.
   * Throws `Fault` if it cannot be stored, or if no halt is found and the account's user cannot be read.
   */
  async resume(account: ExchangeAccount | null): Promise<boolean> {
    if (account === null) return this.#end([null]);
    try {
      await this.users.of(account, "cancel");
    } catch (error) {
      if (!(error instanceof Fault) || this.#own(account).length === 0) throw error;
    }
    return this.#end([...this.users.known.namesOf(account), ...this.#own(account).map(({ user }) => user)]);
  }

  /** Records that the orders that can add risk are cancelled. Resolves when that is stored. */
  async hasCancelled({ account, since }: Halt): Promise<void> {
    const isOpen = (one: Halt) => one.account === account && one.since === since && one.cancelsOpen === true;
    if (this.#halts.some(isOpen))
      await this.#change(`cancels of ${account} ${since}`, (halts) =>
        halts.map((one) => (isOpen(one) ? { ...one, cancelsOpen: undefined } : one)),
      );
  }

  /** Called when the user of an account is known: halts of its key or name become that user's. */
  adopt(account: ExchangeAccount, user: string): void {
    if (isStandIn(user)) return;
    for (const { user: former } of this.#own(account)) {
      if (former === user) continue;
      void this.#change(`user of ${former}`, (halts) => {
        const halt = halts.find((one) => one.user === former);
        // Another process may have ended it.
        if (halt === undefined) return halts;
        return [...halts.filter((one) => one.user !== former && one.user !== user), { ...halt, user }];
      });
    }
  }

  /** Reads the unknown users of halts, unless the account is halted anyway. Resolves when all reads have ended. */
  async learnUsers(account: ExchangeAccount): Promise<void> {
    if (this.of(account) === undefined) await Promise.all(this.#undecided().map((one) => this.#learn(one)));
  }

  /** Throws `TRADING_HALTED` while the account is halted, and `EXCHANGE_UNAVAILABLE` while it may be. */
  refuseHalted(account: ExchangeAccount): void {
    const halt = this.of(account);
    if (halt === undefined) {
      this.#refuseUndecided(account);
      return;
    }
    const since = new Date(halt.since).toISOString();
    const why = halt.reason === null ? "" : ` (${halt.reason})`;
    const what = halt.user === null ? "all accounts" : account.name;
    throw new Fault(
      "TRADING_HALTED",
      `trading of ${what} is halted since ${since}${why}: only cancels and closes are sent; nothing was sent`,
    );
  }

  takeOver(stored: readonly Halt[]): void {
    this.#stored = stored;
    this.#apply();
  }

  retry(): void {
    if (!this.#isStoring && this.#unstored.size > 0) void this.#store();
  }

  #refuseUndecided(account: ExchangeAccount): void {
    const [halted] = this.#undecided();
    if (halted === undefined) return;
    throw new Fault(
      "EXCHANGE_UNAVAILABLE",
      `trading of ${halted.name} is halted, and its user is not known yet: ${account.name} may be an account of the same user; nothing was sent`,
      { retryAfterMs: RETRY_AFTER_MS },
    );
  }

  /** The halts of an account, by its user or a placeholder. */
  #own(account: ExchangeAccount): readonly Halt[] {
    return this.#halts.filter((halt) => this.isOf(account, halt));
  }

  /** The halted accounts whose users are not known. */
  #undecided(): readonly ExchangeAccount[] {
    const halted = this.#halts.flatMap((halt) => this.#behind(halt));
    return halted.filter((account) => this.users.cachedUser(account) === undefined);
  }

  /** The accounts of a halt that is kept under a placeholder. */
  #behind({ user, account }: Halt): readonly ExchangeAccount[] {
    return user === null || account === null || !isStandIn(user) ? [] : this.users.known.accountsBehind(user, account);
  }

  /** Reads the account's user. If that fails, the next write reads it. */
  async #learn(account: ExchangeAccount): Promise<void> {
    try {
      await this.users.of(account, "cancel");
    } catch (error) {
      if (!(error instanceof Fault)) this.failed(error);
    }
  }

  #apply(): void {
    this.#halts = [...this.#unstored.values()].reduce((halts, edit) => edit(halts), this.#stored);
  }

  /**
   * Halts end once that is stored. An end that could not be stored now would, if it were stored later, end a halt that another
   * process has ordered since.
   */
  async #end(users: readonly (string | null)[]): Promise<boolean> {
    const before = [...this.#unstored];
    try {
      await this.#afterOthers(() => {
        const earlier = before.filter(([name, edit]) => this.#unstored.get(name) === edit);
        return this.#storeAll([...earlier, ["end", (halts) => halts.filter(({ user }) => !users.includes(user))]]);
      });
      return this.store.isDurable;
    } catch (error) {
      this.failed(error);
      const problem = "the end of the halt could not be stored: trading stays halted";
      throw new Fault("JOURNAL_UNAVAILABLE", problem, { retryAfterMs: RETRY_AFTER_MS }, { cause: error });
    }
  }

  /** Takes effect at once. Resolves to whether it is stored. */
  #change(name: string, edit: HaltEdit): Promise<boolean> {
    this.#unstored.delete(name);
    this.#unstored.set(name, edit);
    this.#halts = edit(this.#halts);
    return this.#store();
  }

  /** Stores what is not stored yet. */
  async #store(): Promise<boolean> {
    try {
      await this.#afterOthers(() => this.#storeAll([...this.#unstored]));
      return this.store.isDurable;
    } catch (error) {
      this.failed(error);
      return false;
    }
  }

  async #storeAll(edits: readonly (readonly [name: string, edit: HaltEdit])[]): Promise<void> {
    if (edits.length === 0) return;
    await this.store.change((stored) => edits.reduce((halts, [, edit]) => edit(halts), stored));
    for (const [name, edit] of edits) if (this.#unstored.get(name) === edit) this.#unstored.delete(name);
    this.#apply();
  }

  /** Changes are stored one after the other. */
  #afterOthers(store: () => Promise<void>): Promise<void> {
    const storing = this.#storing.then(store, store);
    this.#storing = storing;
    this.#isStoring = true;
    return storing.finally(() => {
      if (this.#storing === storing) this.#isStoring = false;
    });
  }
}
