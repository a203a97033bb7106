import {
  FORGOTTEN_MS,
  type GroupNotice,
  type Joined,
  type KeptState,
  type Leadership,
  type LeadRequest,
  type RelayEntry,
  type RelayStore,
  type Successor,
} from "../relay/relayStore.js";
import type { RedisEngine } from "./redisEngine.js";
import { NOW, SAME_EPOCH, type Script, script } from "./script.js";

const WITHIN_MS = 1_000;
/**
 * An entry that was possibly not published ends the lease, so the timeout is long: only a lost connection, which is detected
 * separately, or a lost lease should cause that.
 */
const PUBLISHED_WITHIN_MS = 4_000;
/** Maximum number of kept entries of each log. */
const KEPT_ENTRIES = 512;
/** Prefix of the channel, followed by a replica's name, that it listens to while it is connected. */
const PRESENCE = "replica";

/**
 * The lease of a group. A fence is at least the time in ms, so that it increases even after Redis was emptied. Each replica listens
 * to a channel of its name: a lease ends with the connection of its owner, if the owner was seen to listen when it took or renewed
 * it. An expired lease can be renewed by its owner as long as no other replica has taken it, because nothing was published
 * meanwhile. KEYS: epoch, lease, wanted topics, then the head of each topic. ARGV: epoch, replica, fence or 0, whether it may lead,
 * duration of a lease, validity of a request, prefix of a replica's channel, the topics.
 */
const LEAD = script(
  "lead",
  `${NOW}${SAME_EPOCH}
  local me, fence = ARGV[2], ARGV[3]
  local function listening(name)
    local reply = redis.pcall('PUBSUB', 'NUMSUB', ARGV[7] .. name)
    return reply.err == nil and tonumber(reply[2]) or nil
  end
  for at = 8, #ARGV do redis.call('ZADD', KEYS[3], now + ARGV[6], me .. '|' .. ARGV[at]) end
  redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
  redis.call('PEXPIRE', KEYS[3], ${FORGOTTEN_MS})
  local lease = redis.call('HMGET', KEYS[2], 'owner', 'fence', 'heard')
  local held = lease[1] and lease[1] ~= ''
  local ends = held and tonumber(redis.call('HGET', KEYS[2], 'ends')) or 0
  if ends <= now then held = false end
  if held and lease[1] ~= me and lease[3] == lease[2] and listening(lease[1]) == 0 then held = false end
  if lease[1] == me and lease[2] == fence then
    held = true
    ends = now + ARGV[5]
    redis.call('HSET', KEYS[2], 'ends', ends)
  elseif (not held and ARGV[4] == '1') or (held and lease[1] == me) then
    ends = now + ARGV[5]
    lease = { me, string.format('%.0f', math.max(now, (tonumber(lease[2]) or 0) + 1)) }
    held = true
    redis.call('HSET', KEYS[2], 'owner', me, 'fence', lease[2], 'ends', ends)
  end
  local isLeader = held and lease[1] == me
  if isLeader and lease[3] ~= lease[2] and (listening(me) or 0) > 0 then redis.call('HSET', KEYS[2], 'heard', lease[2]) end
  redis.call('PEXPIRE', KEYS[2], ${FORGOTTEN_MS})
  local heads = {}
  for at = 4, #KEYS do
    local head = redis.call('HMGET', KEYS[at], 'fence', 'seq')
    heads[#heads + 1] = head[1] or ''
    heads[#heads + 1] = head[2] or ''
  end
  return { isLeader and 1 or 0, held and lease[2] or '0', held and ends - now or 0, isLeader and redis.call('ZRANGE', KEYS[3], 0, -1) or {}, heads }
`,
);

/**
 * KEYS: epoch, lease. ARGV: epoch, replica, fence, channel, the successor or an empty text, the time for which the lease is reserved
 * for it.
 */
const RELEASE = script(
  "release",
  `${NOW}${SAME_EPOCH}
  local lease = redis.call('HMGET', KEYS[2], 'owner', 'fence')
  if lease[1] ~= ARGV[2] or lease[2] ~= ARGV[3] then return 0 end
  redis.call('HSET', KEYS[2], 'owner', ARGV[5], 'ends', now + ARGV[6])
  redis.call('PUBLISH', ARGV[4], 'released')
  return 1
`,
);

