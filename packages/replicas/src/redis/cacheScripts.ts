import { SAME_EPOCH, script } from "./script.js";

/** A topic's version is kept for longer than any answer with it. */
const VERSION_MS = 86_400_000;

/**
 * Looks up an answer together with its topic's version. If there is none with that version, the first caller has to fetch it.
 *
 * KEYS: epoch, version, answer, claim. ARGV: epoch, version of the replica's own entry, replica, duration of a claim (ms).
 * Returns: version; `same`, `found`, `ask` or `wait`; and for `found` the remaining freshness (ms) and the text.
 */
export const FIND = script(
  "find",
  `${SAME_EPOCH}
  local version = redis.call('GET', KEYS[2]) or '0'
  if version == ARGV[2] then return { version, 'same' } end
  local kept = redis.call('GET', KEYS[3])
  if kept then
    local at = string.find(kept, ' ', 1, true)
    if string.sub(kept, 1, at - 1) == version then
      return { version, 'found', redis.call('PTTL', KEYS[3]), string.sub(kept, at + 1) }
    end
  end
  local isFirst = redis.call('SET', KEYS[4], ARGV[3], 'NX', 'PX', ARGV[4])
  return { version, (isFirst or redis.call('GET', KEYS[4]) == ARGV[3]) and 'ask' or 'wait' }
`,
);

/**
 * Ends a claim, and stores the answer if its topic still has its version. Waiting replicas are notified.
 *
 * KEYS: epoch, version, answer, claim. ARGV: epoch, replica, channel, notice; and with an answer its version, its freshness (ms)
 * and its text.
 */
export const KEEP = script(
  "keep",
  `${SAME_EPOCH}
  if redis.call('GET', KEYS[4]) == ARGV[2] then redis.call('DEL', KEYS[4]) end
  if ARGV[5] and (redis.call('GET', KEYS[2]) or '0') == ARGV[5] then
    redis.call('SET', KEYS[3], ARGV[5] .. ' ' .. ARGV[7], 'PX', ARGV[6])
  end
  redis.call('PUBLISH', ARGV[3], ARGV[4])
`,
);

/**
 * Drops topics and notifies all replicas. KEYS: epoch, and the version of each topic. ARGV: epoch, channel, the prefix of a version
 * in a notice, and the suffix for each topic. Returns the new versions.
 */
export const DROP = script(
  "drop",
  `${SAME_EPOCH}
  local versions = {}
  for at = 2, #KEYS do
    local version = redis.call('INCR', KEYS[at])
    redis.call('PEXPIRE', KEYS[at], ${VERSION_MS})
    redis.call('PUBLISH', ARGV[2], ARGV[3] .. version .. ARGV[at + 2])
    versions[#versions + 1] = tostring(version)
  end
  return versions
`,
);
