import { Fault } from "../fault.js";
import type { ExchangeAccount } from "./exchangeAccount.js";

/** What a replacement of the accounts has changed, by name. */
interface AccountChange {
  readonly added: readonly ExchangeAccount[];
  /** Another key, or another tariff. */
  readonly changed: readonly ExchangeAccount[];
  readonly removed: readonly ExchangeAccount[];
}

/** Accounts that are gone and may come back, for those who still hold them. */
const MAX_REMOVED = 1_000;

/** An account as everybody holds it: what it says is what is configured at that moment. */
interface LiveAccount {
  readonly account: ExchangeAccount;
  /** `undefined` once it is removed. */
  settings: ExchangeAccount | undefined;
}

/**
 * The accounts, which can be replaced while calls are under way. Whoever holds an account holds it by its name: its
 * credentials are looked up when they are needed, so a call that waited is signed with the key of the moment in which it
 * leaves, and one for an account that is gone does not leave.
 *
 * A name stands for what is configured under it. The journal knows writes by the exchange's user, whatever its account is
 * called (`users.ts`).
 */
export class Accounts {
  readonly #live = new Map<string, LiveAccount>();
  readonly #listeners = new Set<(change: AccountChange) => void>();
  #all: readonly ExchangeAccount[] = [];

  constructor(accounts: readonly ExchangeAccount[]) {
    this.replace(accounts);
  }

  /**
   * In the order in which they were configured, and those that were added later after them: the first one answers where
   * no account is named, and it stays the first as long as it is there.
   */
  get all(): readonly ExchangeAccount[] {
    return this.#all;
  }

  /** The account of this name; without a name, the first. */
  find(name?: string | null): ExchangeAccount | undefined {
    return name === undefined || name === null ? this.#all[0] : this.#all.find((one) => one.name === name);
  }

  /** Takes these accounts for those that there are, at once. */
  replace(accounts: readonly ExchangeAccount[]): AccountChange {
    const next = new Map(accounts.map((account) => [account.name, account]));
    const removed = this.#all.filter(({ name }) => !next.has(name));
    const added: ExchangeAccount[] = [];
    const changed: ExchangeAccount[] = [];
    for (const { name } of removed) this.#set(name, undefined);
    for (const settings of accounts) {
      const before = this.#live.get(settings.name)?.settings;
      if (before !== undefined && isSame(before, settings)) continue;
      const { account } = this.#set(settings.name, settings);
      (before === undefined ? added : changed).push(account);
    }
    this.#all = [...this.#all.filter(({ name }) => next.has(name)), ...added];
    this.#forgetRemoved();
    const change = { added, changed, removed };
    if (added.length + changed.length + removed.length > 0) for (const listener of this.#listeners) listener(change);
    return change;
  }

  /** Hears of every change, right after it. */
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
      throw new Fault("FORBIDDEN", `${name} is no account of this gateway any more; nothing was sent`);
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
