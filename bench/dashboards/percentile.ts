/** The percentile for a share from 0 to 1; 0 without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** A histogram of whole numbers. Equal values share one entry, so many values take little memory. */
export class Distribution {
  readonly #counts = new Map<number, number>();
  #size = 0;

  add(value: number): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1);
    this.#size++;
  }

  /** The percentile for a share from 0 to 1; 0 without values. */
  percentile(share: number): number {
    let left = Math.min(this.#size - 1, Math.floor(this.#size * share));
    for (const [value, count] of [...this.#counts].sort(([one], [other]) => one - other)) {
      if (left < count) return value;
      left -= count;
    }
    return 0;
  }
}
