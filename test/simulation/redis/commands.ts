/** The commands of Redis that the product uses, on one database in memory. */

export type Reply = number | string | null | Status | readonly Reply[];
/** A status such as `OK`. */
export class Status {
  constructor(readonly text: string) {}
}
/** An error as the server answers it. */
export class RedisError extends Error {}

export const OK = new Status("OK");

type Stored = string | Map<string, string> | SortedSet | Stream;
class SortedSet extends Map<string, number> {
  /** By score, then by name. */
  get sorted(): (readonly [string, number])[] {
    return [...this].sort(([one, x], [other, y]) => x - y || (one < other ? -1 : 1));
  }
}
class Stream {
  entries: { readonly id: string; readonly fields: readonly string[] }[] = [];
}

const WRONG_TYPE = "WRONGTYPE Operation against a key holding the wrong kind of value";
const whole = (text: string): number => {
  if (!/^-?\d+$/.test(text)) throw new RedisError("ERR value is not an integer or out of range");
  return Number.parseInt(text, 10);
};

/** A bound of a range of scores: a number, `-inf`, `+inf`, or with `(` in front, which leaves the number out. */
function bound(text: string): { readonly score: number; readonly isOut: boolean } {
  const isOut = text.startsWith("(");
  const number = isOut ? text.slice(1) : text;
  const score = number === "-inf" ? Number.NEGATIVE_INFINITY : number === "+inf" ? Number.POSITIVE_INFINITY : Number(number);
  if (Number.isNaN(score)) throw new RedisError("ERR min or max is not a float");
  return { score, isOut };
}

function isWithin(score: number, from: string, to: string): boolean {
  const [least, most] = [bound(from), bound(to)];
  return (least.isOut ? score > least.score : score >= least.score) && (most.isOut ? score < most.score : score <= most.score);
}

/** The part of a list from one place to another, both included; negative places count from its end. */
function ranged<T>(list: readonly T[], from: string, to: string): readonly T[] {
  const place = (text: string) => (whole(text) < 0 ? list.length + whole(text) : whole(text));
  return list.slice(Math.max(0, place(from)), place(to) + 1);
}

const sequenceOf = (id: string): number => Number.parseInt(id.split("-")[0] ?? "", 10);

export class Keys {
  #values = new Map<string, Stored>();
  readonly #expires = new Map<string, number>();

  constructor(
    /** Unix ms. */
    private readonly now: () => number,
    private readonly channels: { publish(channel: string, message: string): number; listeners(channel: string): number },
  ) {}

