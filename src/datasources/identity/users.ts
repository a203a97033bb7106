import { accountSettings, classicAccount } from "@exchange-graph/contract/account";
import { type ExchangeAccount, keyDigest } from "../accounts/exchangeAccount.js";
import { accountStandIn, standIn } from "../accounts/standIns.js";
import { growingLru } from "../cache/lru.js";
import { Fault } from "../fault.js";
import type { Reader } from "../reads/reader.js";
import type { AccountModes } from "./accountModes.js";

/** Where it is remembered beyond this process which user a key belongs to. Keys are known by their digests. */
export interface KeyRegister {
  /** Rejects with `JOURNAL_UNAVAILABLE` while it cannot be read. */
  userOf(key: string): Promise<string | undefined>;
  /** From now on this is the key's user, and was before. Rejects with `JOURNAL_UNAVAILABLE` while it cannot be written. */
  remember(key: string, user: string, account: string): Promise<void>;
}

/** Keys that were in use: more than this are not replaced between two restarts. */
const MAX_KEYS = 1_000;

/**
 * Who an account is: the user of the exchange whose key it has. Names of accounts and addresses of the exchange are the
 * operator's, and change; the user does not. The exchange is asked once per key.
 *
 * A key that may not ask is a user of its own.
 */
export class Users {
  readonly #known = growingLru<string>(MAX_KEYS);
  readonly #asking = new Map<string, Promise<string>>();

  constructor(
    private readonly parts: {
      readonly reader: Reader;
      readonly modes: AccountModes;
      readonly register: KeyRegister;
      /** Called whenever it becomes known whose an account is: what was noted under a stand-in is this user's. */
      readonly onLearned?: (account: ExchangeAccount, user: string) => void;
    },
  ) {}

  /** The user; nothing as long as nobody has asked. */
  known(account: ExchangeAccount): string | undefined {
    return this.#known.get(keyDigest(account.credentials));
  }

  /** The user. Throws `Fault` when the exchange cannot be asked now. */
  of(account: ExchangeAccount): Promise<string> {
    const key = keyDigest(account.credentials);
    const known = this.#known.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const asking = this.#asking.get(key) ?? this.#learn(account, key).finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  /** What is remembered. No upstream call. */
  async recall(account: ExchangeAccount): Promise<void> {
    const key = keyDigest(account.credentials);
    const user = this.#known.get(key) ?? (await whereItCan(this.parts.register.userOf(key)));
    if (user !== undefined) this.#learned(account, key, user);
  }

  /** What stands for the account's user as long as that is unknown. */
  standInOf(account: ExchangeAccount): string {
    return standIn(keyDigest(account.credentials));
  }

  /** Is this the account of that user, or of what stands for it, as far as is known? */
  isOf(account: ExchangeAccount, user: string): boolean {
    return this.namesOf(account).includes(user);
  }

  /** The account's user, if it is known, and all that may stand for it. */
  namesOf(account: ExchangeAccount): readonly string[] {
    const known = this.known(account);
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

/** What is not remembered is asked again after a restart. */
async function whereItCan<T>(done: Promise<T>): Promise<T | undefined> {
  try {
    return await done;
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
