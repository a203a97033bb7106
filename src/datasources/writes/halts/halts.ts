import { Fault } from "../../fault.js";
import type { Halt, HaltStore } from "./halt.js";

/**
 * The kill switch. While an account is halted, nothing is sent for it but what can only take risk away. A halt holds from
 * the call on; it is kept in a store, so that it holds after a restart too.
 */
export class Halts {
  readonly #halts = new Map<string | null, Halt>();
  /** What was ordered here and is not stored yet, or cannot be. */
  readonly #unstored = new Map<string | null, Halt | undefined>();
  #stored: Promise<boolean> = Promise.resolve(true);

  /** `notStored` is told why halts could not be stored. */
  constructor(
    private readonly store: HaltStore,
    private readonly notStored: (error: unknown) => void,
  ) {
    for (const halt of store.read()) this.#halts.set(halt.account, halt);
  }

  /** All that hold, the one of all accounts first. */
  get all(): readonly Halt[] {
    return [...this.#halts.values()].sort((one, other) => ((one.account ?? "") < (other.account ?? "") ? -1 : 1));
  }

  /** The halt that holds for an account: of all accounts, or its own. */
  of(account: string): Halt | undefined {
    return this.#halts.get(null) ?? this.#halts.get(account);
  }

  /** Halts an account, or all, from now on. Gives whether that is stored: it holds either way. */
  halt(halt: Halt): Promise<boolean> {
    // The first one says since when.
    const since = this.#halts.get(halt.account)?.since ?? halt.since;
    return this.#change(halt.account, { ...halt, since });
  }

  /** Ends the halt of an account, or that of all, which leaves the accounts' own. Gives whether that is stored. */
  resume(account: string | null): Promise<boolean> {
    return this.#change(account, undefined);
  }

  /** Throws `TRADING_HALTED` while the account is halted. */
  refuseHalted(account: string): void {
    const halt = this.of(account);
    if (halt === undefined) return;
    const since = new Date(halt.since).toISOString();
    const why = halt.reason === null ? "" : ` (${halt.reason})`;
    throw new Fault(
      "TRADING_HALTED",
      `trading of ${halt.account ?? "all accounts"} is halted since ${since}${why}: only cancels and closes are sent; nothing was sent`,
    );
  }

  /** Takes over what the store holds now: another process may have changed it. */
  takeOver(stored: readonly Halt[]): void {
    this.#halts.clear();
    for (const halt of stored) this.#halts.set(halt.account, halt);
    for (const [account, halt] of this.#unstored) this.#set(account, halt);
  }

  #set(account: string | null, halt: Halt | undefined): void {
    if (halt === undefined) this.#halts.delete(account);
    else this.#halts.set(account, halt);
  }

  /** Holds at once, and is stored one after the other. */
  #change(account: string | null, halt: Halt | undefined): Promise<boolean> {
    this.#set(account, halt);
    this.#unstored.set(account, halt);
    this.#stored = this.#stored.then(() => this.#store(account, halt));
    return this.#stored;
  }

  async #store(account: string | null, halt: Halt | undefined): Promise<boolean> {
    try {
      const isKept = await this.store.change(account, halt);
      if (this.#unstored.get(account) === halt) this.#unstored.delete(account);
      return isKept;
    } catch (error) {
      this.notStored(error);
      return false;
    }
  }
}
