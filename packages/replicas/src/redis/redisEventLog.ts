import { isObject, jsonIn } from "@exchange-graph/contract/json";
import { type Appended, type EventLog, KEPT_EVENTS, KEPT_MS, type LogEntry } from "../../../../src/datasources/streams/index.js";
import type { RedisEngine } from "./redisEngine.js";
import { SAME_EPOCH, script } from "./script.js";

const WITHIN_MS = 1_000;
/** The lease of a topic is valid for this long after its writer's last contact. */
const LEASE_MS = 5_000;
/** Interval at which it is renewed, or tried. */
const LOOK_MS = 2_000;

/** Version of the format: two versions of the gateway may run at the same time. */
const FORMAT = 1;
/** Prefixes of entries that are not events. */
const MARKS = ["start", "break"].map((kind) => `{"v":${FORMAT},"kind":"${kind}"`);

/**
 * A topic is a sorted set of ids, in order of arrival, and a hash of their entries. KEYS: epoch, ids, entries, lease. ARGV:
 * epoch, replica, 1 if only the writer may add, the entry that these follow or an empty text, the entry for a break, then ids and
 * entries. Returns whether they were added, and whether the replica has the lease.
 */
const APPEND = script(
  "append",
  `${SAME_EPOCH}
  local owner = redis.call('GET', KEYS[4])
  local writes = (not owner or owner == ARGV[2]) and 1 or 0
  if writes == 1 then redis.call('SET', KEYS[4], ARGV[2], 'PX', ${LEASE_MS})
  elseif ARGV[3] == '1' then return { 0, 0 } end
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
  local function marks(entry)
    return ${MARKS.map((mark) => `string.sub(entry or '', 1, ${mark.length}) == '${mark}'`).join(" or ")}
  end
  local own, from, begin = {}, nil, nil
  for at = 6, #ARGV, 2 do own[ARGV[at]] = true end
  if ARGV[4] ~= '' then
    from = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[4]) or nil)
    if not from then return { 0, writes } end
  else
    for at = 6, #ARGV, 2 do
      local known = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[at]) or nil)
      if known and (not from or known < from) then from = known end
      if known and not begin then begin = at end
    end
  end
  local others = false
  if from then
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. string.format('%.0f', from), '+inf')) do
      others = others or (not own[id] and (string.sub(id, 1, 6) == 'after ' or not marks(redis.call('HGET', KEYS[3], id))))
    end
  elseif last[1] and #ARGV > 5 then
    add('before ' .. ARGV[6], ARGV[5])
  end
  for at = begin or 6, #ARGV, 2 do
    if not redis.call('ZSCORE', KEYS[2], ARGV[at]) then
      add(ARGV[at], ARGV[at + 1])
      others = others and not marks(ARGV[at + 1])
    elseif added then others = true end
  end
  if added and others then add('after ' .. added, ARGV[5]) end
  local function drop(count)
    for _, id in ipairs(redis.call('ZRANGE', KEYS[2], 0, count - 1)) do
      redis.call('ZREM', KEYS[2], id)
      redis.call('HDEL', KEYS[3], id)
    end
  end
  local function time(id) return string.match(redis.call('HGET', KEYS[3], id) or '', '"time":(%d+)') end
  local many = redis.call('ZCARD', KEYS[2]) - ${KEPT_EVENTS}
  if many > 0 then drop(many) end
  while true do
    local at, first = 1, redis.call('ZRANGE', KEYS[2], 0, 0)[1]
    local after = redis.call('ZRANGE', KEYS[2], at, at, 'WITHSCORES')
    local function isOld() return after[2] and tonumber(after[2]) <= micros - ${KEPT_MS * 1_000} end
    while isOld() and time(after[1]) == time(first) do
      at = at + 1
      after = redis.call('ZRANGE', KEYS[2], at, at, 'WITHSCORES')
    end
    if not isOld() then break end
    drop(at)
  end
  for at = 2, 3 do redis.call('PEXPIRE', KEYS[at], ${KEPT_MS}) end
  return { 1, writes }
`,
);

/** KEYS: epoch, lease. ARGV: epoch, replica. */
const RELEASE = script(
  "release",
  `${SAME_EPOCH}
  if redis.call('GET', KEYS[2]) == ARGV[2] then redis.call('DEL', KEYS[2]) end
  return 1
`,
);

/** KEYS: epoch, ids, entries. */
const READ = script(
  "read",
  `${SAME_EPOCH}
  local ids = redis.call('ZRANGE', KEYS[2], 0, -1)
  if #ids == 0 then return {} end
  return { ids, redis.call('HMGET', KEYS[3], unpack(ids)) }
`,
);

/** The latest events of topics, in Redis or Valkey. */
export class RedisEventLog implements EventLog {
  readonly isShared = true;
  readonly lookEveryMs = LOOK_MS;

  constructor(private readonly engine: RedisEngine) {}

  async read(topic: string): Promise<readonly LogEntry[]> {
    const reply = await this.engine.run(READ, this.#keys(topic, "ids", "entries"), [], WITHIN_MS);
    const [ids, entries] = Array.isArray(reply) ? reply : [];
    if (!Array.isArray(ids) || !Array.isArray(entries)) return [];
    return ids.map((id, at) => readEntry(String(id), String(entries[at])));
  }

  async append(
    topic: string,
    after: string | undefined,
    entries: readonly LogEntry[],
    as: "writer" | "anyone",
  ): Promise<Appended> {
    const lost = writeEntry({ kind: "break", time: entries[0]?.time ?? 0 });
    const args = entries.flatMap(({ id, ...entry }) => [id, writeEntry(entry)]);
    const { replica } = this.engine.settings;
    const keys = this.#keys(topic, "ids", "entries", "writer");
    const reply = await this.engine.run(APPEND, keys, [replica, as === "writer" ? 1 : 0, after ?? "", lost, ...args], WITHIN_MS);
    const [isAdded, isWriter] = Array.isArray(reply) ? reply : [];
    return { isAdded: isAdded === 1, isWriter: isWriter === 1 };
  }

  async release(topic: string): Promise<void> {
    await this.engine.run(RELEASE, this.#keys(topic, "writer"), [this.engine.settings.replica], WITHIN_MS);
  }

  #keys(topic: string, ...parts: readonly string[]): readonly string[] {
    return parts.map((part) => this.engine.key("events", part, topic));
  }
}

const writeEntry = ({ kind, time, event }: Omit<LogEntry, "id">): string => JSON.stringify({ v: FORMAT, kind, time, event });

/** An entry in an unknown format of another version may have been any event. */
function readEntry(id: string, text: string): LogEntry {
  const wire = jsonIn(text);
  if (!isObject(wire) || wire.v !== FORMAT || typeof wire.time !== "number") return { id, kind: "break", time: 0 };
  const { time, event } = wire;
  if (wire.kind === "event" && event !== undefined) return { id, kind: "event", time, event };
  return { id, kind: wire.kind === "start" ? "start" : "break", time };
}
