import { createHash } from "node:crypto";
import type { CacheLifetime } from "@exchange-graph/contract/endpoint";
import { LRUCache } from "lru-cache";
import type { AnswerMemory } from "../cache/answerMemory.js";
import { TopicVersions } from "../cache/topicVersions.js";
import { type CacheStore, type Decode, type Entry, type Fresh, keptMsOf, type Version } from "../ports/cacheStore.js";
import { DROP, FIND, KEEP } from "./cacheScripts.js";
import type { Engine } from "./engine.js";
import { Waiters } from "./waiters.js";

/** An engine that is slower is left alone for a moment: a read waits no longer for it than this, ms. */
const WITHIN_MS = 20;
const LEFT_ALONE_MS = 1_000;
/** How long a write waits until all replicas know what it made stale. */
const DROP_WITHIN_MS = 250;
/** What is in memory of an account is served for so long before the engine is asked whether it still holds. */
const CONFIRMED_MS = 250;
/** A replica that asks the exchange keeps others waiting for so long at most. */
const CLAIM_MS = 3_000;
/** When whoever waits looks again, even without a notice; then every `LOOK_MS`. */
const LOOKS_MS = [15, 40];
const LOOK_MS = 100;
const MAX_OVERTAKEN = 3;
/** A longer answer stays where it is. */
const LONGEST = 262_144;
const MAX_TOPICS = 10_000;

/** What the engine said last about a topic. */
interface Known {
  readonly version: string;
  /** Before it was asked, by the monotonic clock. */
  readonly at: number;
}

/** What the cache is made of. */
interface RedisCacheParts {
  readonly engine: Engine;
  readonly memory: AnswerMemory;
  /** Stands for the user of an account, so that what belongs to two users is never mixed up under one account's name. */
  readonly userOf: (owner: string) => string;
  readonly now: () => number;
}

/**
 * Answers in this process's memory, and behind it those of all replicas. Notices of drops come on the connection that carries
 * answers, in order: as long as it stands none is missed, and when it ends memory is emptied. While the engine is slow or gone
 * there is memory alone.
 *
 * Versions that clients see count the drops that were heard of here. The engine's own stand beside them, for what goes there.
 */
export class RedisCache implements CacheStore {
  readonly #versions = new TopicVersions();
  readonly #known = new LRUCache<string, Known>({ max: MAX_TOPICS });
  readonly #listeners: ((topic: string | undefined) => void)[] = [];
  readonly #waiters = new Waiters();
  /** Topics whose drop the engine does not know yet. */
  readonly #owed = new Set<string>();
  #aloneUntil = Number.NEGATIVE_INFINITY;
  #dropping: Promise<void> | undefined;

