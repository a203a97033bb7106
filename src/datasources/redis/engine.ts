import type { Clock } from "@exchange-graph/contract/clock";
import type { Instrumentation } from "../../instrumentation/instrumentation.js";
import { StoreGone } from "../ports/relayStore.js";
import type { Secret } from "../secret.js";
import { type Connection, connect } from "./connection.js";
import { NOW, SAME_EPOCH, type Script, script } from "./script.js";

/** What a replica is called, and where what it shares is kept. */
export interface EngineSettings {
  readonly url: Secret;
  /** Different for every process that ever was. */
  readonly replica: string;
  /** Replicas behind one outgoing address share the limits of that address. */
  readonly egressGroup: string;
  /** Stands before every key: what belongs to one exchange, or its demo environment. */
  readonly realm: string;
}

interface EngineParts {
  readonly clock: Clock;
  /** Milliseconds that never go back, and go on while the process is stopped. */
  readonly monotonic: () => number;
  /** Between 0 and 1; spreads the attempts of replicas to connect. */
  readonly random: () => number;
  /** A text that nobody has had before. */
  readonly newName: () => string;
  readonly instrumentation: Instrumentation;
}

/** The engine cannot be asked, or has not answered in time. */
export class EngineGone extends StoreGone {}

/** What the engine grants to a replica is granted for so long. */
export const LEASE_MS = 2_000;
const CONNECT_MS = 1_000;
/** An attempt has several steps of at most `CONNECT_MS`, of which a server that is gone lets none but the first begin. */
const ATTEMPT_MS = 2 * CONNECT_MS;
const RETRY_MS = 100;
const SLOWEST_RETRY_MS = 500;
/** How often it is asked who else is there. A revocation whose notice was lost is heard of with the next beat. */
const BEAT_MS = 400;
/** A connection on which nothing was answered for so long is given up. */
const UNANSWERED_MS = 1_000;
/** A replica counts for so long after it was last heard of. */
const MEMBER_MS = 30_000;

/**
 * Makes the epoch known: the time since which what replicas have told the engine can be relied on. A new one begins with an
 * empty engine and with another server; `ARGV[3]` says that the replica has gone on without the engine.
 */
const HELLO = script(`${NOW}
  local epoch = redis.call('HMGET', KEYS[1], 'id', 'run')
  if not epoch[1] or epoch[2] ~= ARGV[1] then
    redis.call('HSET', KEYS[1], 'id', ARGV[2], 'run', ARGV[1], 'since', now)
    return ARGV[2]
  end
  if ARGV[3] == '1' then redis.call('HSET', KEYS[1], 'since', now) end
  return epoch[1]
`);

const BEAT = script(`${NOW}${SAME_EPOCH}
  redis.call('ZADD', KEYS[2], now + ${MEMBER_MS}, ARGV[2])
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
  return { redis.call('ZCARD', KEYS[2]), redis.call('GET', KEYS[3]) or '0' }
`);

/**
 * What shows that the engine is gone, and not that this process did not run: an attempt to reach it has failed in time that began
 * after all leases had ended. Times are of the monotonic clock.
 */
interface Gone {
  /** When the attempt failed. */
  readonly at: number;
  /** When the engine had last answered. */
  readonly heardAt: number;
  /** How many replicas there were then. */
  readonly replicas: number;
}

/** What others listen to. */
interface Listeners {
  readonly up: (isNew: boolean) => void;
  readonly down: () => void;
  readonly beat: (tokens: string) => void;
}

/**
 * The connection to Redis or Valkey: one for commands and notices alike. It is opened again whenever it ends, and given up when
 * nothing is answered on it. What is asked while there is none fails at once.
 */
export class Engine {
  #connection: Connection | undefined;
  #epoch = "";
  #isClosed = false;
  #retryMs = RETRY_MS;
  #cancel = (): void => undefined;
  /** Commands without an answer, and since when there has been one without any. */
  #unanswered = 0;
  #answeredAt = 0;
  #replicas: number | undefined;
  /** When an answer last came. */
  #heardAt = Number.NEGATIVE_INFINITY;
  #gone: Gone | undefined;
  readonly #listeners: Partial<Listeners>[] = [];
  readonly #channels = new Map<string, (text: string) => void>();
  readonly #heardApart = new Map<string, (message: string) => void>();

  constructor(
    readonly settings: EngineSettings,
    private readonly parts: EngineParts,
  ) {}

  get monotonic(): () => number {
    return this.parts.monotonic;
  }

  get clock(): Clock {
    return this.parts.clock;
  }

  get isUp(): boolean {
    return this.#connection !== undefined;
  }

  /** Different after the engine was emptied or replaced. */
  get epoch(): string {
    return this.#epoch;
  }

  /** Replicas that were there when the engine was last heard of; nothing before it ever was. */
  get replicas(): number | undefined {
    return this.#replicas;
  }

  /** How it was found out that the engine is gone. */
  get gone(): Gone | undefined {
    return this.#gone;
  }

