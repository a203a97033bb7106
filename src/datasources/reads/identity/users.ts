import { accountSettings, classicAccount } from "@exchange-graph/contract/account";
import type { Clock } from "@exchange-graph/contract/clock";
import { type ExchangeAccount, type KnownUsers, PRIORITIES, type Priority } from "../../calls/index.js";
import { Fault, faultIn, ifFault, inTime, standIn } from "../../errors/index.js";
import type { Reader } from "../reader/reader.js";
import type { AccountModes } from "./accountModes.js";

interface Waiting {
  priority: Priority;
  readonly start: () => void;
}

/** Time between an answer and the next call: the window of the limit of one call a second and user, and the rounding of clocks. */
const REST_MS = 1_005;
/** A call without an answer holds up the next one for at most this long. */
const LATE_MS = 2_000;
/** With more keys than this waiting, a further key does not wait: each takes about a second. */
const MAX_WAITING = 5;

/**
 * Calls that identify the users of keys, one after the other: until they are answered it is not known which keys share a rate
 * budget. What is urgent goes first.
 */
export class IdentifyingLine {
  readonly #waiting = new Map<string, Waiting>();
  #isOccupied = false;

  constructor(private readonly clock: Clock) {}

  /** Makes a call for a key when it is its turn. */
  async inTurn<T>(key: string, priority: Priority, call: () => Promise<T>): Promise<T> {
    if (this.#isOccupied && this.#waiting.size >= MAX_WAITING) return call();
    if (this.#isOccupied) await new Promise<void>((start) => this.#waiting.set(key, { priority, start }));
    this.#isOccupied = true;
    let hasLeft = false;
    const leave = (): void => {
      if (!hasLeft) this.#next();
      hasLeft = true;
    };
    const cancelLate = this.clock.after(LATE_MS, leave);
    try {
      return await call();
    } finally {
      cancelLate();
      this.clock.after(REST_MS, leave);
    }
  }

  /** Raises the priority of a waiting key. */
  hurry(key: string, priority: Priority): void {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined && rankOf(priority) < rankOf(waiting.priority)) waiting.priority = priority;
  }

  #next(): void {
    const [next] = [...this.#waiting].sort(([, one], [, other]) => rankOf(one.priority) - rankOf(other.priority));
    this.#isOccupied = next !== undefined;
    if (next === undefined) return;
    const [key, { start }] = next;
    this.#waiting.delete(key);
    start();
  }
}

const rankOf = (priority: Priority): number => PRIORITIES.indexOf(priority);

/** Stores the user of each key beyond this process. Keys are identified by their digests. */
export interface KeyRegister {
  /** Rejects with `JOURNAL_UNAVAILABLE` while it cannot be read. */
  userOf(key: string): Promise<string | undefined>;
  /** Stores the key's user, also for former writes. Rejects with `JOURNAL_UNAVAILABLE` while it cannot be written. */
  remember(key: string, user: string): Promise<void>;
}

/**
 * Identifies the exchange's user of an account by its key. Names of accounts and addresses of the exchange can be changed by the
 * operator; the user cannot. The user is read once per key.
 *
 * A key without permission to read its user counts as a user of its own.
 */
export class Users {
  readonly #underWay = new Map<string, Promise<string>>();
  readonly #line: IdentifyingLine;
  /** Keys whose users were not read in the time that was given. */
  readonly #overdue = new WeakSet<ExchangeAccount["credentials"]>();

  constructor(
    private readonly parts: {
      readonly reader: Reader;
      readonly modes: AccountModes;
      readonly knownUsers: KnownUsers;
      readonly register: KeyRegister;
      readonly clock: Clock;
    },
  ) {
    this.#line = new IdentifyingLine(parts.clock);
  }

  /** What is known of users without a call. */
  get known(): KnownUsers {
    return this.parts.knownUsers;
  }

  /** The cached user; undefined before it was read. No upstream call. */
  cachedUser(account: ExchangeAccount): string | undefined {
    return this.parts.knownUsers.cachedUser(account);
  }

  /**
   * The user. Throws `Fault` if the exchange cannot be reached now. `priority` orders the calls for keys whose users are not known.
   */
  of(account: ExchangeAccount, priority: Priority = "read"): Promise<string> {
    const key = this.parts.knownUsers.keyOf(account);
    const cached = this.cachedUser(account);
    if (cached !== undefined) return Promise.resolve(cached);
    this.#line.hurry(key, priority);
    const shared = this.#underWay.get(key);
    // Only an account that was removed is forbidden to ask; another one with its key asks itself.
    if (shared !== undefined)
      return shared.catch((error) => (isForbidden(error) ? this.of(account, priority) : Promise.reject(error)));
    const learning = this.#learn(account, key, priority).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, learning);
    return learning;
  }

  /** Reads the users of these accounts, for this long (ms) at most. The result is the reason if one of them could not be read. */
  async identify(accounts: readonly ExchangeAccount[], withinMs: number): Promise<Fault | undefined> {
    const keys = accounts.map(({ credentials }) => credentials);
    const learned = accounts.map((account) => this.of(account).then(() => undefined, faultIn));
    const failures = await inTime(this.parts.clock, Promise.all(learned), withinMs);
    if (failures !== undefined) return failures.find((failure) => failure !== undefined);
    for (const key of keys) this.#overdue.add(key);
    return new Fault("EXCHANGE_TIMEOUT", `the users of accounts could not be read within ${withinMs} ms`);
  }

  /** Whether the account's user was among those that `identify` has not read in time. */
  isOverdue({ credentials }: ExchangeAccount): boolean {
    return this.#overdue.has(credentials);
  }

  /** Loads the stored user. No upstream call. */
  async recall(account: ExchangeAccount): Promise<void> {
    const { knownUsers, register } = this.parts;
    const { credentials } = account;
    const user = knownUsers.cachedUser(account) ?? (await register.userOf(knownUsers.keyOf(account)).catch(ifFault));
    if (user !== undefined && account.credentials === credentials) knownUsers.learn(account, user);
  }

  async #learn(account: ExchangeAccount, key: string, priority: Priority): Promise<string> {
    const { knownUsers, register } = this.parts;
    const { credentials } = account;
    // A call is signed when it is sent. If the key was replaced while it waited, the answer may be about either key's user.
    const isReplaced = () => account.credentials !== credentials;
    const remembered = await register.userOf(key).catch(ifFault);
    const user = remembered ?? (await this.#ask(account, key, priority));
    // A user that could not be stored is read again after a restart.
    if (remembered === undefined && !isReplaced()) await register.remember(key, user).catch(ifFault);
    if (isReplaced()) {
      this.#underWay.delete(key);
      return this.of(account, priority);
    }
    knownUsers.learn(account, user);
    return user;
  }

  async #ask(account: ExchangeAccount, key: string, priority: Priority): Promise<string> {
    const { reader, modes } = this.parts;
    try {
      const isUnified = (await modes.of(account)) === "UNIFIED";
      const user = isUnified
        ? (await reader.read(reader.prepare(accountSettings, {}, account))).uid
        : (await this.#line.inTurn(key, priority, () => reader.read(reader.prepare(classicAccount, {}, account)))).userId;
      if (user !== null) return user;
      throw new Fault("EXCHANGE_BAD_RESPONSE", `the exchange's answer does not name the user of ${account.name}`);
    } catch (error) {
      if (error instanceof Fault && error.code === "ACCOUNT_MODE_MISMATCH") modes.forget(account);
      if (isForbidden(error)) return standIn(key);
      throw error;
    }
  }
}

const isForbidden = (error: unknown): boolean => error instanceof Fault && error.code === "FORBIDDEN";
