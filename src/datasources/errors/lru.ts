import { LRUCache } from "lru-cache";

type Kept = NonNullable<unknown>;

/** Maximum weight of one entry, as a share of the whole. */
const HEAVIEST = 0.1;

/**
 * Keeps at most `limit` entries by text key, the most recently used. Unlike `max` it allocates nothing in advance: for one entry
 * per account or symbol.
 */
export const growingLru = <V extends Kept>(limit: number): LRUCache<string, V> =>
  new LRUCache({ maxSize: limit, sizeCalculation: () => 1 });

/**
 * Keeps the most recently used entries whose total weight is at most `limit`. An entry of more than a tenth of it is not kept.
 * For texts of any length from clients.
 */
export const lruByWeight = <V extends Kept>(limit: number, weigh: (value: V, key: string) => number): LRUCache<string, V> =>
  new LRUCache({
    maxSize: limit,
    maxEntrySize: Math.floor(limit * HEAVIEST),
    sizeCalculation: (value, key) => Math.max(1, weigh(value, key)),
  });
