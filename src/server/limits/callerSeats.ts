import { ANY_CALLER } from "../caller.js";

/** Something that is open until it says that it has closed. */
interface Closing {
  once(event: "close", task: () => void): unknown;
}

/** Counts what each caller holds open. Holds as many entries as there are callers with something open. */
export class CallerSeats {
  readonly #taken = new Map<string, number>();

  constructor(readonly limit: number) {}

  /** Takes a seat for as long as something is open; false when there is none left. */
  take(principal: string, connection: Closing): boolean {
    if (principal === ANY_CALLER.principal) return true;
    const taken = this.#taken.get(principal) ?? 0;
    if (taken >= this.limit) return false;
    this.#taken.set(principal, taken + 1);
    connection.once("close", () => {
      const left = (this.#taken.get(principal) ?? 1) - 1;
      if (left === 0) this.#taken.delete(principal);
      else this.#taken.set(principal, left);
    });
    return true;
  }
}
