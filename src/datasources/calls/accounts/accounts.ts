import { Fault } from "../../errors/index.js";
import type { ExchangeAccount } from "./exchangeAccount.js";

/** Changes by a replacement of the accounts. */
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
