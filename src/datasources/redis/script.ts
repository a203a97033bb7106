import { createHash } from "node:crypto";

/** A script that the engine runs as one step. */
export interface Script {
  readonly source: string;
  /** The name under which the engine knows it once it was loaded. */
  readonly sha: string;
}

export const script = (source: string): Script => ({ source, sha: createHash("sha1").update(source).digest("hex") });

/** The engine's own time as `now`, ms. No replica's clock is compared with another's. */
export const NOW = "local t = redis.call('TIME'); local now = t[1] * 1000 + math.floor(t[2] / 1000);\n";

/**
 * Refuses to go on when the engine is not in the epoch that the replica knows: it was emptied, or another server has taken its
 * place. The epoch's key is the first, its name the first argument.
 */
export const SAME_EPOCH = `
  local epoch = redis.call('HMGET', KEYS[1], 'id', 'since')
  if epoch[1] ~= ARGV[1] then return redis.error_reply('EPOCH has changed') end
`;