  constructor(private readonly parts: RedisCacheParts) {
    const { engine } = parts;
    engine.on({
      up: () => {
        this.#forget();
        for (const topic of [...this.#owed]) void this.#drop(topic);
      },
      down: () => this.#known.clear(),
    });
    engine.onNotice("drop", (text) => this.#heard(text));
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

  get(topic: string, key: string): Entry | undefined {
    return this.#isConfirmed(topic) ? this.#mine(topic, this.parts.memory.get(key)) : undefined;
  }

  peek(topic: string, key: string): Entry | undefined {
    return this.#mine(topic, this.parts.memory.peek(key));
  }

  find(topic: string, key: string, lifetime: CacheLifetime, decode: Decode): Promise<Entry | undefined> | undefined {
    return this.#isAlone ? this.#alone(topic, key, lifetime) : this.#find(topic, key, lifetime, decode);
  }

  set(topic: string, key: string, fresh: Fresh, lifetime: CacheLifetime): void {
    const isDropped = this.isDropped(topic, fresh.version);
    if (!isDropped) this.parts.memory.set(key, fresh, keptMsOf(lifetime));
    const known = this.#known.get(topic);
    const left = lifetime.freshMs - (this.parts.now() - fresh.askedAt);
    const isShared = !isDropped && known !== undefined && left >= 1 && fresh.body.length <= LONGEST;
    this.#end(topic, key, isShared ? [known.version, Math.floor(left), `${FORMAT}${fresh.text()}`] : []);
  }

  giveUp(topic: string, key: string): void {
    this.#end(topic, key, []);
  }

  drop(topic: string): void {
    this.#versions.raise(topic);
    this.#known.delete(topic);
    if (this.#owed.size < MAX_TOPICS) this.#owed.add(topic);
    if (!this.parts.engine.isUp) return;
    const dropping: Promise<void> = this.#drop(topic).finally(() => {
      if (this.#dropping === dropping) this.#dropping = undefined;
    });
    // Commands are answered in their order: whoever waits for the last waits for all.
    this.#dropping = dropping;
  }

  settled(): Promise<void> | undefined {
    return this.#dropping;
  }

  onDropped(listener: (topic: string | undefined) => void): void {
    this.#listeners.push(listener);
  }

  async close(): Promise<void> {
    this.#waiters.close();
    this.parts.memory.clear();
  }

  /** Is there nobody to ask but memory? */
  get #isAlone(): boolean {
    return !this.parts.engine.isUp || this.parts.engine.monotonic() < this.#aloneUntil;
  }

  /** May what memory has of a topic be served without asking? */
  #isConfirmed(topic: string): boolean {
    if (topic.startsWith(EVERYBODY) || this.#isAlone) return true;
    const known = this.#known.get(topic);
    return known !== undefined && this.parts.engine.monotonic() - known.at < CONFIRMED_MS;
  }

  #mine(topic: string, entry: Entry | undefined): Entry | undefined {
    return entry === undefined || this.isDropped(topic, entry.version) ? undefined : entry;
  }

  #freshOfMine(topic: string, key: string, { freshMs }: CacheLifetime): Entry | undefined {
    const mine = this.peek(topic, key);
    return mine !== undefined && this.parts.now() - mine.askedAt < freshMs ? mine : undefined;
  }

  /** It was not confirmed when it was looked up, and nobody can do so. */
  #alone(topic: string, key: string, lifetime: CacheLifetime): Promise<Entry> | undefined {
    const mine = this.#freshOfMine(topic, key, lifetime);
    return mine && Promise.resolve(mine);
  }

  async #find(topic: string, key: string, lifetime: CacheLifetime, decode: Decode): Promise<Entry | undefined> {
    const { engine } = this.parts;
    const until = engine.monotonic() + CLAIM_MS;
    let overtaken = 0;
    for (let look = 0; !this.#isAlone && engine.monotonic() < until; look++) {
      const mine = this.#freshOfMine(topic, key, lifetime);
      const [at, before] = [engine.monotonic(), this.#versions.of(topic)];
      const have = mine === undefined ? "" : (this.#known.get(topic)?.version ?? "");
      const reply = await this.#run(FIND, this.#keys(topic, key), [have, engine.settings.replica, CLAIM_MS], WITHIN_MS);
      if (reply === undefined) return this.#freshOfMine(topic, key, lifetime);
      const [version = "", what, left, text] = reply;
      // Dropped meanwhile: the answer may be from before that. Where that happens all the time no answer can be shared.
      if (this.#versions.of(topic) !== before) {
        if (++overtaken === MAX_OVERTAKEN) return undefined;
        continue;
      }
      this.#learn(topic, version, at);
      if (what === "same" && mine !== undefined) return mine;
      // What another version has written is not read: the answer is asked for, and takes its place.
      if (what === "found" && text?.startsWith(FORMAT) !== true) return undefined;
      if (what === "found")
        return this.#take(topic, key, lifetime, Number.parseInt(left ?? "0", 10), text?.slice(FORMAT.length) ?? "", decode);
      if (what === "ask") return undefined;
      await this.#waiters.wait(idOf(topic, key), LOOKS_MS[look] ?? LOOK_MS, engine.clock);
    }
    return undefined;
  }

  #take(topic: string, key: string, lifetime: CacheLifetime, leftMs: number, text: string, decode: Decode): Entry {
    // How old it is says the time that the engine still keeps it: no clock of another replica is looked at.
    const askedAt = this.parts.now() - Math.max(0, lifetime.freshMs - leftMs);
    const read = decode(text);
    const entry = { ...read, askedAt, version: this.#versions.of(topic) };
    const kept = { ...entry, body: Buffer.from(text), again: (body: Buffer) => decode(body.toString("utf8")).value };
    this.parts.memory.set(key, kept, Math.max(1, leftMs) + keptMsOf(lifetime) - lifetime.freshMs);
    return entry;
  }

  /** What the engine says is newer than what was heard of: its notices and answers come in one order. */
  #learn(topic: string, version: string, at: number): void {
    const known = this.#known.get(topic);
    if (known?.version !== version) {
      // What left before this was known may have been asked for under another version.
      this.#versions.raise(topic);
      this.#notify(topic);
    }
    this.#known.set(topic, { version, at });
  }

