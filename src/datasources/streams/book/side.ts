import type { StreamedLevel } from "@exchange-graph/contract/channels/book";
import { isZero } from "@exchange-graph/contract/decimal";
import { compareDecimals } from "./decimalOrder.js";

/** Order of a side: asks from the lowest price, bids from the highest. */
type Direction = "asks" | "bids";

/** A change, with what is needed to undo it. */
interface Change {
  readonly at: number;
  readonly before: StreamedLevel | undefined;
  readonly after: StreamedLevel | undefined;
}

/** One side of a book: its levels, best first, with the original texts. */
export class Side {
  readonly #levels: StreamedLevel[] = [];
  #changes: Change[] = [];

  /** The levels are sorted if needed. */
  constructor(
    private readonly direction: Direction,
    levels: readonly StreamedLevel[] = [],
  ) {
    for (const level of levels) {
      const last = this.#levels.at(-1);
      if (hasNothing(level)) continue;
      if (last === undefined || this.#compare(last[0], level[0]) < 0) this.#levels.push(level);
      else this.#put(level);
    }
  }

  get levels(): readonly StreamedLevel[] {
    return this.#levels;
  }

  get best(): StreamedLevel | undefined {
    return this.#levels[0];
  }

  /** Sets a level, or removes it if its quantity is zero. */
  set(level: StreamedLevel): void {
    this.#changes.push(this.#put(level));
  }

  /** Confirms the changes since the last `keep`. */
  keep(): void {
    this.#changes = [];
  }

  /** Undoes the changes since the last `keep`. */
  undo(): void {
    for (let change = this.#changes.pop(); change !== undefined; change = this.#changes.pop()) {
      const { at, before, after } = change;
      if (before === undefined && after === undefined) continue;
      if (before === undefined) this.#levels.splice(at, 1);
      else this.#levels.splice(at, after === undefined ? 0 : 1, before);
    }
  }

  #put(level: StreamedLevel): Change {
    const at = this.#find(level[0]);
    const there = this.#levels[at];
    const before = there !== undefined && compareDecimals(there[0], level[0]) === 0 ? there : undefined;
    if (hasNothing(level)) {
      if (before !== undefined) this.#levels.splice(at, 1);
      return { at, before, after: undefined };
    }
    this.#levels.splice(at, before === undefined ? 0 : 1, level);
    return { at, before, after: level };
  }

  /** The index of a price, or the index at which it would be inserted. */
  #find(price: string): number {
    let low = 0;
    let high = this.#levels.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const level = this.#levels[middle];
      if (level !== undefined && this.#compare(level[0], price) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Negative if `a` is the better price. */
  #compare(a: string, b: string): number {
    const order = compareDecimals(a, b);
    return this.direction === "asks" ? order : -order;
  }
}

const hasNothing = ([, size, rpiSize]: StreamedLevel): boolean => isZero(size) && (rpiSize === undefined || isZero(rpiSize));
