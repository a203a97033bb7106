import { Fault } from "../errors/index.js";

/** No write of a batch was sent, because some were refused, each for a reason of its own. */
export class BatchRefused extends Error {
  override readonly name = "BatchRefused";

  constructor(
    /** By the index of the write; undefined for those without a reason of their own. */
    readonly faults: readonly (Fault | undefined)[],
  ) {
    super("writes were refused");
  }

  /** The reason of each write. One without a reason of its own gets that of the refused ones. */
  each(): readonly Fault[] {
    const others = refusedFor(this.faults.flatMap((fault, at) => (fault === undefined ? [] : [at])));
    return this.faults.map((fault) => fault ?? others);
  }
}

/** The reason of the writes that were not sent because those with these indexes were refused. */
export const refusedFor = (places: readonly number[]): Fault =>
  new Fault("BATCH_REFUSED", `nothing of the batch was sent: refused were ${places.map((at) => `orders.${at}`).join(", ")}`);

/** A write's slot in a batch. Exactly one of its methods takes effect, once. */
export interface BatchSlot<P, T> {
  /** The write is ready: it waits for the others, and is sent with them. */
  ready(write: P): Promise<T>;
  /** The write is not sent with the others: it has an outcome already, or is refused. */
  leave(isRefused: boolean): void;
}

/** Collects the writes of a batch, and sends them once each of them is ready or has left. */
export class BatchAssembly<P, T> {
  readonly slots: readonly BatchSlot<P, T>[];
  readonly #ready: { readonly at: number; readonly write: P; readonly resolve: (end: T | Promise<T>) => void }[] = [];
  readonly #refused: number[] = [];
  readonly #awaited: Set<number>;

  constructor(
    count: number,
    /** Sends the ready writes; `refused` has the indexes of the refused ones. Returns an outcome for each. */
    private readonly send: (writes: readonly P[], refused: readonly number[]) => Promise<readonly T[]>,
  ) {
    this.#awaited = new Set(Array.from({ length: count }, (_, at) => at));
    this.slots = [...this.#awaited].map((at) => ({
      ready: (write) =>
        new Promise<T>((resolve) => {
          this.#ready.push({ at, write, resolve });
          this.#settle(at);
        }),
      leave: (isRefused) => {
        if (isRefused && this.#awaited.has(at)) this.#refused.push(at);
        this.#settle(at);
      },
    }));
  }

  #settle(at: number): void {
    if (!this.#awaited.delete(at) || this.#awaited.size > 0) return;
    const ready = this.#ready.toSorted((one, other) => one.at - other.at);
    const ends = this.send(
      ready.map(({ write }) => write),
      this.#refused,
    );
    ready.forEach(({ resolve }, index) => {
      resolve(ends.then((all) => all[index] as T));
    });
  }
}
