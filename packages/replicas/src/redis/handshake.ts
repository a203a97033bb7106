import { EngineRefused } from "./engineErrors.js";
import { NOW, script } from "./script.js";

/** Redis 7 introduced the scripts and guarantees that leases need. */
const OLDEST = 7;

/**
 * Establishes the epoch: the time from which data in Redis is reliable. A new one begins with an empty Redis or another server. It
 * is young until a replica of an earlier one joins it. KEYS: epoch, replicas that have reported their slots. ARGV: run id, a name
 * for a new epoch, 1 if the replica has continued alone, its former epoch or an empty text, the number of replicas that it knew.
 */
export const HELLO = script(
  "hello",
  `${NOW}
  local epoch = redis.call('HMGET', KEYS[1], 'id', 'run', 'young', 'expected')
  local hadEpoch = ARGV[4] ~= ''
  if not epoch[1] or epoch[2] ~= ARGV[1] then
    redis.call('DEL', KEYS[1], KEYS[2])
    redis.call('HSET', KEYS[1], 'id', ARGV[2], 'run', ARGV[1], 'since', now)
    redis.call('HSET', KEYS[1], 'young', hadEpoch and 0 or 1, 'expected', hadEpoch and ARGV[5] or 0)
    return ARGV[2]
  end
  local wasElsewhere = hadEpoch and ARGV[4] ~= epoch[1]
  if ARGV[3] == '1' or (wasElsewhere and epoch[3] == '1') then redis.call('HSET', KEYS[1], 'since', now, 'young', 0) end
  local expected = tonumber(epoch[4] or '-1')
  if ARGV[3] == '1' and not wasElsewhere then
    redis.call('HSET', KEYS[1], 'expected', -1)
  elseif wasElsewhere and expected >= 0 then
    redis.call('HSET', KEYS[1], 'expected', math.max(expected, tonumber(ARGV[5])))
  end
  return epoch[1]
`,
);

/**
 * Tries every command that the scripts use, on keys and a channel that nothing else uses. KEYS: a text, a hash, a sorted set, a
 * stream. ARGV: a channel. Returns the commands that the user may not run, or not on these keys.
 */
export const RIGHTS = script(
  "rights",
  `
  local text, hash, sorted, stream = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
  local refused = {}
  for _, words in ipairs({
    { 'TIME' }, { 'SET', text, '1' }, { 'GET', text }, { 'INCR', text }, { 'PEXPIRE', text, '1000' }, { 'PTTL', text },
    { 'HSET', hash, 'a', '1' }, { 'HGET', hash, 'a' }, { 'HMGET', hash, 'a' }, { 'HGETALL', hash }, { 'HDEL', hash, 'a' },
    { 'ZADD', sorted, '1', 'a' }, { 'ZCARD', sorted }, { 'ZRANGE', sorted, '0', '0' }, { 'ZRANGEBYSCORE', sorted, '0', '1' },
    { 'ZSCORE', sorted, 'a' }, { 'ZREM', sorted, 'b' }, { 'ZREMRANGEBYRANK', sorted, '1', '1' },
    { 'ZREMRANGEBYSCORE', sorted, '2', '2' }, { 'XADD', stream, '1-0', 'a', '1' }, { 'XRANGE', stream, '-', '+' },
    { 'PUBSUB', 'NUMSUB', ARGV[1] }, { 'PUBLISH', ARGV[1], '' }, { 'DEL', text, hash, sorted, stream },
  }) do
    local reply = redis.pcall(unpack(words))
    if type(reply) == 'table' and reply.err and (string.find(reply.err, 'NOPERM') or string.find(reply.err, "can't")) then
      refused[#refused + 1] = string.lower(words[1])
    end
  end
  return refused
`,
);

/** The run id of a server by `INFO server memory`, or the reason why it cannot be used. */
function runOf(info: string): { readonly run: string } | { readonly wrong: string } {
  const valueOf = (field: string): string => new RegExp(`^${field}:(\\S+)`, "m").exec(info)?.[1] ?? "";
  const version = valueOf("redis_version");
  if (Number.parseInt(version, 10) < OLDEST) return { wrong: `its version is ${version}, and must be ${OLDEST}.0 or later` };
  // Evicted leases would be granted twice.
  if (valueOf("maxmemory") !== "0" && valueOf("maxmemory_policy") !== "noeviction")
    return { wrong: `its maxmemory-policy is ${valueOf("maxmemory_policy")}, and must be noeviction` };
  return { run: valueOf("run_id") };
}

/**
 * Begins a connection: checks the server and the rights of its user. Returns the epoch. Throws `EngineRefused` if Redis cannot be
 * used.
 */
export async function handshake(
  send: (command: readonly string[]) => Promise<unknown>,
  engine: { key(...parts: readonly string[]): string; readonly epoch: string; readonly settings: { readonly replica: string } },
  self: {
    /** Name of the epoch, if it is a new one. */
    readonly newEpoch: string;
    /** Whether this replica has continued alone since it last reached Redis. */
    readonly wasAlone: boolean;
    /** Number of replicas that may have occupied slots. */
    readonly occupying: number;
  },
): Promise<string> {
  const server = runOf(String(await send(["INFO", "server", "memory"])));
  if ("wrong" in server) throw new EngineRefused(server.wrong);
  const kinds = ["text", "hash", "sorted", "stream"].map((kind) => engine.key("rights", engine.settings.replica, kind));
  const refused = await send(["EVAL", RIGHTS.source, String(kinds.length), ...kinds, engine.key("rights")]);
  if (Array.isArray(refused) && refused.length > 0)
    throw new EngineRefused(`its user lacks rights to commands, keys or channels (NOPERM ${refused.map(String).join(" ")})`);
  const args = [server.run, self.newEpoch, self.wasAlone ? "1" : "0", engine.epoch, String(self.occupying)];
  return String(await send(["EVAL", HELLO.source, "2", engine.key("epoch"), engine.key("reported"), ...args]));
}
