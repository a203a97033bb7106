import { byId } from "./ids.js";
import { Pasts } from "./pasts.js";

/** Rows of one user: stored oldest first, because new ones are appended, and returned newest first. */
interface Rows<T> {
  readonly oldestFirst: T[];
  newestFirst: readonly T[] | undefined;
}

const NONE: readonly never[] = [];

/** Rows per user, newest first by their ids. Beyond `bound` a user's oldest rows are dropped. */
export class Register<T> {
  readonly #rows = new Map<string, Rows<T>>();
  readonly #pasts = new Pasts();

  constructor(
    readonly idOf: (row: T) => string,
    readonly bound: number,
  ) {}

  /** Adds the rows of `rows` to a user before the first read of that user. */
  prepare(uid: string, rows: () => Iterable<T>): void {
    this.#pasts.prepare(uid, () => {
      for (const row of rows()) this.enter(uid, row);
    });
  }

  enter(uid: string, row: T): void {
    const rows = this.#rows.get(uid) ?? { oldestFirst: [], newestFirst: undefined };
    this.#rows.set(uid, rows);
    const { oldestFirst } = rows;
    oldestFirst.splice(this.#placeOf(oldestFirst, this.idOf(row)), 0, row);
    // Trimmed in blocks: dropping one row per entry would move all the others each time.
    if (oldestFirst.length >= 2 * this.bound) oldestFirst.splice(0, oldestFirst.length - this.bound);
    rows.newestFirst = undefined;
  }

  of(uid: string): readonly T[] {
    this.#pasts.recall(uid);
    const rows = this.#rows.get(uid);
    if (rows === undefined) return NONE;
    rows.newestFirst ??= rows.oldestFirst.slice(-this.bound).reverse();
    return rows.newestFirst;
  }

  find(uid: string, id: string): T | undefined {
    return this.of(uid).find((row) => this.idOf(row) === id);
  }

  remove(uid: string, id: string): void {
    this.#pasts.recall(uid);
    const rows = this.#rows.get(uid);
    if (rows === undefined) return;
    const at = rows.oldestFirst.findIndex((row) => this.idOf(row) === id);
    if (at === -1) return;
    rows.oldestFirst.splice(at, 1);
    rows.newestFirst = undefined;
  }

  /** Position of an id: after all older ones. */
  #placeOf(rows: readonly T[], id: string): number {
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const row = rows[middle];
      if (row !== undefined && byId(this.idOf(row), id) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
