import { createHash } from "node:crypto";
import type { CacheLifetime } from "@exchange-graph/contract/endpoint";
import { LRUCache } from "lru-cache";
import {
  type AnswerMemory,
  type CacheEntry,
  type CacheStore,
  type Decode,
  type Fresh,
  keptMsOf,
  TopicVersions,
  type Version,
} from "../../../../src/datasources/reads/index.js";
import { Waiters } from "../waiters.js";
import { DROP, FIND, KEEP } from "./cacheScripts.js";
import { Receipts } from "./receipts.js";
import type { RedisEngine } from "./redisEngine.js";

/** Maximum wait of a read for Redis, ms. A slower Redis is not used for a moment. */
const WITHIN_MS = 20;
const LEFT_ALONE_MS = 1_000;
/** Maximum wait of a write until all replicas know what it invalidates. */
const DROP_WITHIN_MS = 250;
/** Time for which an account's answers in memory are served without asking Redis whether they are valid. */
const CONFIRMED_MS = 250;
/** Maximum time for which other replicas wait for the one that fetches an answer. */
const CLAIM_MS = 3_000;
/** Times at which a waiting read checks again without a notice; then every `LOOK_MS`. */
const LOOKS_MS = [15, 40];
const LOOK_MS = 100;
const MAX_OVERTAKEN = 3;
/** Longer answers are not shared. */
const LONGEST = 262_144;
const MAX_TOPICS = 10_000;
/** Topics that one script drops. */
const MAX_AT_ONCE = 500;

interface RedisVersion {
  readonly version: string;
  /** Start of the request, monotonic. */
  readonly at: number;
}

interface RedisCacheParts {
  readonly engine: RedisEngine;
  readonly memory: AnswerMemory;
  /** Identifies the user of an account, so that data of two users is never mixed under one account name. */
  readonly userOf: (owner: string) => string;
  readonly now: () => number;
}

/**
 * Answers in this process's memory, backed by those of all replicas. Notices of drops arrive in order on the connection that also
 * carries answers: while it is open none is missed, and when it ends memory is cleared. While Redis is slow or gone only memory
 * is used.
 *
 * The versions that callers see count the drops known to this replica. Redis has versions of its own, for entries in Redis.
 */
export class RedisCache implements CacheStore {
  readonly #versions = new TopicVersions();
  readonly #redisVersions = new LRUCache<string, RedisVersion>({ max: MAX_TOPICS });
  readonly #listeners: ((topic: string | undefined) => void)[] = [];
  readonly #waiters = new Waiters();
  /** Topics of which it is not known whether Redis has dropped them. */
  readonly #pendingDrops = new Set<string>();
  #aloneUntil = Number.NEGATIVE_INFINITY;
  #dropping: Promise<void> | undefined;
  readonly #receipts: Receipts;
  /** Whether something was dropped of which no receipts were requested yet. */
  #isUnsettled = false;
  #settling: Promise<void> | undefined;

