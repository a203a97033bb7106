import { LRUCache } from "lru-cache";

/** What is kept. */
type Kept = NonNullable<unknown>;

/** The heaviest entry that is kept takes this share of the whole. */
const HEAVIEST = 0.1;

/**
 * Keeps at most `limit` entries under texts, the most recently used. Reserves nothing beforehand, as `max` does: for
 * what there is one of per account or per symbol.
 */
export const growingLru = <V extends Kept>(limit: number): LRUCache<string, V> =>
  new LRUCache({ maxSize: limit, sizeCalculation: () => 1 });

/**
 * Keeps the most recently used entries that together weigh no more than `limit`. An entry that alone weighs more than a
 * tenth of it is not kept. For what others may fill with texts of any length.
 */
export const lruByWeight = <V extends Kept>(limit: number, weigh: (value: V, key: string) => number): LRUCache<string, V> =>
  new LRUCache({
    maxSize: limit,
    maxEntrySize: Math.floor(limit * HEAVIEST),
    sizeCalculation: (value, key) => Math.max(1, weigh(value, key)),
  });
