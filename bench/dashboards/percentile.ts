/** The value below which a share of them lies; 0 where there are none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Whole numbers, counted: however many there are, each takes its place once. */
export class Distribution {
  readonly #counts = new Map<number, number>();
  #size = 0;

  add(value: number): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1);
    this.#size++;
  }

  /** The value below which a share of them lies; 0 where there are none. */
  percentile(share: number): number {
    let left = Math.min(this.#size - 1, Math.floor(this.#size * share));
    for (const [value, count] of [...this.#counts].sort(([one], [other]) => one - other)) {
      if (left < count) return value;
      left -= count;
    }
    return 0;
  }
}
