import { createHash } from "node:crypto";
import { Keys, OK, RedisError, type Reply, Status } from "./commands.js";
import { compiled, LIBRARY, LuaError, Table, textOf, type Value } from "./lua.js";

/** Scripts compiled once for all servers. */
const SCRIPTS = new Map<string, ReturnType<typeof compiled>>();
const shaOf = (source: string): string => createHash("sha1").update(source).digest("hex");
const VERSION = "7.0.15";
const PERIOD_MS = 10_000;

interface Client {
  readonly channels: Set<string>;
  receive(channel: string, message: string): void;
  /** The server ends the connection. */
  cut(): void;
}

/** A Redis server: a command is one step, and so is a script. */
export class RedisServer {
  readonly #keys: Keys;
  readonly clients = new Set<Client>();
  /** Loaded scripts, by digest. */
  readonly #loaded = new Map<string, string>();
  #paused: (() => void)[] | undefined;
  #run = 1;
  isDown = false;
  /** Commands of the current ten seconds, and the most of any. */
  #counted = { period: 0, commands: 0 };
  busiest = 0;

  /** `now`: the server's clock, Unix ms. */
  constructor(private readonly now: () => number) {
    const listening = (channel: string) => [...this.clients].filter(({ channels }) => channels.has(channel));
    this.#keys = new Keys(now, {
      publish(channel, message) {
        const clients = listening(channel);
        for (const client of clients) client.receive(channel, message);
        return clients.length;
      },
      listeners: (channel) => listening(channel).length,
    });
  }

  /** Keys that do not expire within this time, ms. */
  lasting(withinMs: number): readonly string[] {
    return this.#keys.lasting(withinMs);
  }

  whenRunning(task: () => void): void {
    if (this.#paused === undefined) task();
    else this.#paused.push(task);
  }

  pause(): void {
    this.#paused ??= [];
  }

  resume(): void {
    const tasks = this.#paused ?? [];
    this.#paused = undefined;
    for (const task of tasks) task();
  }

  /** Loses all data, and goes on. */
  empty(): void {
    this.#keys.clear();
  }

  cut(): void {
    for (const client of [...this.clients]) client.cut();
    this.clients.clear();
  }

  kill(): void {
    this.isDown = true;
    this.#paused = undefined;
    this.cut();
  }

  /** Another process takes its place, without its data unless `keepsData`. */
  start(keepsData = false): void {
    this.isDown = false;
    this.#run++;
    this.#loaded.clear();
    if (!keepsData) this.empty();
  }

  /** Throws `RedisError`. */
  execute(command: readonly string[]): Reply {
    this.#count();
    const [name = "", ...words] = command;
    if (name === "INFO")
      return `redis_version:${VERSION}\r\nrun_id:${shaOf(`run ${this.#run}`)}\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\n`;
    if (name === "EVAL") {
      const [source = "", ...rest] = words;
      this.#loaded.set(shaOf(source), source);
      return this.#script(source, rest);
    }
    if (name !== "EVALSHA") return this.#keys.run(command);
    const source = this.#loaded.get(words[0] ?? "");
    if (source === undefined) throw new RedisError("NOSCRIPT No matching script. Please use EVAL.");
    return this.#script(source, words.slice(1));
  }

  #count(): void {
    const period = Math.floor(this.now() / PERIOD_MS);
    if (period !== this.#counted.period) this.#counted = { period, commands: 0 };
    this.busiest = Math.max(this.busiest, ++this.#counted.commands);
  }

  #script(source: string, [count = "0", ...words]: readonly string[]): Reply {
    const script = SCRIPTS.get(source) ?? compiled(source);
    SCRIPTS.set(source, script);
    const keys = Number.parseInt(count, 10);
    const [given, args] = [words.slice(0, keys), words.slice(keys)];
    const redis = new Table();
    const call = (command: readonly Value[]): Value => valueOf(this.#keys.run(command.map(argumentOf)));
    redis.set("call", (command) => [call(command)]);
    redis.set("pcall", (command) => {
      try {
        return [call(command)];
      } catch (error) {
        if (!(error instanceof RedisError)) throw error;
        return [errorOf(error.message)];
      }
    });
    redis.set("error_reply", ([message]) => [errorOf(textOf(message))]);
    const globals = new Map([...LIBRARY, ["redis", redis], ["KEYS", Table.of(given)], ["ARGV", Table.of(args)]] as const);
    try {
      return replyOf(script(globals)[0]);
    } catch (error) {
      if (error instanceof LuaError) throw new RedisError(`ERR ${error.message}`);
      throw error;
    }
  }
}

function errorOf(message: string): Table {
  const table = new Table();
  table.set("err", message);
  return table;
}

function argumentOf(value: Value): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return JSON.stringify(value);
  throw new RedisError("ERR Lua redis lib command arguments must be strings or integers");
}

/** A reply as a script sees it. */
function valueOf(reply: Reply): Value {
  if (reply === null) return false;
  if (reply instanceof Status) {
    const table = new Table();
    table.set("ok", reply.text);
    return table;
  }
  return typeof reply === "object" ? Table.of(reply.map(valueOf)) : reply;
}

/** What a script returns, as the server answers it. A list ends at its first nil. */
function replyOf(value: Value): Reply {
  if (value === undefined || value === false) return null;
  if (value === true) return 1;
  if (typeof value === "number") return Math.trunc(value);
  if (typeof value === "string") return value;
  if (!(value instanceof Table)) return null;
  const [err, ok] = [value.get("err"), value.get("ok")];
  if (typeof err === "string") throw new RedisError(err);
  if (typeof ok === "string") return ok === "OK" ? OK : new Status(ok);
  return value.list.map(replyOf);
}
