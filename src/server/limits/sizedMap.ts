/**
 * A map whose entries together never weigh more than `limit`: the one unused for longest goes first, and what alone
 * weighs more than a tenth of it is not kept. For what others may fill with texts as long as they like. While it is less
 * than half full nothing is about to go, and a look-up does not count as use.
 */
export class SizedMap<K, V> {
  readonly #entries = new Map<K, { readonly value: V; readonly weight: number }>();
  #weight = 0;

  constructor(readonly limit: number) {}

  get size(): number {
    return this.#entries.size;
  }

  get weight(): number {
    return this.#weight;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#weight * 2 <= this.limit) return entry.value;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: K, value: V, weight: number): void {
    this.delete(key);
    if (weight * 10 > this.limit) return;
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.limit) break;
      this.delete(oldest);
    }
  }

  delete(key: K): boolean {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    return this.#entries.delete(key);
  }
}
