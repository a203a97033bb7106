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
