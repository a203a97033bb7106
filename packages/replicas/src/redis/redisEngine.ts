import type { Clock } from "@exchange-graph/contract/clock";
import { observed } from "../observedCall.js";
import { Absence, type AbsenceProof, STILL_MS } from "./absence.js";
import { Commands, EngineUnreachable, messageOf } from "./commands.js";
import { Confirmation } from "./confirmation.js";
import { EngineRefused, reasonOf, reopens } from "./engineErrors.js";
import type { EngineParts, EngineSettings } from "./engineSettings.js";
import { handshake } from "./handshake.js";
import { type Connection, connect } from "./redisConnection.js";
import { BEAT, type Script } from "./script.js";
import { Seen } from "./seen.js";

const CONNECT_MS = 1_000;
const RETRY_MS = 100;
/** The proof that Redis is gone has to be confirmed every two seconds. */
const SLOWEST_RETRY_MS = 250;
/** Interval at which the number of replicas is read. A revocation whose notice was lost is detected by the next beat. */
const BEAT_MS = 400;
/** A connection without an answer for this long is closed. */
const UNANSWERED_MS = 1_000;
/** Time after which all replicas have joined a Redis that was emptied or replaced. */
const JOINED_MS = 1_000;
const NEVER_TRIED = "it was not tried yet";

interface Listeners {
  readonly up: (isNew: boolean) => void;
  readonly down: () => void;
  readonly beat: (tokens: string) => void;
}

/**
 * The connection to Redis or Valkey, one for commands and notices. It is reopened whenever it ends, and closed when commands are
 * not answered. Without a connection, commands fail at once.
 */
export class RedisEngine {
  #connection: Connection | undefined;
  #epoch = "";
  #trouble: string | undefined = NEVER_TRIED;
  #isClosed = false;
  #retryMs = RETRY_MS;
  /** Start of the connection, monotonic. */
  #upAt = Number.NEGATIVE_INFINITY;
  #cancel = (): void => undefined;
  readonly #commands: Commands;
  readonly #replicas = new Seen();
  readonly #absence: Absence;
  readonly #confirmation: Confirmation;
  readonly #listeners: Partial<Listeners>[] = [];
  /** By the subjects of notices. */
  readonly #subjects = new Map<string, (text: string) => void>();
  /** By channel; they are subscribed again on each connection. */
  readonly #channels = new Map<string, (message: string) => void>();

