import { MINUTE_MS } from "@exchange-graph/contract/clock";
import { LRUCache } from "lru-cache";
import { memoryQuotas, type Quota, type QuotaStore } from "../../../../src/access/quotas/quotaStore.js";
import type { RedisEngine } from "./redisEngine.js";
import { NOW, SAME_EPOCH, script } from "./script.js";

/** Share of a minute's quota that a replica may use before it has reported its former use to Redis. */
const CHUNK = 1 / 20;
const WITHIN_MS = 500;
/** Interval at which smaller amounts are reported. */
const REPORT_MS = 200;
/** Maximum number of clients; Redis still knows clients that are dropped here. */
const MAX_CLIENTS = 10_000;

/**
 * Takes from a client's token bucket, which is refilled evenly by Redis's time, and may become negative. KEYS: epoch, bucket.
 * ARGV: epoch, quota per minute, amount. Returns what is left.
 */
const SPEND = script(
  "spend",
  `${NOW}${SAME_EPOCH}
  local perMinute = tonumber(ARGV[2])
  local budget = redis.call('HMGET', KEYS[2], 'left', 'at')
  local left, at = tonumber(budget[1] or perMinute), tonumber(budget[2] or now)
  left = math.min(perMinute, left + math.max(0, now - at) * perMinute / ${MINUTE_MS})
  left = math.max(-perMinute, math.min(perMinute, left - tonumber(ARGV[3])))
  redis.call('HSET', KEYS[2], 'left', tostring(left), 'at', now)
  redis.call('PEXPIRE', KEYS[2], ${2 * MINUTE_MS})
  return tostring(math.floor(left))
`,
);

interface Account {
  /** What Redis reported as left, and when that request was sent; undefined before its first answer. */
  existing: { readonly left: number; readonly at: number } | undefined;
  /** Used since. */
  spent: number;
  isReporting: boolean;
}

/** Quotas that all replicas share, counted by Redis in chunks. While Redis is gone each replica has its share. */
export class RedisQuotas implements QuotaStore {
  constructor(private readonly engine: RedisEngine) {}

  quota(kind: string, perMinute: number): Quota {
    return new RedisQuota(kind, perMinute, this.engine);
  }
}

class RedisQuota implements Quota {
  readonly #accounts = new LRUCache<string, Account>({ max: MAX_CLIENTS });
  readonly #unreported = new Set<string>();
  readonly #chunk: number;
  /** Set while Redis is gone. */
  #alone: Quota | undefined;
  #isBooked = false;

  constructor(
    private readonly kind: string,
    private readonly perMinute: number,
    private readonly engine: RedisEngine,
  ) {
    this.#chunk = Math.max(1, perMinute * CHUNK);
    engine.on({
      up: () => {
        this.#alone = undefined;
        for (const account of this.#accounts.values()) account.existing = undefined;
      },
      down: () => {
        const part = Math.max(1, Math.floor(perMinute / (engine.replicas ?? 1)));
        this.#alone = memoryQuotas(engine.clock).quota(kind, part);
      },
    });
  }

  spend(client: string, amount: number): number | undefined {
    if (this.#alone !== undefined) return this.#alone.spend(client, amount);
    const account = this.#account(client);
    const wanted = Math.min(amount, this.perMinute);
    const left = this.#left(account);
    // An amount above a chunk is decided by what was left at the last report.
    if (wanted <= left && (wanted > this.#chunk || wanted <= this.#chunk - account.spent)) {
      this.#spent(client, account, wanted);
      return undefined;
    }
    this.#ask(client, account);
    return Math.max(1, Math.ceil(((wanted - Math.max(0, left)) / this.perMinute) * MINUTE_MS));
  }

  take(client: string, amount: number): void {
    if (this.#alone !== undefined) this.#alone.take(client, amount);
    else this.#spent(client, this.#account(client), Math.min(amount, this.perMinute));
  }

  giveBack(client: string, amount: number): void {
    if (this.#alone !== undefined) this.#alone.giveBack(client, amount);
    else this.#spent(client, this.#account(client), -Math.min(amount, this.perMinute));
  }

  #account(client: string): Account {
    const existing = this.#accounts.get(client);
    if (existing !== undefined) return existing;
    const account: Account = { existing: undefined, spent: 0, isReporting: false };
    this.#accounts.set(client, account);
    return account;
  }

  /** What is left, as far as is known here. */
  #left({ existing, spent }: Account): number {
    if (existing === undefined) return this.perMinute - spent;
    const filled = ((this.engine.monotonic() - existing.at) * this.perMinute) / MINUTE_MS;
    return Math.min(this.perMinute, existing.left + filled) - spent;
  }

  #spent(client: string, account: Account, amount: number): void {
    account.spent += amount;
    this.#unreported.add(client);
    if (account.existing === undefined || account.spent > this.#chunk / 2) this.#ask(client, account);
    else this.#book();
  }

  #book(): void {
    if (this.#isBooked) return;
    this.#isBooked = true;
    this.engine.clock.after(REPORT_MS, () => {
      this.#isBooked = false;
      for (const one of [...this.#unreported]) {
        const account = this.#accounts.peek(one);
        if (account === undefined) this.#unreported.delete(one);
        else this.#ask(one, account);
      }
    });
  }

  #ask(client: string, account: Account): void {
    if (account.isReporting || !this.engine.isUp) return;
    account.isReporting = true;
    // Further use in this turn is reported with it.
    queueMicrotask(() => {
      this.#report(client, account).catch(this.engine.report);
    });
  }

  async #report(client: string, account: Account): Promise<void> {
    const [at, spent] = [this.engine.monotonic(), account.spent];
    this.#unreported.delete(client);
    try {
      const left = await this.engine.run(
        SPEND,
        [this.engine.key("quota", this.kind, client)],
        [this.perMinute, spent],
        WITHIN_MS,
      );
      account.existing = { left: Number.parseInt(String(left), 10), at };
      account.spent -= spent;
    } finally {
      account.isReporting = false;
      if (account.spent !== 0) this.#unreported.add(client);
      if (this.#unreported.size > 0) this.#book();
    }
  }
}
