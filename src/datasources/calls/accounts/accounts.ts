import { accountStandIn, Fault, growingLru, isStandIn, standIn } from "../../errors/index.js";
import { type Credentials, type ExchangeAccount, keyDigest } from "./exchangeAccount.js";

interface AccountChange {
  readonly added: readonly ExchangeAccount[];
  /** Accounts with another key, or another rate tier. */
  readonly changed: readonly ExchangeAccount[];
  readonly removed: readonly ExchangeAccount[];
  /** The former settings of changed accounts, by name. */
  readonly former: ReadonlyMap<string, ExchangeAccount>;
}

/** Maximum number of removed accounts that are remembered, because calls may still refer to them. */
const MAX_REMOVED = 1_000;

/** An account as it is passed around: its properties are the current settings. */
interface LiveAccount {
  readonly account: ExchangeAccount;
  /** `undefined` once it is removed. */
  settings: ExchangeAccount | undefined;
}

/**
 * The accounts, which can be replaced while calls are running. An account object refers to the account by name: its credentials
 * are looked up when they are needed, so a call that has waited is signed with the current key, and a call for a removed account
 * is not sent.
 *
 * A name refers to its current settings. The journal identifies the exchange's user of a write, whatever the account's name
 * (`users.ts`).
 */
export class Accounts {
  readonly #live = new Map<string, LiveAccount>();
  readonly #listeners = new Set<(change: AccountChange) => void>();
  #all: readonly ExchangeAccount[] = [];

  constructor(accounts: readonly ExchangeAccount[]) {
    this.replace(accounts);
  }

  /** In the configured order, with later additions at the end: the first one is the default account, as long as it exists. */
  get all(): readonly ExchangeAccount[] {
    return this.#all;
  }

  /** The account with this name; the first one without a name. */
  find(name?: string | null): ExchangeAccount | undefined {
    return name === undefined || name === null ? this.#all[0] : this.#all.find((one) => one.name === name);
  }

  /** Replaces all accounts at once. */
  replace(accounts: readonly ExchangeAccount[]): AccountChange {
    const next = new Map(accounts.map((account) => [account.name, account]));
    const removed = this.#all.filter(({ name }) => !next.has(name));
    const added: ExchangeAccount[] = [];
    const changed: ExchangeAccount[] = [];
    const former = new Map<string, ExchangeAccount>();
    for (const { name } of removed) this.#set(name, undefined);
    for (const settings of accounts) {
      const before = this.#live.get(settings.name)?.settings;
      if (before !== undefined && isSame(before, settings)) continue;
      const { account } = this.#set(settings.name, settings);
      (before === undefined ? added : changed).push(account);
      if (before !== undefined) former.set(settings.name, before);
    }
    this.#all = [...this.#all.filter(({ name }) => next.has(name)), ...added];
    this.#forgetRemoved();
    const change = { added, changed, removed, former };
    if (added.length + changed.length + removed.length > 0) for (const listener of this.#listeners) listener(change);
    return change;
  }

  /** Calls the listener directly after every change. */
  onChange(listener: (change: AccountChange) => void): void {
    this.#listeners.add(listener);
  }

  #set(name: string, settings: ExchangeAccount | undefined): LiveAccount {
    const live = this.#live.get(name) ?? liveAccount(name);
    live.settings = settings;
    this.#live.set(name, live);
    return live;
  }

  #forgetRemoved(): void {
    const removed = [...this.#live].filter(([, { settings }]) => settings === undefined);
    for (const [name] of removed.slice(0, Math.max(0, removed.length - MAX_REMOVED))) this.#live.delete(name);
  }
}

function liveAccount(name: string): LiveAccount {
  const present = (): ExchangeAccount => {
    if (live.settings === undefined)
      throw new Fault("FORBIDDEN", `${name} is no longer an account of this gateway; nothing was sent`);
    return live.settings;
  };
  const live: LiveAccount = {
    settings: undefined,
    account: {
      name,
      get credentials() {
        return present().credentials;
      },
      get isCopyTrader() {
        return live.settings?.isCopyTrader === true;
      },
    },
  };
  return live;
}

function isSame(one: ExchangeAccount, other: ExchangeAccount): boolean {
  const [a, b] = [one.credentials, other.credentials];
  return (
    one.isCopyTrader === other.isCopyTrader &&
    a.apiKey.reveal() === b.apiKey.reveal() &&
    a.apiSecret.reveal() === b.apiSecret.reveal() &&
    a.passphrase.reveal() === b.passphrase.reveal()
  );
}

