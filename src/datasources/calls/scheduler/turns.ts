import type { Bucket } from "./buckets.js";
import { PRIORITIES } from "./waitingLine.js";

/** Number of clients per bucket that are compared for the next turn at the address's budget: those with the next turns there. */
const MAX_COMPARED = 16;

/** More clients than ever wait for the same budget at once. */
const MAX_CLIENTS = 10_000;

/**
 * Number of turns of each client at a scarce resource, divided by its weight. A new client starts with the count of the client
 * that is served now, so that it has no claim on former turns.
 */
export class Turns {
  readonly #had = new Map<string, number>();
  #floor = 0;

  /** A lower count comes first. */
  of(client: string): number {
    return Math.max(this.#had.get(client) ?? 0, this.#floor);
  }

  /** Counts one more turn. */
  taken(client: string, weight: number): void {
    this.#floor = this.of(client);
    if (this.#had.size >= MAX_CLIENTS && !this.#had.has(client)) this.clear();
    this.#had.set(client, this.#floor + 1 / weight);
  }

  /** Called when no client waits any more. */
  clear(): void {
    // Clearing allocates a new table, even for an empty map.
    if (this.#had.size > 0) this.#had.clear();
    this.#floor = 0;
  }
}

/** The bucket with the call of the highest priority, and among equals with the client that has had the fewest turns. */
export function foremostOf<T>(
  buckets: ReadonlySet<Bucket<T>>,
  taken: Turns,
): { readonly bucket: Bucket<T>; readonly client: string } | undefined {
  let best: { bucket: Bucket<T>; client: string; rank: number; turns: number } | undefined;
  for (const bucket of buckets) {
    const own = rank(bucket);
    if (best !== undefined && own > best.rank) continue;
    for (const client of bucket.waiting.foremostClients(MAX_COMPARED)) {
      const turns = taken.of(client);
      if (best === undefined || own < best.rank || turns < best.turns) best = { bucket, client, rank: own, turns };
    }
  }
  return best;
}

const rank = <T>({ waiting: { foremost } }: Bucket<T>): number =>
  foremost === undefined ? PRIORITIES.length : PRIORITIES.indexOf(foremost);
