/** A bounded cache of the latest computed values. */
export class Recent<V> {
  readonly #values = new Map<number, V>();

  constructor(
    private readonly bound: number,
    private readonly compute: (key: number) => V,
  ) {}

  get(key: number): V {
    const cached = this.#values.get(key);
    if (cached !== undefined) return cached;
    const value = this.compute(key);
    this.#values.set(key, value);
    if (this.#values.size > this.bound) {
      for (const oldest of this.#values.keys()) {
        this.#values.delete(oldest);
        break;
      }
    }
    return value;
  }
}
