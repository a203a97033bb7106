import type { ExchangeAccount } from "../../calls/index.js";
import { Fault, isStandIn } from "../../errors/index.js";
import type { Users } from "../../reads/index.js";
import type { FollowedHalts, Halt, HaltStore } from "./halt.js";

/** A new halt, of one account or of all. */
interface HaltOrder extends Pick<Halt, "since" | "by" | "reason" | "cancelsOpen"> {
  readonly account: ExchangeAccount | null;
}

type HaltedUsers = Pick<Users, "cachedUser" | "of" | "standInOf" | "namesOf" | "isSame" | "accountsBehind">;

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
  readonly #halts = new Map<string | null, Halt>();
  /** Changes made here that are not stored yet, or cannot be; undefined for a placeholder whose halt is that of a user now. */
  readonly #unstored = new Map<string | null, Halt | undefined>();
  #stored: Promise<boolean> = Promise.resolve(true);
  #isStoring = false;

  /** `failed` is called with the reason if halts could not be stored. */
  constructor(
    private readonly store: HaltStore,
    private readonly users: HaltedUsers,
    private readonly failed: (error: unknown) => void,
  ) {
    for (const halt of store.read()) this.#halts.set(halt.user, halt);
  }

  /** All halts in force, the one of all accounts first. */
  get all(): readonly Halt[] {
    return [...this.#halts.values()].sort((one, other) => ((one.account ?? "") < (other.account ?? "") ? -1 : 1));
  }

  /** The halt that applies to an account: that of all accounts, or its own. */
  of(account: ExchangeAccount): Halt | undefined {
    return this.#halts.get(null) ?? this.#own(account)[0];
  }

  /** Whether a halt applies to an account, or may because its user is not known yet. */
  mayApplyTo(account: ExchangeAccount): boolean {
    return this.of(account) !== undefined || this.#undecided().length > 0;
  }

  /** Whether it is a halt of this account, and not that of all accounts. */
  isOf(account: ExchangeAccount, halt: Halt): boolean {
    if (halt.user === null) return false;
    return this.users.namesOf(account).includes(halt.user) || this.#behind(halt).some((one) => this.users.isSame(one, account));
  }

  /** Halts an account, or all, with immediate effect. Resolves to whether it is stored. */
  halt({ account, since, by, reason, cancelsOpen = false }: HaltOrder): Promise<boolean> {
    const user = account === null ? null : (this.users.cachedUser(account) ?? this.users.standInOf(account));
    // A repeated halt keeps the time of the first.
    const first = account === null ? this.#halts.get(null) : this.#own(account)[0];
    const halt = { user, account: account?.name ?? null, since: first?.since ?? since, by, reason };
    const cancels = cancelsOpen || first?.cancelsOpen === true;
    const stored = this.#change([], cancels ? { ...halt, cancelsOpen: true } : halt);
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
    return this.#end([...this.users.namesOf(account), ...this.#own(account).map(({ user }) => user)]);
  }

  /** Records that the orders that can add risk are cancelled. Resolves when that is stored. */
  async hasCancelled({ account, since }: Halt): Promise<void> {
    const found = this.all.find((one) => one.account === account && one.since === since);
    if (found?.cancelsOpen !== true) return;
    const { cancelsOpen, ...halt } = found;
    await this.#change([], halt);
  }

  /** Called when the user of an account is known: halts of its key or name become that user's. */
  adopt(account: ExchangeAccount, user: string): void {
    if (isStandIn(user)) return;
    for (const halt of this.#own(account)) {
      if (halt.user !== user) void this.#change([halt.user], { ...halt, user });
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
    this.#halts.clear();
    for (const halt of stored) this.#halts.set(halt.user, halt);
    for (const [user, halt] of this.#unstored) this.#set(user, halt);
  }

  retry(): void {
    if (this.#isStoring) return;
    for (const [user, halt] of this.#unstored) void this.#change(halt === undefined ? [user] : [], halt);
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
    return [...this.#halts.values()].filter((halt) => this.isOf(account, halt));
  }

  /** The halted accounts whose users are not known. */
  #undecided(): readonly ExchangeAccount[] {
    const halted = [...this.#halts.values()].flatMap((halt) => this.#behind(halt));
    return halted.filter((account) => this.users.cachedUser(account) === undefined);
  }

  /** The accounts of a halt that is kept under a placeholder. */
  #behind({ user, account }: Halt): readonly ExchangeAccount[] {
    return user === null || account === null || !isStandIn(user) ? [] : this.users.accountsBehind(user, account);
  }

  /** Reads the account's user. If that fails, the next write reads it. */
  async #learn(account: ExchangeAccount): Promise<void> {
    try {
      await this.users.of(account, "cancel");
    } catch (error) {
      if (!(error instanceof Fault)) this.failed(error);
    }
  }

  #set(user: string | null, halt: Halt | undefined): void {
    if (halt === undefined) this.#halts.delete(user);
    else this.#halts.set(user, halt);
  }

  /**
   * Halts end once that is stored. An end that could not be stored now would, if it were stored later, end a halt that another
   * process has ordered since.
   */
  async #end(users: readonly (string | null)[]): Promise<boolean> {
    const earlier = new Set(this.#unstored.values());
    try {
      const isKept = await this.#afterOthers(() => this.store.change(users, undefined));
      for (const user of users) {
        const later = this.#unstored.get(user);
        if (later !== undefined && !earlier.has(later)) continue;
        this.#unstored.delete(user);
        this.#halts.delete(user);
      }
      return isKept;
    } catch (error) {
      this.failed(error);
      const problem = "the end of the halt could not be stored: trading stays halted";
      throw new Fault("JOURNAL_UNAVAILABLE", problem, { retryAfterMs: RETRY_AFTER_MS }, { cause: error });
    }
  }

  /** Takes effect at once. */
  #change(ended: readonly (string | null)[], halt: Halt | undefined): Promise<boolean> {
    const changes = new Map<string | null, Halt | undefined>(ended.map((user) => [user, undefined]));
    if (halt !== undefined) changes.set(halt.user, halt);
    for (const [user, change] of changes) {
      this.#set(user, change);
      this.#unstored.set(user, change);
    }
    return this.#afterOthers(() => this.#store(changes, () => this.store.change(ended, halt)));
  }

  /** Changes are stored one after the other. */
  #afterOthers(store: () => Promise<boolean>): Promise<boolean> {
    const stored = this.#stored.then(store, store);
    this.#stored = stored;
    this.#isStoring = true;
    return stored.finally(() => {
      if (this.#stored === stored) this.#isStoring = false;
    });
  }

  async #store(changes: ReadonlyMap<string | null, Halt | undefined>, store: () => Promise<boolean>): Promise<boolean> {
    try {
      const isKept = await store();
      for (const [user, change] of changes) if (this.#unstored.get(user) === change) this.#unstored.delete(user);
      return isKept;
    } catch (error) {
      this.failed(error);
      return false;
    }
  }
}