  /** Keys that do not expire within this time. */
  lasting(withinMs: number): readonly string[] {
    const until = (key: string): number => this.#expires.get(key) ?? Number.POSITIVE_INFINITY;
    return [...this.#values.keys()].filter((key) => this.#find(key) !== undefined && until(key) > this.now() + withinMs);
  }

  clear(): void {
    this.#values = new Map();
    this.#expires.clear();
  }

  /** Throws `RedisError`. */
  run([name = "", ...words]: readonly string[]): Reply {
    const command = this.#commands[name.toUpperCase()];
    if (command === undefined) throw new RedisError(`ERR unknown command '${name}'`);
    return command(words);
  }

  readonly #commands: Readonly<Record<string, (words: readonly string[]) => Reply>> = {
    TIME: () => [String(Math.floor(this.now() / 1_000)), String(Math.floor((this.now() % 1_000) * 1_000))],
    GET: ([key = ""]) => this.#text(key) ?? null,
    SET: ([key = "", value = "", ...options]) => {
      if (options.includes("NX") && this.#find(key) !== undefined) return null;
      this.#values.set(key, value);
      this.#expires.delete(key);
      const at = options.indexOf("PX");
      if (at !== -1) this.#expires.set(key, this.now() + whole(options[at + 1] ?? ""));
      return OK;
    },
    INCR: ([key = ""]) => {
      const next = whole(this.#text(key) ?? "0") + 1;
      this.#values.set(key, String(next));
      return next;
    },
    DEL: (keys) => keys.filter((key) => this.#find(key) !== undefined && this.#delete(key)).length,
    PEXPIRE: ([key = "", ms = ""]) => {
      if (this.#find(key) === undefined) return 0;
      this.#expires.set(key, this.now() + whole(ms));
      return 1;
    },
    PTTL: ([key = ""]) => {
      if (this.#find(key) === undefined) return -2;
      const until = this.#expires.get(key);
      return until === undefined ? -1 : Math.ceil(until - this.now());
    },
    HSET: ([key = "", ...pairs]) => {
      const hash = this.#hash(key, true);
      let added = 0;
      for (let at = 0; at + 1 < pairs.length; at += 2) {
        if (!hash.has(pairs[at] ?? "")) added++;
        hash.set(pairs[at] ?? "", pairs[at + 1] ?? "");
      }
      return added;
    },
    HGET: ([key = "", field = ""]) => this.#hash(key).get(field) ?? null,
    HMGET: ([key = "", ...fields]) => fields.map((field) => this.#hash(key).get(field) ?? null),
    HGETALL: ([key = ""]) => [...this.#hash(key)].flat(),
    HDEL: ([key = "", ...fields]) => this.#removed(key, this.#hash(key), fields),
    ZADD: ([key = "", ...words]) => {
      const isNew = words[0] === "NX";
      const pairs = isNew ? words.slice(1) : words;
      const sorted = this.#sorted(key, true);
      let added = 0;
      for (let at = 0; at + 1 < pairs.length; at += 2) {
        const member = pairs[at + 1] ?? "";
        if (!sorted.has(member)) added++;
        else if (isNew) continue;
        sorted.set(member, bound(pairs[at] ?? "").score);
      }
      return added;
    },
    ZCARD: ([key = ""]) => this.#sorted(key).size,
    ZSCORE: ([key = "", member = ""]) => {
      const score = this.#sorted(key).get(member);
      return score === undefined ? null : String(score);
    },
    ZREM: ([key = "", ...members]) => this.#removed(key, this.#sorted(key), members),
    ZRANGE: ([key = "", from = "", to = "", scores]) =>
      ranged(this.#sorted(key).sorted, from, to).flatMap(([member, score]) =>
        scores === undefined ? [member] : [member, String(score)],
      ),
    ZRANGEBYSCORE: ([key = "", from = "", to = ""]) =>
      this.#sorted(key).sorted.flatMap(([member, score]) => (isWithin(score, from, to) ? [member] : [])),
    ZREMRANGEBYSCORE: ([key = "", from = "", to = ""]) => {
      const sorted = this.#sorted(key);
      return this.#removed(
        key,
        sorted,
        [...sorted].flatMap(([member, score]) => (isWithin(score, from, to) ? [member] : [])),
      );
    },
    ZREMRANGEBYRANK: ([key = "", from = "", to = ""]) => {
      const sorted = this.#sorted(key);
      return this.#removed(
        key,
        sorted,
        ranged(sorted.sorted, from, to).map(([member]) => member),
      );
    },
    XADD: ([key = "", ...words]) => {
      const most = words[0] === "MAXLEN" ? whole(words[2] ?? "") : Number.POSITIVE_INFINITY;
      const [id = "", ...fields] = words[0] === "MAXLEN" ? words.slice(3) : words;
      const stream = this.#find(key) ?? new Stream();
      if (!(stream instanceof Stream)) throw new RedisError(WRONG_TYPE);
      const last = stream.entries.at(-1);
      if (last !== undefined && sequenceOf(last.id) >= sequenceOf(id))
        throw new RedisError("ERR The ID specified in XADD is equal or smaller than the target stream top item");
      stream.entries.push({ id, fields });
      // `~`: at least as many are kept.
      if (stream.entries.length > 2 * most) stream.entries = stream.entries.slice(-most);
      this.#values.set(key, stream);
      return id;
    },
    XRANGE: ([key = "", from = "", to = ""]) => {
      const stream = this.#find(key);
      if (stream === undefined) return [];
      if (!(stream instanceof Stream)) throw new RedisError(WRONG_TYPE);
      const after = from === "-" ? -1 : sequenceOf(from.replace("(", "")) - (from.startsWith("(") ? 0 : 1);
      const until = to === "+" ? Number.POSITIVE_INFINITY : sequenceOf(to);
      return stream.entries.flatMap(({ id, fields }) =>
        sequenceOf(id) > after && sequenceOf(id) <= until ? [[id, fields] as const] : [],
      );
    },
    PUBLISH: ([channel = "", message = ""]) => this.channels.publish(channel, message),
    PUBSUB: ([, ...channels]) => channels.flatMap((channel) => [channel, this.channels.listeners(channel)]),
  };

  #find(key: string): Stored | undefined {
    const until = this.#expires.get(key);
    if (until !== undefined && until <= this.now()) this.#delete(key);
    return this.#values.get(key);
  }

  #delete(key: string): boolean {
    this.#expires.delete(key);
    return this.#values.delete(key);
  }

  #text(key: string): string | undefined {
    const value = this.#find(key);
    if (value !== undefined && typeof value !== "string") throw new RedisError(WRONG_TYPE);
    return value;
  }

  #hash(key: string, isKept = false): Map<string, string> {
    const value = this.#find(key) ?? new Map<string, string>();
    if (!(value instanceof Map) || value instanceof SortedSet) throw new RedisError(WRONG_TYPE);
    if (isKept) this.#values.set(key, value);
    return value;
  }

  #sorted(key: string, isKept = false): SortedSet {
    const value = this.#find(key) ?? new SortedSet();
    if (!(value instanceof SortedSet)) throw new RedisError(WRONG_TYPE);
    if (isKept) this.#values.set(key, value);
    return value;
  }

  /** An empty hash or set is no key. */
  #removed(key: string, of: Map<string, unknown>, members: readonly string[]): number {
    const removed = members.filter((member) => of.delete(member)).length;
    if (of.size === 0) this.#delete(key);
    return removed;
  }
}
