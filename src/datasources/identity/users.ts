import { accountSettings, classicAccount } from "@exchange-graph/contract/account";
import { type ExchangeAccount, keyDigest } from "../accounts/exchangeAccount.js";
import { accountStandIn, standIn } from "../accounts/standIns.js";
import { growingLru } from "../cache/lru.js";
import { Fault } from "../fault.js";
import type { Reader } from "../reads/reader.js";
import type { AccountModes } from "./accountModes.js";

/** Stores the user of each key beyond this process. Keys are identified by their digests. */
export interface KeyRegister {
  /** Rejects with `JOURNAL_UNAVAILABLE` while it cannot be read. */
  userOf(key: string): Promise<string | undefined>;
  /** Stores the key's user, also for former writes. Rejects with `JOURNAL_UNAVAILABLE` while it cannot be written. */
  remember(key: string, user: string, account: string): Promise<void>;
}

/** Maximum number of cached keys; more are not replaced between two restarts. */
const MAX_KEYS = 1_000;

/**
 * Identifies the exchange's user of an account by its key. Names of accounts and addresses of the exchange can be changed by the
 * operator; the user cannot. The exchange is asked once per key.
 *
 * A key without permission to read its user counts as a user of its own.
 */
export class Users {
  readonly #known = growingLru<string>(MAX_KEYS);
  readonly #asking = new Map<string, Promise<string>>();

  constructor(
    private readonly parts: {
      readonly reader: Reader;
      readonly modes: AccountModes;
      readonly register: KeyRegister;
      /** Called when the user of an account becomes known: entries under its placeholder belong to this user. */
      readonly onLearned?: (account: ExchangeAccount, user: string) => void;
    },
  ) {}

  /** The cached user; undefined before it was read. No upstream call. */
  cachedUser(account: ExchangeAccount): string | undefined {
    return this.#known.get(keyDigest(account.credentials));
  }

  /** The user. Throws `Fault` if the exchange cannot be asked now. */
  of(account: ExchangeAccount): Promise<string> {
    const key = keyDigest(account.credentials);
    const known = this.#known.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const asking = this.#asking.get(key) ?? this.#learn(account, key).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  /** Loads the stored user. No upstream call. */
  async recall(account: ExchangeAccount): Promise<void> {
    const key = keyDigest(account.credentials);
    const user = this.#known.get(key) ?? (await whereItCan(this.parts.register.userOf(key)));
    if (user !== undefined) this.#learned(account, key, user);
  }

  /** The placeholder for the account's user while that is unknown. */
  standInOf(account: ExchangeAccount): string {
    return standIn(keyDigest(account.credentials));
  }

  /** Whether the account belongs to that user, or placeholder, as far as is known. */
  isOf(account: ExchangeAccount, user: string): boolean {
    return this.namesOf(account).includes(user);
  }

  /** The account's user, if it is known, and all of its placeholders. */
  namesOf(account: ExchangeAccount): readonly string[] {
    const known = this.cachedUser(account);
    const standIns = [this.standInOf(account), accountStandIn(account.name)];
    return known === undefined ? standIns : [known, ...standIns];
  }

  async #learn(account: ExchangeAccount, key: string): Promise<string> {
    const { register } = this.parts;
    const remembered = await whereItCan(register.userOf(key));
    const user = remembered ?? (await this.#ask(account, key));
    if (remembered === undefined) await whereItCan(register.remember(key, user, account.name));
    this.#learned(account, key, user);
    return user;
  }

  #learned(account: ExchangeAccount, key: string, user: string): void {
    this.#known.set(key, user);
    this.parts.onLearned?.(account, user);
  }

  async #ask(account: ExchangeAccount, key: string): Promise<string> {
    const { reader, modes } = this.parts;
    try {
      const isUnified = (await modes.of(account)) === "UNIFIED";
      const user = isUnified
        ? (await reader.read(reader.prepare(accountSettings, {}, account))).uid
        : (await reader.read(reader.prepare(classicAccount, {}, account))).userId;
      if (user !== null) return user;
      throw new Fault("EXCHANGE_BAD_RESPONSE", `the exchange does not say which user ${account.name} is`);
    } catch (error) {
      if (error instanceof Fault && error.code === "ACCOUNT_MODE_MISMATCH") modes.forget(account);
      if (error instanceof Fault && error.code === "FORBIDDEN") return standIn(key);
      throw error;
    }
  }
}

/** A user that could not be stored is read again after a restart. */
async function whereItCan<T>(done: Promise<T>): Promise<T | undefined> {
  try {
    return await done;
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