/** KEYS: epoch, lease, head, log, state. ARGV: epoch, replica, fence, sequence, text, channel. */
const PUBLISH = script(
  "publish",
  `${SAME_EPOCH}
  local lease = redis.call('HMGET', KEYS[2], 'owner', 'fence')
  if lease[1] ~= ARGV[2] or lease[2] ~= ARGV[3] then return 0 end
  local head = redis.call('HMGET', KEYS[3], 'fence', 'seq')
  local seq = head[1] == ARGV[3] and tonumber(head[2]) or 0
  if tonumber(ARGV[4]) ~= seq + 1 then return 0 end
  if seq == 0 then redis.call('DEL', KEYS[4], KEYS[5]) end
  redis.call('HSET', KEYS[3], 'fence', ARGV[3], 'seq', ARGV[4])
  redis.call('XADD', KEYS[4], 'MAXLEN', '~', ${KEPT_ENTRIES}, ARGV[4] .. '-0', 't', ARGV[5])
  for at = 3, 4 do redis.call('PEXPIRE', KEYS[at], ${FORGOTTEN_MS}) end
  redis.call('PUBLISH', ARGV[6], ARGV[3] .. ' ' .. ARGV[4] .. ' ' .. ARGV[5])
  return 1
`,
);

/** KEYS: epoch, head, state. ARGV: epoch, fence, sequence, text. */
const KEEP = script(
  "keep",
  `${SAME_EPOCH}
  if redis.call('HGET', KEYS[2], 'fence') ~= ARGV[2] then return 0 end
  redis.call('HSET', KEYS[3], 'seq', ARGV[3], 'text', ARGV[4])
  redis.call('PEXPIRE', KEYS[3], ${FORGOTTEN_MS})
  return 1
`,
);

/** KEYS: epoch, head, log, state. ARGV: epoch, the sequence after which entries are returned; -1 for those after the state. */
const READ = script(
  "read",
  `${SAME_EPOCH}
  local head = redis.call('HMGET', KEYS[2], 'fence', 'seq')
  if not head[1] then return {} end
  local state = redis.call('HMGET', KEYS[4], 'seq', 'text')
  local after = ARGV[2] == '-1' and (state[1] or '0') or ARGV[2]
  return { head[1], head[2], state[1] or '', state[2] or '', redis.call('XRANGE', KEYS[3], '(' .. after .. '-0', '+') }
`,
);