  /** The name of a key. All have one hash tag, so a script finds them on one server. */
  key(...parts: readonly string[]): string {
    return `{eg:${this.settings.realm}}:${parts.join(":")}`;
  }

  on(listeners: Partial<Listeners>): void {
    this.#listeners.push(listeners);
  }

  /** Hears what replicas publish about a subject, this one included. */
  onNotice(subject: string, heard: (text: string) => void): void {
    this.#channels.set(subject, heard);
  }

  /** Hears what is published on a channel of its own, across connections. What is published while there is none is lost. */
  hear(channel: string, heard: (message: string) => void): () => void {
    this.#heardApart.set(channel, heard);
    this.#subscribe(channel);
    return () => {
      if (this.#heardApart.get(channel) !== heard) return;
      this.#heardApart.delete(channel);
      const connection = this.#connection;
      connection?.unsubscribe(channel).catch((error: unknown) => this.#lostOn(connection, error));
    };
  }

  /** Publishes on a channel; lost where that does not succeed. */
  notify(channel: string, message: string, withinMs: number): void {
    this.#send(["PUBLISH", channel, message], withinMs).catch((error: unknown) => this.report(error));
  }

  #subscribe(channel: string): void {
    const connection = this.#connection;
    connection
      ?.subscribe(channel, (message) => this.#heardApart.get(channel)?.(message))
      .catch((error: unknown) => this.#lostOn(connection, error));
  }

  /** A connection that does not bring what was asked for is as good as none. */
  #lostOn(connection: Connection, error: unknown): void {
    if (connection === this.#connection) this.#lost(messageOf(error));
  }

  get channel(): string {
    return this.key("notices");
  }

  /** Connects; resolves when the first attempt has ended, whichever way. */
  start(): Promise<void> {
    return this.#connect();
  }

  /** Runs a script. Its first key is the epoch's, its first argument the epoch's name; throws `EngineGone` when it cannot be run in time. */
  async run(
    { source, sha }: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
    withinMs: number,
  ): Promise<unknown> {
    const words = [String(keys.length + 1), this.key("epoch"), ...keys, this.#epoch, ...args.map(String)];
    try {
      return await this.#send(["EVALSHA", sha, ...words], withinMs);
    } catch (error) {
      if (!messageOf(error).startsWith("NOSCRIPT")) throw this.#judged(error);
    }
    try {
      return await this.#send(["EVAL", source, ...words], withinMs);
    } catch (error) {
      throw this.#judged(error);
    }
  }

  async close(): Promise<void> {
    const connection = this.#connection;
    this.#isClosed = true;
    this.#cancel();
    this.#connection = undefined;
    if (connection === undefined) return;
    try {
      await this.#sendOn(connection, ["ZREM", this.key("members"), this.settings.replica], CONNECT_MS);
    } catch (error) {
      this.#isDown(messageOf(error));
    }
    connection.destroy();
  }

  /** Another epoch than was thought, or a server that takes no writes any more: everything is asked for anew. */
  #judged(error: unknown): unknown {
    if (error instanceof EngineGone) return error;
    const why = messageOf(error);
    if (!/^(?:EPOCH|READONLY|MASTERDOWN|LOADING|OOM|NOREPLICAS|NOAUTH|WRONGPASS)/.test(why)) return error;
    this.#lost(why.startsWith("EPOCH") ? "it was emptied, or another server took its place" : why);
    return new EngineGone(why);
  }

  #send(command: readonly string[], withinMs: number): Promise<unknown> {
    const connection = this.#connection;
    if (connection === undefined) return Promise.reject(new EngineGone("there is no connection"));
    return this.#sendOn(connection, command, withinMs);
  }

  #sendOn(connection: Connection, command: readonly string[], withinMs: number): Promise<unknown> {
    if (this.#unanswered++ === 0) this.#answeredAt = this.parts.monotonic();
    return new Promise((resolve, reject) => {
      // What has come while this process was busy is looked at first.
      let cancel = this.parts.clock.after(withinMs, () => {
        cancel = this.parts.clock.after(0, () => reject(new EngineGone(`no answer within ${withinMs} ms`)));
      });
      const ended = () => {
        cancel();
        this.#unanswered--;
        this.#answeredAt = this.parts.monotonic();
      };
      connection.send(command).then(
        (reply) => {
          ended();
          if (connection === this.#connection) this.#heardAt = this.#answeredAt;
          resolve(reply);
        },
        (error: unknown) => {
          ended();
          reject(connection === this.#connection ? error : new EngineGone(messageOf(error)));
        },
      );
    });
  }

  async #connect(): Promise<void> {
    const startedAt = this.parts.monotonic();
    try {
      await this.#open();
      this.#retryMs = RETRY_MS;
      this.#gone = undefined;
    } catch (error) {
      this.#failed(startedAt, this.parts.monotonic());
      this.#isDown(messageOf(error));
      this.#again();
    }
  }

  #failed(startedAt: number, at: number): void {
    const [heardAt, replicas] = [this.#gone?.heardAt ?? this.#heardAt, this.#replicas];
    const isInTime = at - startedAt <= ATTEMPT_MS;
    if (isInTime && replicas !== undefined && startedAt >= heardAt + LEASE_MS) this.#gone = { at, heardAt, replicas };
  }

  async #open(): Promise<void> {
    let isOver = false;
    let connection: Connection | undefined;
    const opening = connect({
      url: this.settings.url,
      timeoutMs: CONNECT_MS,
      channel: this.channel,
      heard: (message) => this.#heard(message),
      ended: (why) => {
        isOver = true;
        if (connection !== undefined && connection === this.#connection) this.#lost(why);
      },
    });
    connection = await this.#within(opening, CONNECT_MS, (late) => late.destroy());
    try {
      const run = runOf(String(await this.#sendOn(connection, ["INFO", "server", "memory"], CONNECT_MS)));
      const hello = [HELLO.source, "1", this.key("epoch"), run, this.parts.newName(), this.#gone === undefined ? "0" : "1"];
      const epoch = String(await this.#sendOn(connection, ["EVAL", ...hello], CONNECT_MS));
      if (isOver || this.#isClosed) throw new EngineGone("the connection was closed");
      const isNew = this.#epoch !== "" && this.#epoch !== epoch;
      this.#epoch = epoch;
      this.#connection = connection;
      this.#heardAt = this.parts.monotonic();
      for (const channel of this.#heardApart.keys()) this.#subscribe(channel);
      for (const { up } of this.#listeners) up?.(isNew);
      await this.#beat();
      this.parts.instrumentation.engine.publish({ news: "up", isNew });
      this.#book();
    } catch (error) {
      if (this.#connection === connection) this.#connection = undefined;
      connection.destroy();
      throw error;
    }
  }

  /** What comes too late is let go of. */
  #within<T>(task: Promise<T>, ms: number, tooLate: (late: T) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const cancel = this.parts.clock.after(ms, () => {
        isLate = true;
        reject(new EngineGone(`no connection within ${ms} ms`));
      });
      task.then((value) => {
        cancel();
        if (isLate) tooLate(value);
        else resolve(value);
      }, reject);
    });
  }

  #book(): void {
    this.#cancel = this.parts.clock.after(BEAT_MS, () => {
      if (this.#unanswered > 0 && this.parts.monotonic() - this.#answeredAt > UNANSWERED_MS) {
        this.#lost(`nothing was answered for ${UNANSWERED_MS} ms`);
        return;
      }
      this.#beat().catch((error: unknown) => {
        if (!(error instanceof EngineGone)) this.#lost(messageOf(error));
      });
      this.#book();
    });
  }

  async #beat(): Promise<void> {
    const reply = await this.run(
      BEAT,
      [this.key("members"), this.key("tokens", "version")],
      [this.settings.replica],
      UNANSWERED_MS,
    );
    const [replicas, tokens] = Array.isArray(reply) ? reply : [];
    this.#replicas = Math.max(1, Number.parseInt(String(replicas), 10));
    for (const { beat } of this.#listeners) beat?.(String(tokens));
  }

  #heard(message: string): void {
    const at = message.indexOf(" ");
    this.#channels.get(message.slice(0, at))?.(message.slice(at + 1));
  }

