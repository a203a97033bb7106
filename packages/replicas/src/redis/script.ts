import { createHash } from "node:crypto";

/** A script that Redis executes atomically. */
export interface Script {
  /** Its name in traces, such as `find`. */
  readonly name: string;
  readonly source: string;
  /** Its SHA-1, by which Redis identifies a loaded script. */
  readonly sha: string;
}

export const script = (name: string, source: string): Script => ({
  name,
  source,
  sha: createHash("sha1").update(source).digest("hex"),
});

/** Redis's own time as `now`, ms, so that clocks of replicas are not compared. */
export const NOW = "local t = redis.call('TIME'); local now = t[1] * 1000 + math.floor(t[2] / 1000);\n";

/**
 * Fails if Redis is not in the epoch that the replica knows: it was emptied or replaced. The epoch's key is the first key, its
 * name the first argument.
 */
export const SAME_EPOCH = `
  local epoch = redis.call('HMGET', KEYS[1], 'id', 'since', 'young', 'expected')
  if epoch[1] ~= ARGV[1] then return redis.error_reply('EPOCH has changed') end
`;

export const LEASE_MS = 2_000;
/** A replica counts for this long after its last contact. */
export const MEMBER_MS = 30_000;
/** A replica of an earlier epoch joins a new one within this time: it finds out within 1.4 s that the former Redis is gone. */
export const YOUNG_MS = 1_500;

/** A replica of an earlier epoch has reported all its slots. KEYS: epoch, such replicas. ARGV: epoch, replica. */
export const REPORTED = script(
  "reported",
  `${SAME_EPOCH}
  redis.call('ZADD', KEYS[2], 0, ARGV[2])
  redis.call('PEXPIRE', KEYS[2], ${MEMBER_MS})
`,
);

/**
 * Registers a replica. KEYS: epoch, members, version of tokens. ARGV: epoch, replica. Returns the number of replicas, the
 * version, and the number of replicas whose names sort before this one's.
 */
export const BEAT = script(
  "beat",
  `${NOW}${SAME_EPOCH}
  redis.call('ZADD', KEYS[2], now + ${MEMBER_MS}, ARGV[2])
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
  local members, place = redis.call('ZRANGE', KEYS[2], 0, -1), 0
  for _, name in ipairs(members) do if name < ARGV[2] then place = place + 1 end end
  return { #members, redis.call('GET', KEYS[3]) or '0', place }
`,
);
