import { MemoryOrderRates, type OrderCounter, type OrderRateStore } from "../../../../src/datasources/writes/index.js";
import type { RedisEngine } from "./redisEngine.js";
import { NOW, SAME_EPOCH, script } from "./script.js";

/** Maximum wait of an order for the counts of other replicas. */
const WITHIN_MS = 250;
const SECOND_MS = 1_000;

/**
 * Counts orders of the last second, by Redis's time, and adds one to all counters if none is full. KEYS: epoch, the counters.
 * ARGV: epoch, a name for the order, or an empty text to only check; the limit of each counter. Returns the indexes of full
 * counters.
 */
const DEPART = script(
  "depart",
  `${NOW}${SAME_EPOCH}
  local full = {}
  for at = 2, #KEYS do
    redis.call('ZREMRANGEBYSCORE', KEYS[at], '-inf', now - ${SECOND_MS})
    if redis.call('ZCARD', KEYS[at]) >= tonumber(ARGV[at + 1]) then full[#full + 1] = at - 2 end
  end
  if #full == 0 and ARGV[2] ~= '' then
    for at = 2, #KEYS do
      redis.call('ZADD', KEYS[at], now, ARGV[2])
      redis.call('PEXPIRE', KEYS[at], ${2 * SECOND_MS})
    end
  end
  return full
`,
);

/**
 * Orders of all replicas. While Redis is gone each replica may send its share, and at least one per second if the limit is above
 * 0.
 */
export class RedisOrderRates implements OrderRateStore {
  readonly #own: MemoryOrderRates;
  #departures = 0;

  constructor(private readonly engine: RedisEngine) {
    this.#own = new MemoryOrderRates(engine.monotonic);
  }

  full(counters: readonly OrderCounter[]): Promise<readonly string[]> {
    return this.#depart(counters, "");
  }

  async count(counters: readonly OrderCounter[]): Promise<readonly string[]> {
    const full = await this.#depart(counters, `${this.engine.settings.replica} ${this.#departures++}`);
    if (full.length === 0) this.#own.note(counters);
    return full;
  }

  async #depart(counters: readonly OrderCounter[], name: string): Promise<readonly string[]> {
    if (counters.length === 0) return [];
    try {
      const keys = counters.map((counter) => this.engine.key("orders", counter.name));
      const reply = await this.engine.run(DEPART, keys, [name, ...counters.map(({ most }) => most)], WITHIN_MS);
      const places = Array.isArray(reply) ? reply.map((at) => Number.parseInt(String(at), 10)) : [];
      return counters.filter((_, at) => places.includes(at)).map((counter) => counter.name);
    } catch (error) {
      this.engine.report(error);
      return this.#own.full(counters.map((counter) => ({ ...counter, most: this.#part(counter.most) })));
    }
  }

  #part(most: number): number {
    return most === 0 ? 0 : Math.max(1, Math.floor(most / (this.engine.replicas ?? 1)));
  }
}
