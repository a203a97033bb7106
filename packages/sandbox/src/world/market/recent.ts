import { bound } from "../../bounded.js";

/** A bounded cache of the latest computed values. */
export class Recent<V> {
  readonly #values = new Map<number, V>();

  constructor(
    private readonly most: number,
    private readonly compute: (key: number) => V,
  ) {}

  get(key: number): V {
    const cached = this.#values.get(key);
    if (cached !== undefined) return cached;
    const value = this.compute(key);
    this.#values.set(key, value);
    bound(this.#values, this.most);
    return value;
  }
}