/** Leases, logs and snapshots of the exchange's topics, in Redis or Valkey. */
export class RedisRelay implements RelayStore {
  constructor(private readonly engine: RedisEngine) {
    // Nothing is published on this channel: listening to it shows that this replica is connected.
    engine.listen(this.#key(PRESENCE, this.replica), () => undefined);
  }

  get replica(): string {
    return this.engine.settings.replica;
  }

  get isUp(): boolean {
    return this.engine.isUp;
  }

  get isConfirmed(): boolean {
    return this.engine.isConfirmed;
  }

  onChange(listener: (isUp: boolean) => void): void {
    this.engine.on({ up: () => listener(true), down: () => listener(false) });
  }

  async lead(group: string, { fence, mayLead, leaseMs, topics, wantMs }: LeadRequest): Promise<Leadership> {
    const heads = topics.map((topic) => this.#key(group, "head", topic));
    const args = [this.replica, fence ?? 0, mayLead ? 1 : 0, leaseMs, wantMs, this.#key(PRESENCE, ""), ...topics];
    const reply = await this.#run(LEAD, [this.#key(group, "lease"), this.#key(group, "wishes"), ...heads], args);
    const [isLeader, held, leftMs, wishes, positions] = listOf(reply);
    const places = listOf(positions).map(String);
    return {
      isLeader: whole(isLeader) === 1,
      fence: whole(held),
      leftMs: whole(leftMs),
      wanted: this.#ofOthers(listOf(wishes).map(String)),
      heads: new Map(
        topics.flatMap((topic, at) => {
          const [ofFence, seq] = [places[2 * at], places[2 * at + 1]];
          return ofFence === undefined || ofFence === "" ? [] : [[topic, { fence: whole(ofFence), seq: whole(seq) }] as const];
        }),
      ),
    };
  }

  async release(group: string, fence: number, successor?: Successor): Promise<void> {
    const args = [this.replica, fence, this.#key(group, "notices"), successor?.replica ?? "", successor?.leaseMs ?? 0];
    await this.#run(RELEASE, [this.#key(group, "lease")], args);
  }

  async publish(group: string, topic: string, { fence, seq, text }: RelayEntry): Promise<boolean> {
    const keys = [this.#key(group, "lease"), ...this.#keysOf(group, topic)];
    const args = [this.replica, fence, seq, text, this.#key(group, "entries", topic)];
    return whole(await this.#run(PUBLISH, keys, args, PUBLISHED_WITHIN_MS)) === 1;
  }

  async keep(group: string, topic: string, fence: number, { seq, text }: KeptState): Promise<void> {
    await this.#run(
      KEEP,
      [this.#key(group, "head", topic), this.#key(group, "state", topic)],
      [fence, seq, text],
      PUBLISHED_WITHIN_MS,
    );
  }

  async join(group: string, topic: string): Promise<Joined> {
    return readJoined(await this.#run(READ, this.#keysOf(group, topic), ["-1"]));
  }

  async since(group: string, topic: string, seq: number): Promise<readonly RelayEntry[]> {
    return readJoined(await this.#run(READ, this.#keysOf(group, topic), [seq])).entries;
  }

  listen(group: string, topic: string, listener: (entry: RelayEntry) => void): () => void {
    return this.engine.listen(this.#key(group, "entries", topic), (message) => {
      const [, fence, seq, text] = /^(\d+) (\d+) (.*)$/s.exec(message) ?? [];
      if (text !== undefined) listener({ fence: whole(fence), seq: whole(seq), text });
    });
  }

  listenToGroup(group: string, listener: (notice: GroupNotice) => void): () => void {
    return this.engine.listen(this.#key(group, "notices"), (message) => {
      if (isNotice(message)) listener(message);
    });
  }

  notify(group: string, notice: GroupNotice): void {
    // The next poll makes up for a lost notice.
    this.engine.notify(this.#key(group, "notices"), notice, WITHIN_MS);
  }

  #run(run: Script, keys: readonly string[], args: readonly (string | number)[], withinMs = WITHIN_MS): Promise<unknown> {
    return this.engine.run(run, keys, args, withinMs);
  }

  #key(...parts: readonly string[]): string {
    return this.engine.key("relay", ...parts);
  }

  #keysOf(group: string, topic: string): readonly string[] {
    return ["head", "log", "state"].map((part) => this.#key(group, part, topic));
  }

  #ofOthers(requests: readonly string[]): readonly string[] {
    const others = requests.filter((request) => !request.startsWith(`${this.replica}|`));
    return [...new Set(others.map((request) => request.slice(request.indexOf("|") + 1)))];
  }
}

const isNotice = (message: string): message is GroupNotice =>
  /^(?:wanted|leaving|released|(?:ready|renew|changed) .+)$/s.test(message);

const listOf = (reply: unknown): readonly unknown[] => (Array.isArray(reply) ? reply : []);

function readJoined(reply: unknown): Joined {
  const [fence, seq, stateSeq, stateText, rows] = listOf(reply);
  if (fence === undefined) return { head: undefined, kept: undefined, entries: [] };
  const entries = listOf(rows).map((row): RelayEntry => {
    const [id, pairs] = listOf(row);
    return { fence: whole(fence), seq: whole(String(id).split("-")[0]), text: String(listOf(pairs)[1]) };
  });
  return {
    head: { fence: whole(fence), seq: whole(seq) },
    kept: stateSeq === "" ? undefined : { seq: whole(stateSeq), text: String(stateText) },
    entries,
  };
}

const whole = (reply: unknown): number => Number.parseInt(String(reply), 10);
