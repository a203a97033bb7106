/**
 * A map that never holds more than `limit` entries: the one unused for longest goes first. While it is less than half
 * full nothing is about to go, so a look-up does not count as use there and costs what it costs in any map.
 */
export class BoundedMap<K, V> extends Map<K, V> {
  /**
   * Goes on where it last deleted: what it has passed is gone, or has moved behind it. Started anew each time it would
   * have to step over every place that was vacated since the map last tidied itself up.
   */
  #oldestFirst = this.keys();

  constructor(readonly limit: number) {
    super();
  }

  override get(key: K): V | undefined {
    const value = super.get(key);
    if (value !== undefined && this.size * 2 > this.limit) {
      super.delete(key);
      super.set(key, value);
    }
    return value;
  }

  override set(key: K, value: V): this {
    super.delete(key);
    super.set(key, value);
    if (this.size > this.limit) this.#deleteOldest();
    return this;
  }

  override clear(): void {
    super.clear();
    this.#oldestFirst = this.keys();
  }

  #deleteOldest(): void {
    const oldest = this.#oldestFirst.next();
    if (oldest.done !== true) super.delete(oldest.value);
  }
}