  #heard(text: string): void {
    const [version = "", replica = "", user = "", ...topics] = text.split(" ");
    const topic = topics.join(" ");
    if (replica === this.parts.engine.settings.replica || user !== this.#userOf(topic)) return;
    this.#learn(topic, version, this.parts.engine.monotonic());
  }

  async #drop(topic: string): Promise<void> {
    const { engine } = this.parts;
    const at = engine.monotonic();
    const words = [engine.channel, "drop ", ` ${engine.settings.replica} ${this.#userOf(topic)} ${topic}`];
    try {
      const version = await engine.run(DROP, [this.#versionKey(topic)], words, DROP_WITHIN_MS);
      this.#owed.delete(topic);
      this.#known.set(topic, { version: String(version), at });
    } catch (error) {
      this.parts.engine.report(error);
    }
  }

  /** Ends what `find` has begun, with an answer or without. */
  #end(topic: string, key: string, answer: readonly (string | number)[]): void {
    const { channel, settings, isUp } = this.parts.engine;
    if (!isUp) return;
    const words = [settings.replica, channel, `done ${idOf(topic, key)}`, ...answer];
    void this.#run(KEEP, this.#keys(topic, key), words, DROP_WITHIN_MS);
  }

  /** Nothing where the engine is too slow: then it is left alone for a moment. */
  async #run(
    what: Parameters<Engine["run"]>[0],
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

  /** Notices may have been missed. */
  #forget(): void {
    this.#versions.raiseAll();
    this.#known.clear();
    this.parts.memory.clear();
    this.#aloneUntil = Number.NEGATIVE_INFINITY;
    this.#notify(undefined);
  }

  #notify(topic: string | undefined): void {
    for (const listener of this.#listeners) listener(topic);
  }

  #userOf(topic: string): string {
    return topic.startsWith(EVERYBODY) ? "*" : this.parts.userOf(topic.slice(0, topic.indexOf("/")));
  }

  /** Keys carry the epoch: what a server had of before says nothing when it comes back. */
  #versionKey(topic: string): string {
    return this.parts.engine.key("version", this.parts.engine.epoch, this.#userOf(topic), topic);
  }

  #keys(topic: string, key: string): readonly string[] {
    const { engine } = this.parts;
    const rest = [engine.epoch, this.#userOf(topic), idOf(topic, key)];
    return [this.#versionKey(topic), engine.key("answer", ...rest), engine.key("claim", ...rest)];
  }
}

/** Stands before an answer: formats carry a version, since two versions of the gateway may run side by side. */
const FORMAT = "1 ";

/** What the topics of public data begin with. */
const EVERYBODY = "*/";

/** Short, however long the parameters in a key are. */
const idOf = (topic: string, key: string): string =>
  createHash("sha256").update(`${topic}\n${key}`).digest("base64url").slice(0, 27);
