import { LRUCache } from "lru-cache";

/** Far more topics than are dropped within the lifetime of their answers. */
const MAX_TOPICS = 10_000;

/**
 * Counts the drops of topics. A topic that was evicted gets the highest evicted count, so that its former answers are not served,
 * at worst unnecessarily.
 */
export class TopicVersions {
  #last = 0;
  #floor = 0;
  readonly #versions: LRUCache<string, number>;

  constructor(max = MAX_TOPICS) {
    this.#versions = new LRUCache<string, number>({
      max,
      dispose: (version, _topic, reason) => {
        if (reason === "evict") this.#floor = Math.max(this.#floor, version);
      },
    });
  }

  of(topic: string): number {
    return this.#versions.get(topic) ?? this.#floor;
  }

  raise(topic: string): void {
    this.#versions.set(topic, ++this.#last);
  }

  raiseAll(): void {
    this.#floor = ++this.#last;
    this.#versions.clear();
  }
}
