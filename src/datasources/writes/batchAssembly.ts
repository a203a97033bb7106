import { Fault } from "../errors/index.js";

/** Writes that leave together are sent all or not at all: some were refused, each for a reason of its own. */
export class Refusals extends Error {
  override readonly name = "Refusals";

  constructor(
    /** By the place of the write; undefined for those without a reason of their own. */
    readonly faults: readonly (Fault | undefined)[],
  ) {
    super("writes were refused");
  }

  /** The reason of each write: that of the others if it has none. */
  each(): readonly Fault[] {
    const others = refusedFor(this.faults.flatMap((fault, at) => (fault === undefined ? [] : [at])));
    return this.faults.map((fault) => fault ?? others);
  }
}

/** The reason of the writes that were not sent because those at these places were refused. */
export const refusedFor = (places: readonly number[]): Fault =>
  new Fault("BATCH_REFUSED", `nothing of the batch was sent, because of ${places.map((at) => `orders.${at}`).join(", ")}`);

/** A write's place among those that leave together. It is used once: with the write, or without it. */
export interface Seat<P, T> {
  /** The write waits here for the others, and leaves with them. */
  board(write: P): Promise<T>;
  /** It does not leave with them: it has an outcome already, or is refused. */
  giveUp(isRefused: boolean): void;
}

/** Several writes, which leave once each of them has boarded or given up. */
export class Convoy<P, T> {
  readonly seats: readonly Seat<P, T>[];
  readonly #boarded: { readonly at: number; readonly write: P; readonly arrive: (end: T | Promise<T>) => void }[] = [];
  readonly #refused: number[] = [];
  readonly #awaited: Set<number>;

  constructor(
    count: number,
    /** Sends those that have boarded; `refused` has the places of those that are refused. Returns an end for each. */
    private readonly depart: (
      writes: readonly (readonly [at: number, write: P])[],
      refused: readonly number[],
    ) => Promise<readonly T[]>,
  ) {
    this.#awaited = new Set(Array.from({ length: count }, (_, at) => at));
    this.seats = [...this.#awaited].map((at) => ({
      board: (write) =>
        new Promise<T>((arrive) => {
          this.#boarded.push({ at, write, arrive });
          this.#settle(at);
        }),
      giveUp: (isRefused) => {
        if (isRefused && this.#awaited.has(at)) this.#refused.push(at);
        this.#settle(at);
      },
    }));
  }

  #settle(at: number): void {
    if (!this.#awaited.delete(at) || this.#awaited.size > 0) return;
    const boarded = this.#boarded.toSorted((one, other) => one.at - other.at);
    const ends = this.depart(
      boarded.map(({ at: place, write }) => [place, write] as const),
      this.#refused,
    );
    boarded.forEach(({ arrive }, index) => {
      arrive(ends.then((all) => all[index] as T));
    });
  }
}
