/** When each part of a state was last compared with the exchange: its time at the beginning of the reading, Unix ms. */
export class Comparisons {
  readonly #comparedAt = new Map<string, number>();

  /** Records that these parts were read, in a reading that began at this time. */
  read(parts: readonly string[], at: number): void {
    for (const part of parts) this.#comparedAt.set(part, at);
  }

  /** Records that another reading has confirmed these parts. */
  confirmed(parts: readonly string[], at: number): void {
    for (const part of parts) this.#comparedAt.set(part, Math.max(at, this.#comparedAt.get(part) ?? 0));
  }

  /** The earliest time of these parts; undefined if one of them never was. */
  of(parts: readonly string[]): number | undefined {
    const times = parts.map((part) => this.#comparedAt.get(part)).filter((time) => time !== undefined);
    return times.length === parts.length && times.length > 0 ? Math.min(...times) : undefined;
  }

  clear(): void {
    this.#comparedAt.clear();
  }
}
