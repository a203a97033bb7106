import type { OpenConnectionStore } from "../../../../src/access/quotas/connectionQuota.js";
import type { RedisEngine } from "./redisEngine.js";
import { NOW, SAME_EPOCH, script } from "./script.js";

/** Maximum wait of a new connection for the counts of other replicas. */
const WITHIN_MS = 250;
/** A replica's counts are valid for this long after its last contact. */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
/** Number of clients that are renewed by one command. */
const AT_ONCE = 200;

/**
 * A client is a hash of `count:expires` by replica. KEYS: epoch, client. ARGV: epoch, replica, its count with the new connection,
 * the maximum. Returns 1 if there is room.
 */
const TAKE = script(
  "take",
  `${NOW}${SAME_EPOCH}
  local sum, rows = tonumber(ARGV[3]), redis.call('HGETALL', KEYS[2])
  for at = 1, #rows, 2 do
    local count, expires = string.match(rows[at + 1], '^(%d+):(%d+)')
    if not count or tonumber(expires) <= now then redis.call('HDEL', KEYS[2], rows[at])
    elseif rows[at] ~= ARGV[2] then sum = sum + tonumber(count) end
  end
  if sum > tonumber(ARGV[4]) then return 0 end
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[3] .. ':' .. (now + ${LEASE_MS}))
  redis.call('PEXPIRE', KEYS[2], ${LEASE_MS})
  return 1
`,
);

/** KEYS: epoch, clients. ARGV: epoch, replica, its count for each. */
const NOTE = script(
  "note",
  `${NOW}${SAME_EPOCH}
  for at = 2, #KEYS do
    if ARGV[at + 1] == '0' then
      redis.call('HDEL', KEYS[at], ARGV[2])
    else
      redis.call('HSET', KEYS[at], ARGV[2], ARGV[at + 1] .. ':' .. (now + ${LEASE_MS}))
      redis.call('PEXPIRE', KEYS[at], ${LEASE_MS})
    end
  end
  return 1
`,
);

/**
 * Counts of open connections over all replicas; each replica renews its own. While Redis is gone each replica counts its own
 * only.
 */
export class RedisOpenConnections implements OpenConnectionStore {
  /** Clients with connections at this replica. */
  readonly #own = new Map<string, number>();
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly engine: RedisEngine) {
    engine.on({
      up: () => this.#renew(),
      beat: () => {
        if (engine.monotonic() - this.#renewedAt >= RENEW_MS) this.#renew();
      },
    });
  }

  async take(client: string, own: number, most: number): Promise<boolean> {
    this.#own.set(client, own);
    try {
      const { replica } = this.engine.settings;
      return (await this.engine.run(TAKE, [this.#key(client)], [replica, own, most], WITHIN_MS)) !== 0;
    } catch (error) {
      this.engine.report(error);
      return true;
    }
  }

  noted(client: string, own: number): void {
    if (own > 0) this.#own.set(client, own);
    else this.#own.delete(client);
    this.#note([[client, own]]);
  }

  #renew(): void {
    this.#renewedAt = this.engine.monotonic();
    const all = [...this.#own];
    for (let from = 0; from < all.length; from += AT_ONCE) this.#note(all.slice(from, from + AT_ONCE));
  }

  /** A lost update is repeated by the next renewal, or expires. */
  #note(counts: readonly (readonly [string, number])[]): void {
    if (!this.engine.isUp) return;
    const keys = counts.map(([client]) => this.#key(client));
    const args = [this.engine.settings.replica, ...counts.map(([, own]) => own)];
    this.engine.run(NOTE, keys, args, WITHIN_MS).catch(this.engine.report);
  }

  #key(client: string): string {
    return this.engine.key("open", client);
  }
}