  constructor(private readonly parts: RedisCacheParts) {
    const { engine } = parts;
    this.#receipts = new Receipts(engine);
    engine.on({
      up: () => {
        this.#forget();
        void this.#drop([...this.#pendingDrops]);
      },
      down: () => this.#redisVersions.clear(),
      beat: () => this.#dropAgain(),
    });
    engine.onNotice("drop", (text) => this.#received(text));
    engine.onNotice("done", (text) => this.#waiters.wake(text));
  }

  version(topic: string): Version {
    return this.#versions.of(topic);
  }

  isDropped(topic: string, version: Version): boolean {
    return version !== this.#versions.of(topic);
  }

  isCurrent(topic: string, version: Version): boolean {
    return !this.isDropped(topic, version) && this.#isConfirmed(topic);
  }

  get(topic: string, key: string): CacheEntry | undefined {
    return this.#isConfirmed(topic) ? this.#mine(topic, this.parts.memory.get(key)) : undefined;
  }

  peek(topic: string, key: string): CacheEntry | undefined {
    return this.#mine(topic, this.parts.memory.peek(key));
  }

  find(topic: string, key: string, lifetime: CacheLifetime, decode: Decode): Promise<CacheEntry | undefined> | undefined {
    if (!this.#isAlone) return this.#find(topic, key, lifetime, decode);
    const mine = this.#alone(topic, key, lifetime);
    return mine && Promise.resolve(mine);
  }

  set(topic: string, key: string, fresh: Fresh, lifetime: CacheLifetime): void {
    const isDropped = this.isDropped(topic, fresh.version);
    if (!isDropped) this.parts.memory.set(key, fresh, keptMsOf(lifetime));
    const confirmed = this.#redisVersions.get(topic);
    const left = lifetime.freshMs - (this.parts.now() - fresh.requestedAt);
    const isShared = !isDropped && confirmed !== undefined && left >= 1 && fresh.body.length <= LONGEST;
    this.#end(topic, key, isShared ? [confirmed.version, Math.floor(left), `${FORMAT}${fresh.body.toString("utf8")}`] : []);
  }

  giveUp(topic: string, key: string): void {
    this.#end(topic, key, []);
  }

  drop(topics: readonly string[]): void {
    for (const topic of topics) {
      this.#versions.raise(topic);
      this.#redisVersions.delete(topic);
      if (this.#pendingDrops.size < MAX_TOPICS) this.#pendingDrops.add(topic);
    }
    this.#isUnsettled = true;
    if (!this.parts.engine.isUp) return;
    const dropping: Promise<void> = this.#drop(topics).finally(() => {
      if (this.#dropping === dropping) this.#dropping = undefined;
    });
    // Commands are answered in order, so waiting for the last one is enough.
    this.#dropping = dropping;
  }

  settled(): Promise<void> | undefined {
    if (!this.parts.engine.isUp) return undefined;
    if (this.#isUnsettled) {
      this.#isUnsettled = false;
      const settling: Promise<void> = Promise.all([this.#dropping, this.#receipts.all()]).then(() => {
        if (this.#settling === settling) this.#settling = undefined;
      });
      this.#settling = settling;
    }
    return this.#settling;
  }

  onDropped(listener: (topic: string | undefined) => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#waiters.wakeAll();
    this.parts.memory.clear();
  }

  /** True while Redis is slow or not reachable, so that only memory answers. */
  get #isAlone(): boolean {
    return !this.parts.engine.isUp || this.parts.engine.monotonic() < this.#aloneUntil;
  }

  /** Whether answers of a topic in memory may be served without asking. */
  #isConfirmed(topic: string): boolean {
    if (topic.startsWith(PUBLIC_PREFIX)) return true;
    if (this.#isAlone) return this.parts.engine.isConfirmed;
    const confirmed = this.#redisVersions.get(topic);
    return confirmed !== undefined && this.parts.engine.monotonic() - confirmed.at < CONFIRMED_MS;
  }

  #mine(topic: string, entry: CacheEntry | undefined): CacheEntry | undefined {
    return entry === undefined || this.isDropped(topic, entry.version) ? undefined : entry;
  }

  #freshOfMine(topic: string, key: string, { freshMs }: CacheLifetime): CacheEntry | undefined {
    const mine = this.peek(topic, key);
    return mine !== undefined && this.parts.now() - mine.requestedAt < freshMs ? mine : undefined;
  }

  /** While Redis does not answer, an entry may be used as long as this replica cannot have missed a drop. */
  #alone(topic: string, key: string, lifetime: CacheLifetime): CacheEntry | undefined {
    return this.#isConfirmed(topic) ? this.#freshOfMine(topic, key, lifetime) : undefined;
  }

  async #find(topic: string, key: string, lifetime: CacheLifetime, decode: Decode): Promise<CacheEntry | undefined> {
    const { engine } = this.parts;
    const until = engine.monotonic() + CLAIM_MS;
    let overtaken = 0;
    for (let look = 0; !this.#isAlone && engine.monotonic() < until; look++) {
      const mine = this.#freshOfMine(topic, key, lifetime);
      const [at, before] = [engine.monotonic(), this.#versions.of(topic)];
      const have = mine === undefined ? "" : (this.#redisVersions.get(topic)?.version ?? "");
      const reply = await this.#run(FIND, this.#keys(topic, key), [have, engine.settings.replica, CLAIM_MS], WITHIN_MS);
      if (reply === undefined) return this.#alone(topic, key, lifetime);
      const [version = "", what, left, text] = reply;
      // The topic was dropped meanwhile, so the answer may be older. If that happens repeatedly, no answer can be shared.
      if (this.#versions.of(topic) !== before) {
        if (++overtaken === MAX_OVERTAKEN) return undefined;
        continue;
      }
      this.#learn(topic, version, at);
      if (what === "same" && mine !== undefined) return mine;
      // An answer in the format of another version is not decoded: it is fetched again and replaced.
      if (what === "found" && text?.startsWith(FORMAT) !== true) return undefined;
      if (what === "found")
        return this.#take(topic, key, lifetime, Number.parseInt(left ?? "0", 10), text?.slice(FORMAT.length) ?? "", decode);
      if (what === "ask") return undefined;
      await this.#waiters.wait(idOf(topic, key), LOOKS_MS[look] ?? LOOK_MS, engine.clock);
    }
    return undefined;
  }

  #take(topic: string, key: string, lifetime: CacheLifetime, leftMs: number, text: string, decode: Decode): CacheEntry {
    // The age follows from the remaining time in Redis, so no clocks of replicas are compared.
    const requestedAt = this.parts.now() - Math.max(0, lifetime.freshMs - leftMs);
    const read = decode(text);
    const entry = { ...read, requestedAt, version: this.#versions.of(topic) };
    const kept = { ...entry, body: Buffer.from(text), decode };
    this.parts.memory.set(key, kept, Math.max(1, leftMs) + keptMsOf(lifetime) - lifetime.freshMs);
    return entry;
  }

  /** An answer of Redis is newer than earlier notices: both arrive in one order. */
  #learn(topic: string, version: string, at: number): void {
    const confirmed = this.#redisVersions.get(topic);
    if (confirmed?.version !== version) {
      // Calls that were sent before this was known may belong to another version.
      this.#versions.raise(topic);
      this.#notify(topic);
    }
    this.#redisVersions.set(topic, { version, at });
  }

