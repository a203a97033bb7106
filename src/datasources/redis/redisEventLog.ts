import { isObject, parseJson } from "@exchange-graph/contract/json";
import { type EventLog, KEPT_EVENTS, KEPT_MS, type LogEntry } from "../ports/eventLog.js";
import type { Engine } from "./engine.js";
import { SAME_EPOCH, script } from "./script.js";

const WITHIN_MS = 1_000;

/** Formats carry a version: two versions of the gateway may run side by side. */
const FORMAT = 1;

/**
 * A topic is a sorted set of ids, in the order in which they came, beside a hash of their entries.
 * KEYS: epoch, ids, entries. ARGV: epoch, the entry that these follow or nothing, what stands for a break, then ids and entries.
 */
const APPEND = script(`${SAME_EPOCH}
  local t = redis.call('TIME')
  local micros = t[1] * 1000000 + t[2]
  local last = redis.call('ZRANGE', KEYS[2], -1, -1, 'WITHSCORES')
  local score = math.max(micros, (tonumber(last[2]) or 0) + 1)
  local added
  local function add(id, entry)
    if redis.call('ZADD', KEYS[2], 'NX', string.format('%.0f', score), id) == 0 then return end
    score = score + 1
    added = id
    redis.call('HSET', KEYS[3], id, entry)
  end
  local own, from = {}, nil
  for at = 4, #ARGV, 2 do own[ARGV[at]] = true end
  if ARGV[2] ~= '' then
    from = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[2]) or nil)
    if not from then return 0 end
  else
    for at = 4, #ARGV, 2 do
      local known = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[at]) or nil)
      if known and (not from or known < from) then from = known end
    end
  end
  local others = false
  if from then
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. string.format('%.0f', from), '+inf')) do others = others or not own[id] end
  elseif last[1] and #ARGV > 3 then
    add('before ' .. ARGV[4], ARGV[3])
  end
  for at = 4, #ARGV, 2 do
    if added and redis.call('ZSCORE', KEYS[2], ARGV[at]) then others = true end
    add(ARGV[at], ARGV[at + 1])
  end
  if added and others then add('after ' .. added, ARGV[3]) end
  while true do
    local two = redis.call('ZRANGE', KEYS[2], 0, 1, 'WITHSCORES')
    local many = redis.call('ZCARD', KEYS[2]) > ${KEPT_EVENTS}
    if not many and (not two[4] or tonumber(two[4]) > micros - ${KEPT_MS * 1_000}) then break end
    redis.call('ZREM', KEYS[2], two[1])
    redis.call('HDEL', KEYS[3], two[1])
  end
  for at = 2, 3 do redis.call('PEXPIRE', KEYS[at], ${KEPT_MS}) end
  return 1
`);

/** KEYS: epoch, ids, entries. */
const READ = script(`${SAME_EPOCH}
  local ids = redis.call('ZRANGE', KEYS[2], 0, -1)
  if #ids == 0 then return {} end
  return { ids, redis.call('HMGET', KEYS[3], unpack(ids)) }
`);

/** The latest events of topics, in Redis or Valkey. */
export class RedisEventLog implements EventLog {
  constructor(private readonly engine: Engine) {}

  async read(topic: string): Promise<readonly LogEntry[]> {
    const reply = await this.engine.run(READ, this.#keys(topic), [], WITHIN_MS);
    const [ids, entries] = Array.isArray(reply) ? reply : [];
    if (!Array.isArray(ids) || !Array.isArray(entries)) return [];
    return ids.map((id, at) => readEntry(String(id), String(entries[at])));
  }

  async append(topic: string, after: string | undefined, entries: readonly LogEntry[]): Promise<boolean> {
    const lost = writeEntry({ kind: "break", time: entries[0]?.time ?? 0 });
    const words = entries.flatMap(({ id, ...entry }) => [id, writeEntry(entry)]);
    return (await this.engine.run(APPEND, this.#keys(topic), [after ?? "", lost, ...words], WITHIN_MS)) === 1;
  }

  #keys(topic: string): readonly string[] {
    return ["ids", "entries"].map((part) => this.engine.key("events", part, topic));
  }
}

const writeEntry = ({ kind, time, event }: Omit<LogEntry, "id">): string => JSON.stringify({ v: FORMAT, kind, time, event });

/** What another version has written in a form that is not known here may have been anything. */
function readEntry(id: string, text: string): LogEntry {
  const wire = parsed(text);
  if (!isObject(wire) || wire.v !== FORMAT || typeof wire.time !== "number") return { id, kind: "break", time: 0 };
  const { time, event } = wire;
  if (wire.kind === "event" && event !== undefined) return { id, kind: "event", time, event };
  return { id, kind: wire.kind === "start" ? "start" : "break", time };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
