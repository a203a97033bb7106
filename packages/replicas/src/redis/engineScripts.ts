import { NOW, SAME_EPOCH, script } from "./script.js";

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
