import { LRUCache } from "lru-cache";

/** Far more topics than are dropped within the lifetime of what they hold. */
const MAX_TOPICS = 10_000;

/**
 * Counts the drops of topics. A topic whose count had to make room has the highest number that was forgotten so: what was kept
 * of it before is not served, at worst without need.
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
