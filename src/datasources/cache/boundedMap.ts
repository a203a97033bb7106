/** A map that never holds more than `limit` entries: the one unused for longest goes first. */
export class BoundedMap<K, V> extends Map<K, V> {
  constructor(readonly limit: number) {
    super();
  }

  override get(key: K): V | undefined {
    const value = super.get(key);
    if (value !== undefined) {
      super.delete(key);
      super.set(key, value);
    }
    return value;
  }

  override set(key: K, value: V): this {
    super.delete(key);
    super.set(key, value);
    if (this.size > this.limit) {
      for (const oldest of this.keys()) {
        super.delete(oldest);
        break;
      }
    }
    return this;
  }
}
