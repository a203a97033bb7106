import type { Bucket } from "./buckets.js";
import { PRIORITIES } from "./waitingLine.js";

/** Clients of each bucket that are compared for the next turn at the address's budget: those whose turns come next there. */
const MAX_COMPARED = 16;

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

/** Of several buckets the one whose most urgent call is the most urgent of all, and among equals the client that has had the fewest turns. */
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
