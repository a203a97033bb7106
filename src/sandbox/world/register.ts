import { byId } from "./ids.js";

/** Rows per user, newest first by their ids. Each user's oldest rows give way once there are more than `bound`. */
export class Register<T> {
  readonly #rows = new Map<string, T[]>();

  constructor(
    readonly idOf: (row: T) => string,
    readonly bound: number,
  ) {}

  enter(uid: string, row: T): void {
    const rows = this.#rows.get(uid) ?? [];
    this.#rows.set(uid, rows);
    rows.splice(this.#placeOf(rows, this.idOf(row)), 0, row);
    if (rows.length > this.bound) rows.pop();
  }

  of(uid: string): readonly T[] {
    return this.#rows.get(uid) ?? [];
  }

  find(uid: string, id: string): T | undefined {
    return this.of(uid).find((row) => this.idOf(row) === id);
  }

  remove(uid: string, id: string): void {
    const rows = this.#rows.get(uid);
    const at = rows?.findIndex((row) => this.idOf(row) === id) ?? -1;
    if (at !== -1) rows?.splice(at, 1);
  }

  /** Where an id belongs: in front of all that are older. */
  #placeOf(rows: readonly T[], id: string): number {
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const row = rows[middle];
      if (row !== undefined && byId(this.idOf(row), id) > 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