  #lost(why: string): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#connection = undefined;
    this.#cancel();
    connection.destroy();
    this.#isDown(why);
    for (const { down } of this.#listeners) down?.();
    this.#again();
  }

  /** What the engine should not have answered. That it is gone is nothing new. */
  report(error: unknown): void {
    if (!(error instanceof EngineGone)) this.parts.instrumentation.failure.publish({ error, what: "unexpected answer of redis" });
  }

  #isDown(why: string): void {
    this.parts.instrumentation.engine.publish({ news: "down", why });
  }

  #again(): void {
    if (this.#isClosed) return;
    const wait = this.#retryMs * (0.5 + this.parts.random());
    this.#retryMs = Math.min(this.#retryMs * 2, SLOWEST_RETRY_MS);
    this.#cancel = this.parts.clock.after(wait, () => void this.#connect());
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The name of this run of the server, if the server will do. Throws what is wrong with it. */
function runOf(info: string): string {
  const says = (field: string): string => new RegExp(`^${field}:(\\S+)`, "m").exec(info)?.[1] ?? "";
  const version = says("redis_version");
  if (Number.parseInt(version, 10) < OLDEST) throw new EngineGone(`its version is ${version}, and must be ${OLDEST}.0 or later`);
  // Leases that are evicted would be granted twice.
  if (says("maxmemory") !== "0" && says("maxmemory_policy") !== "noeviction")
    throw new EngineGone(`its maxmemory-policy is ${says("maxmemory_policy")}, and must be noeviction`);
  return says("run_id");
}

const OLDEST = 7;