  #received(text: string): void {
    const [version = "", replica = "", user = "", ...topics] = text.split(" ");
    const topic = topics.join(" ");
    if (replica === this.parts.engine.settings.replica) return;
    if (user === this.#userOf(topic)) this.#learn(topic, version, this.parts.engine.monotonic());
    else this.#dropUnder(topic);
  }

  /** The replica that dropped it has another key for the account, for example while keys are replaced: no notice follows. */
  #dropUnder(topic: string): void {
    this.#versions.raise(topic);
    this.#redisVersions.delete(topic);
    this.#notify(topic);
    void this.#drop([topic], this.parts.engine.key("notices", "of none"));
  }

  /** Repeats drops that were not answered in time on a connection that stayed open. */
  #dropAgain(): void {
    if (this.#dropping === undefined && this.#pendingDrops.size > 0) void this.#drop([...this.#pendingDrops]);
  }

  async #drop(topics: readonly string[], channel = this.parts.engine.channel): Promise<void> {
    const scripts: Promise<void>[] = [];
    for (let at = 0; at < topics.length; at += MAX_AT_ONCE)
      scripts.push(this.#dropAtOnce(topics.slice(at, at + MAX_AT_ONCE), channel));
    await Promise.all(scripts);
  }

  async #dropAtOnce(topics: readonly string[], channel: string): Promise<void> {
    const { engine } = this.parts;
    const at = engine.monotonic();
    const suffixes = topics.map((topic) => ` ${engine.settings.replica} ${this.#userOf(topic)} ${topic}`);
    try {
      const keys = topics.map((topic) => this.#versionKey(topic));
      const versions: unknown = await engine.run(DROP, keys, [channel, "drop ", ...suffixes], DROP_WITHIN_MS);
      for (const [place, topic] of topics.entries()) {
        this.#pendingDrops.delete(topic);
        if (Array.isArray(versions)) this.#redisVersions.set(topic, { version: String(versions[place]), at });
      }
    } catch (error) {
      this.parts.engine.report(error);
    }
  }

  /** Ends what `find` has begun, with or without an answer. */
  #end(topic: string, key: string, answer: readonly (string | number)[]): void {
    const { channel, settings, isUp } = this.parts.engine;
    if (!isUp) return;
    const args = [settings.replica, channel, `done ${idOf(topic, key)}`, ...answer];
    void this.#run(KEEP, this.#keys(topic, key), args, DROP_WITHIN_MS);
  }

  /** Undefined if Redis is too slow; then it is not used for a moment. */
  async #run(
    what: Parameters<RedisEngine["run"]>[0],
    keys: readonly string[],
    words: readonly (string | number)[],
    withinMs: number,
  ): Promise<readonly (string | undefined)[] | undefined> {
    try {
      const reply = await this.parts.engine.run(what, keys, words, withinMs);
      return Array.isArray(reply) ? reply.map((part) => (part === null ? undefined : String(part))) : [];
    } catch (error) {
      this.#aloneUntil = this.parts.engine.monotonic() + LEFT_ALONE_MS;
      this.parts.engine.report(error);
      return undefined;
    }
  }

  /** Clears memory, because notices may have been missed. */
  #forget(): void {
    this.#versions.raiseAll();
    this.#redisVersions.clear();
    this.parts.memory.clear();
    this.#aloneUntil = Number.NEGATIVE_INFINITY;
    this.#notify(undefined);
  }

  #notify(topic: string | undefined): void {
    for (const listener of this.#listeners) listener(topic);
  }

  #userOf(topic: string): string {
    return topic.startsWith(PUBLIC_PREFIX) ? "*" : this.parts.userOf(topic.slice(0, topic.indexOf("/")));
  }

  /** Keys contain the epoch, so that former data of a server has no effect when it returns. */
  #versionKey(topic: string): string {
    return this.parts.engine.key("version", this.parts.engine.epoch, this.#userOf(topic), topic);
  }

  #keys(topic: string, key: string): readonly string[] {
    const { engine } = this.parts;
    const rest = [engine.epoch, this.#userOf(topic), idOf(topic, key)];
    return [this.#versionKey(topic), engine.key("answer", ...rest), engine.key("claim", ...rest)];
  }
}

/** Prefix of an answer: the version of its format, because two versions of the gateway may run at the same time. */
const FORMAT = "1 ";

/** Prefix of topics of public data. */
const PUBLIC_PREFIX = "*/";

/** A short id for keys of any length. */
const idOf = (topic: string, key: string): string =>
  createHash("sha256").update(`${topic}\n${key}`).digest("base64url").slice(0, 27);
