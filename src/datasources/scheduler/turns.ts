/** More clients than ever wait for the same at once. */
const MAX_CLIENTS = 10_000;

/**
 * How often each client has had its turn at something scarce, in parts of its weight. Who was not there before has not saved
 * any up: it counts as if it had had as many as whoever is served now.
 */
export class Turns {
  readonly #had = new Map<string, number>();
  #floor = 0;

  /** Fewer means sooner. */
  of(client: string): number {
    return Math.max(this.#had.get(client) ?? 0, this.#floor);
  }

  /** It has had one more. */
  taken(client: string, weight: number): void {
    this.#floor = this.of(client);
    if (this.#had.size >= MAX_CLIENTS && !this.#had.has(client)) this.clear();
    this.#had.set(client, this.#floor + 1 / weight);
  }

  /** Nobody waits any more. */
  clear(): void {
    this.#had.clear();
    this.#floor = 0;
  }
}
