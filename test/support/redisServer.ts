import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { RedisClient } from "@redis/client";
import { freePort } from "./freePort.js";
import { killedAtExit } from "./killedAtExit.js";

const PROGRAM = (process.env.PATH ?? "")
  .split(delimiter)
  .flatMap((folder) => ["redis-server", "valkey-server"].map((name) => join(folder, name)))
  .find((path) => existsSync(path));

/** Reason why tests that need a real server are skipped; `undefined` if one is installed. */
export const noRedis: string | undefined =
  PROGRAM === undefined ? "redis-server was not found. On Debian: apt-get install redis-server" : undefined;

/** A real server in a separate process, without persistence. */
export interface RedisServer {
  readonly url: string;
  /** Runs one command. */
  run(...command: string[]): Promise<unknown>;
  /** Pauses and resumes the process. */
  pause(): void;
  resume(): void;
  kill(): Promise<void>;
  /** Restarts it, empty, on the same port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Each call of the library's `createClient` would define all commands of Redis anew. */
const createClient = RedisClient.factory();

const KEEPS_NOTHING = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];

/**
 * Starts a server with command-line options and the text of a configuration file. Entries of this realm's replicas are trusted
 * immediately, as if written long ago.
 */
export async function redisServer({ realm = "test", options = KEEPS_NOTHING, config = "" } = {}): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "redis-"));
  writeFileSync(join(folder, "redis.conf"), config);
  const port = await freePort();
  const password = /^requirepass (\S+)$/m.exec(config)?.[1];
  const url = `redis://${password === undefined ? "" : `:${password}@`}127.0.0.1:${port}`;
  let child = await started(folder, port, options);
  const run = async (...command: string[]): Promise<unknown> => {
    const client = createClient({ url, socket: { reconnectStrategy: false } });
    client.on("error", () => undefined);
    await client.connect();
    try {
      return await client.sendCommand(command);
    } finally {
      client.destroy();
    }
  };
  const kill = async () => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined;
    child.kill("SIGKILL");
    await ended;
  };
  const server = {
    url,
    run,
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    kill,
    async restart() {
      await kill();
      child = await started(folder, port, options);
    },
    async close() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await age(server, realm);
  return server;
}

/** Makes the server's epoch older than every waiting period. */
export async function age(server: Pick<RedisServer, "run">, realm: string): Promise<void> {
  const runId = /run_id:(\S+)/.exec(String(await server.run("INFO", "server")))?.[1] ?? "";
  await server.run("HSET", `{eg:${realm}}:epoch`, "id", "first", "run", runId, "since", "0");
}

async function started(folder: string, port: number, options: readonly string[]) {
  const words = [join(folder, "redis.conf"), "--port", String(port), "--dir", folder, ...options];
  const child = spawn(PROGRAM ?? "redis-server", words, { stdio: ["ignore", "pipe", "ignore"] });
  child.once(
    "close",
    killedAtExit(() => child.kill("SIGKILL")),
  );
  let output = "";
  child.stdout.setEncoding("utf8");
  await new Promise<void>((ready, failed) => {
    child.stdout.on("data", (text: string) => {
      output += text;
      if (output.includes("Ready to accept connections")) ready();
    });
    child.once("exit", () => failed(new Error(`the server ended:\n${output}`)));
  });
  return child;
}