/** Maximum number of cached keys; more are not replaced between two restarts. */
const MAX_KEYS = 1_000;

/** The user of a current account, as far as it is known. */
interface AccountUser {
  /** The user, or its placeholder. */
  readonly id: string;
  /** All names of its present accounts, in their order. */
  readonly names: readonly string[];
}

/**
 * The known users of the exchange, by the digest of a key. Whatever the exchange counts or keeps per user is identified by them,
 * not by the names of accounts: two names with one key are one user from the start, and two keys once the user of both is known.
 */
export class KnownUsers {
  readonly #users = growingLru<string>(MAX_KEYS);
  readonly #digests = new WeakMap<Credentials, string>();
  readonly #listeners = new Set<(account: ExchangeAccount, user: string) => void>();
  /** The owners of these accounts by account name, until accounts or users change. */
  #owners: { readonly all: readonly ExchangeAccount[]; readonly byName: ReadonlyMap<string, AccountUser> } | undefined;

  constructor(private readonly accounts: Pick<Accounts, "all">) {}

  /** The user; undefined before it is known. Like the other methods, it throws `FORBIDDEN` for a removed account. */
  cachedUser(account: ExchangeAccount): string | undefined {
    return this.#users.get(this.keyOf(account));
  }

  /** The placeholder for the account's user while that is unknown. */
  standInOf(account: ExchangeAccount): string {
    return standIn(this.keyOf(account));
  }

  /** The user, or its placeholder. */
  idOf(account: ExchangeAccount): string {
    return this.cachedUser(account) ?? this.standInOf(account);
  }

  keyOf({ credentials }: Pick<ExchangeAccount, "credentials">): string {
    const cached = this.#digests.get(credentials);
    if (cached !== undefined) return cached;
    const digest = keyDigest(credentials);
    this.#digests.set(credentials, digest);
    return digest;
  }

  /** The account's user, if it is known, and all of its placeholders. */
  namesOf(account: ExchangeAccount): readonly string[] {
    const cached = this.cachedUser(account);
    const standIns = [this.standInOf(account), accountStandIn(account.name)];
    return cached === undefined ? standIns : [cached, ...standIns];
  }

  /** The current accounts of a user, or of its placeholder. */
  accountsOf(user: string): readonly ExchangeAccount[] {
    return this.accounts.all.filter((account) => this.idOf(account) === user || this.standInOf(account) === user);
  }

  /** The current accounts that a placeholder stands for: those with its key, otherwise the one with the name of that time. */
  accountsBehind(placeholder: string, name: string): readonly ExchangeAccount[] {
    const withKey = this.accounts.all.filter((account) => this.standInOf(account) === placeholder);
    return withKey.length > 0 ? withKey : this.accounts.all.filter((account) => account.name === name);
  }

  /** All names of the user of the account with this name; itself if there is no such account. */
  namesBeside(name: string): readonly string[] {
    return this.#ownerOf(name)?.names ?? [name];
  }

  /**
   * The exchange's user of the account with this name; undefined before it is known, for a key that may not read it, and if there is
   * no such account.
   */
  userOf(name: string): string | undefined {
    const id = this.#ownerOf(name)?.id;
    return id === undefined || isStandIn(id) ? undefined : id;
  }

  #ownerOf(name: string): AccountUser | undefined {
    const { all } = this.accounts;
    if (this.#owners?.all !== all) {
      const names = new Map<string, string[]>();
      const byName = new Map<string, AccountUser>();
      for (const account of all) {
        const id = this.idOf(account);
        const own = names.get(id) ?? [];
        own.push(account.name);
        names.set(id, own);
        byName.set(account.name, { id, names: own });
      }
      this.#owners = { all, byName };
    }
    return this.#owners.byName.get(name);
  }

  /** The names of a user's accounts, for operators; the identifier itself if it is no user. */
  labelOf(id: string): string {
    return (
      this.accountsOf(id)
        .map(({ name }) => name)
        .join(", ") || id
    );
  }

  /** Whether these two are one user, as far as is known. */
  isSame(one: ExchangeAccount, other: ExchangeAccount): boolean {
    return this.idOf(one) === this.idOf(other);
  }

  learn(account: ExchangeAccount, user: string): void {
    this.#users.set(this.keyOf(account), user);
    this.#owners = undefined;
    for (const listener of this.#listeners) listener(account, user);
  }

  /** Calls the listener whenever a user becomes known. */
  onLearned(listener: (account: ExchangeAccount, user: string) => void): void {
    this.#listeners.add(listener);
  }
}