  constructor(
    readonly settings: EngineSettings,
    private readonly parts: EngineParts,
  ) {
    this.#confirmation = new Confirmation(parts.monotonic);
    this.#absence = new Absence(parts.monotonic, 2 * CONNECT_MS, this.#replicas);
    this.#commands = new Commands(parts, {
      isOn: (connection) => connection === this.#connection,
      answered: (at, sentAt) => {
        this.#absence.received(at);
        this.#confirmation.answered(sentAt, at);
      },
    });
  }

  get monotonic(): () => number {
    return this.parts.monotonic;
  }

  get clock(): Clock {
    return this.parts.clock;
  }

  get isUp(): boolean {
    return this.#connection !== undefined;
  }

  /**
   * Whether this replica may rely on having received the others' notices. True without a connection, because then nothing can be
   * confirmed.
   */
  get isConfirmed(): boolean {
    return !this.isUp || this.#confirmation.holds;
  }

  /** Why there is no connection, in words that may be shown to everybody; undefined if there is one. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Changes when Redis was emptied or replaced. */
  get epoch(): string {
    return this.#epoch;
  }

  /** Number of replicas of the last 30 s before Redis was last reached; undefined if it never was. */
  get replicas(): number | undefined {
    return this.#replicas.most;
  }

  get gone(): AbsenceProof | undefined {
    return this.#absence.gone;
  }

  /** The name of a key. All have one hash tag, so that a script's keys are on one server. */
  key(...parts: readonly string[]): string {
    return `{eg:${this.settings.realm}}:${parts.join(":")}`;
  }

  on(listeners: Partial<Listeners>): void {
    this.#listeners.push(listeners);
  }

  /** Calls `listener` with the notices of all replicas about a subject, including this one's. */
  onNotice(subject: string, listener: (text: string) => void): void {
    this.#subjects.set(subject, listener);
  }

  /**
   * Calls `listener` with the messages of a channel, across connections, until the returned function is called. Messages without a
   * connection are lost.
   */
  listen(channel: string, listener: (message: string) => void): () => void {
    this.#channels.set(channel, listener);
    this.#subscribe(channel);
    return () => {
      if (this.#channels.get(channel) !== listener) return;
      this.#channels.delete(channel);
      const connection = this.#connection;
      connection?.unsubscribe(channel).catch((error: unknown) => this.#lostOn(connection, error));
    };
  }

  #subscribe(channel: string): void {
    const connection = this.#connection;
    connection
      ?.subscribe(channel, (message) => this.#channels.get(channel)?.(message))
      .catch((error: unknown) => this.#lostOn(connection, error));
  }

  /** Publishes on a channel; a failure loses the message. */
  notify(channel: string, message: string, withinMs: number): void {
    this.#send(["PUBLISH", channel, message], withinMs).catch((error: unknown) => this.report(error));
  }

  /** A connection that cannot subscribe is closed. */
  #lostOn(connection: Connection, error: unknown): void {
    if (connection === this.#connection) this.#lost(error);
  }

  get channel(): string {
    return this.key("notices");
  }

  /**
   * Connects; resolves when the first attempt has ended, successful or not. Throws `EngineRefused` if waiting would not help.
   */
  start(): Promise<void> {
    return this.#connect(true);
  }

  /** Executes a script, with the epoch as its first key and argument. Throws `EngineUnreachable` if it cannot be executed in time. */
  run(what: Script, keys: readonly string[], args: readonly (string | number)[], withinMs: number): Promise<unknown> {
    const evalArgs = [String(keys.length + 1), this.key("epoch"), ...keys, this.#epoch, ...args.map(String)];
    const run = () => this.#evaluate(what, evalArgs, withinMs);
    // A beat serves no request, so it is not published.
    return what === BEAT ? run() : observed(this.parts, { store: "redis", what: what.name }, run);
  }

  async #evaluate({ source, sha }: Script, evalArgs: readonly string[], withinMs: number): Promise<unknown> {
    try {
      return await this.#send(["EVALSHA", sha, ...evalArgs], withinMs).catch((error: unknown) => {
        if (!messageOf(error).startsWith("NOSCRIPT")) throw error;
        return this.#send(["EVAL", source, ...evalArgs], withinMs);
      });
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
      await this.#commands.send(connection, ["ZREM", this.key("members"), this.settings.replica], CONNECT_MS);
    } catch (error) {
      this.#isDown(error);
    }
    connection.destroy();
  }

  /** If the epoch has changed, or the server accepts no writes, the connection is opened again and all state is read anew. */
  #judged(error: unknown): unknown {
    if (error instanceof EngineUnreachable) return error;
    const why = messageOf(error);
    if (!reopens(why)) return error;
    this.#lost(why.startsWith("EPOCH") ? new EngineUnreachable("it was emptied, or another server took its place") : error);
    return new EngineUnreachable(why);
  }

  #send(command: readonly string[], withinMs: number): Promise<unknown> {
    const connection = this.#connection;
    if (connection === undefined) return Promise.reject(new EngineUnreachable("there is no connection"));
    return this.#commands.send(connection, command, withinMs);
  }

  async #connect(isStart = false): Promise<void> {
    const startedAt = this.parts.monotonic();
    const cancel = this.#commands.late(STILL_MS, () => this.#absence.unanswered(startedAt));
    try {
      await this.#open();
      this.#retryMs = RETRY_MS;
      this.#absence.ended();
    } catch (error) {
      const { reason, mayPass } = reasonOf(error);
      if (isStart && !mayPass) throw new EngineRefused(reason, { cause: error });
      this.#absence.failed(startedAt);
      this.#isDown(error);
      this.#again();
    } finally {
      cancel();
    }
  }

  async #open(): Promise<void> {
    let isOver = false;
    let connection: Connection | undefined;
    const opening = (this.parts.connect ?? connect)({
      url: this.settings.url,
      timeoutMs: CONNECT_MS,
      channel: this.channel,
      received: (message) => this.#received(message),
      ended: (why) => {
        isOver = true;
        if (connection !== undefined && connection === this.#connection) this.#lost(new EngineUnreachable(why));
      },
    });
    connection = await this.#commands.opened(opening, CONNECT_MS);
    try {
      const opened = connection;
      const epoch = await handshake((command) => this.#commands.send(opened, command, CONNECT_MS), this, {
        newEpoch: this.parts.newName(),
        wasAlone: this.#absence.wasAlone,
        occupying: this.#replicas.occupyingAt(this.parts.monotonic()),
      });
      if (isOver || this.#isClosed) throw new EngineUnreachable("the connection was closed");
      const isNew = this.#epoch !== "" && this.#epoch !== epoch;
      this.#epoch = epoch;
      this.#connection = connection;
      this.#trouble = undefined;
      this.#upAt = this.parts.monotonic();
      this.#absence.received(this.#upAt);
      for (const channel of this.#channels.keys()) this.#subscribe(channel);
      this.#confirmation.began(this.parts.monotonic());
      for (const { up } of this.#listeners) up?.(isNew);
      await this.#beat();
      this.parts.instrumentation.redis.publish({ kind: "up", isNew });
      this.#book();
    } catch (error) {
      if (this.#connection === connection) this.#drop();
      connection.destroy();
      throw error;
    }
  }

  #book(): void {
    this.#cancel = this.#commands.late(BEAT_MS, () => {
      if (this.#commands.silentMs > UNANSWERED_MS) {
        this.#lost(new EngineUnreachable(`nothing was answered for ${UNANSWERED_MS} ms`));
        return;
      }
      this.#beat().catch((error: unknown) => {
        if (!(error instanceof EngineUnreachable)) this.#lost(error);
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
    const [replicas, tokens, before] = Array.isArray(reply) ? reply : [];
    const [count = 1, place = 0] = [replicas, before].map((part) => Number.parseInt(String(part), 10));
    this.#count({ count, place });
    for (const { beat } of this.#listeners) beat?.(String(tokens));
  }

  /** An emptied Redis at first knows only the replicas that have already joined it. */
  #count(replicas: { readonly count: number; readonly place: number }): void {
    const now = this.parts.monotonic();
    if (replicas.count < (this.replicas ?? 0) && now < this.#upAt + JOINED_MS) return;
    this.#replicas.add(replicas, now);
  }

  #received(message: string): void {
    const at = message.indexOf(" ");
    this.#subjects.get(message.slice(0, at))?.(message.slice(at + 1));
  }

  #lost(error: unknown): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    this.#drop();
    connection.destroy();
    this.#isDown(error);
    this.#again();
  }

  #drop(): void {
    this.#connection = undefined;
    for (const { down } of this.#listeners) down?.();
  }

  /** Reports an unexpected answer. That Redis is gone is reported elsewhere. */
  readonly report = (error: unknown): void => {
    if (!(error instanceof EngineUnreachable))
      this.parts.instrumentation.failure.publish({ error, what: "unexpected answer of redis" });
  };

  #isDown(error: unknown): void {
    this.#trouble = reasonOf(error).reason;
    this.parts.instrumentation.redis.publish({ kind: "down", why: messageOf(error), isAlone: this.replicas !== undefined });
  }

  #again(): void {
    this.#cancel();
    if (this.#isClosed) return;
    const wait = this.#retryMs * (0.5 + this.parts.random());
    this.#retryMs = Math.min(this.#retryMs * 2, SLOWEST_RETRY_MS);
    this.#cancel = this.parts.clock.after(wait, () => void this.#connect());
  }
}
