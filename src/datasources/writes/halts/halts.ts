import { Fault } from "../../fault.js";
import type { Halt, HaltStore } from "./halt.js";

/**
 * The kill switch. While an account is halted, nothing is sent for it but what can only take risk away. A halt holds from
 * the call on; it is kept in a store, so that it holds after a restart too.
 */
export class Halts {
  readonly #halts = new Map<string | null, Halt>();
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
    this.#halts.set(halt.account, { ...halt, since });
    return this.#keep();
  }

  /** Ends the halt of an account, or that of all, which leaves the accounts' own. Gives whether that is stored. */
  resume(account: string | null): Promise<boolean> {
    this.#halts.delete(account);
    return this.#keep();
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

  /** One after the other: what is stored last is what holds. */
  #keep(): Promise<boolean> {
    this.#stored = this.#stored.then(() => this.#store());
    return this.#stored;
  }

  async #store(): Promise<boolean> {
    try {
      await this.store.write(this.all);
      return true;
    } catch (error) {
      this.notStored(error);
      return false;
    }
  }
}
