/** When keys came last: of the `limit` latest keys, and of as many before them at most. Costs no object for a key. */
export class LastTimes {
  #latest = new Map<string, number>();
  #former = new Map<string, number>();

  constructor(private readonly limit: number) {}

  /** Notes that a key comes now. Gives when it came before, where that is still known. */
  note(key: string, now: number): number | undefined {
    const last = this.#latest.get(key) ?? this.#former.get(key);
    this.#latest.set(key, now);
    if (this.#latest.size >= this.limit) {
      this.#former = this.#latest;
      this.#latest = new Map();
    }
    return last;
  }
}
