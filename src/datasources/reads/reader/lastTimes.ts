/** Last times of keys: of the `limit` latest keys, and at most as many before them. Needs no object per key. */
export class LastTimes<K extends string | number = string> {
  #latest = new Map<K, number>();
  #former = new Map<K, number>();

  constructor(private readonly limit: number) {}

  /** Records that a key occurs now. Returns its previous time, if still known. */
  note(key: K, now: number): number | undefined {
    const last = this.#latest.get(key) ?? this.#former.get(key);
    this.#latest.set(key, now);
    if (this.#latest.size >= this.limit) {
      this.#former = this.#latest;
      this.#latest = new Map();
    }
    return last;
  }
}
