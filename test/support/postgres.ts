import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { type DatabaseAddress, readDatabaseAddress } from "../../src/config/databaseAddress.js";
import { freePort } from "./freePort.js";
import { killedAtExit } from "./killedAtExit.js";

const NO_POSTGRES = "PostgreSQL was not found. On Debian: apt-get install postgresql";

const DEBIAN = "/usr/lib/postgresql";

/** The folder of PostgreSQL's programs: those in `PATH`, else Debian's newest; `undefined` if there are none. */
function postgresFolder(): string | undefined {
  const versions = existsSync(DEBIAN)
    ? readdirSync(DEBIAN).sort((one, other) => Number.parseInt(other, 10) - Number.parseInt(one, 10))
    : [];
  const folders = [...(process.env.PATH ?? "").split(delimiter), ...versions.map((version) => join(DEBIAN, version, "bin"))];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

/** Reason why tests that need PostgreSQL are skipped, and how to enable them; `undefined` if it is installed. */
export const noPostgres = (): string | undefined => (postgresFolder() === undefined ? NO_POSTGRES : undefined);

/** A PostgreSQL server started for the tests. */
export interface Postgres {
  /** Creates a database; resolves to its address. */
  create(): Promise<string>;
  /** Runs a query as the administrator. */
  ask(url: string, text: string): Promise<readonly unknown[]>;
  /** Kills the server like a power failure, or starts it again on the same port. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Pauses or resumes the process. */
  pause(): void;
  resume(): void;
  readonly port: number;
  close(): Promise<void>;
}

/** Starts a server; `create` returns addresses with its password. `durable`: commits wait for the disk. */
export async function startPostgres({ durable = false }: { readonly durable?: boolean } = {}): Promise<Postgres> {
  const programs = postgresFolder();
  if (programs === undefined) throw new Error(NO_POSTGRES);
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const user = ordinaryUser();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const initdb = ["-D", data, "-U", "gateway", "-A", "trust", "--no-sync", "--no-instructions", "-E", "UTF8", "--locale=C"];
  await promisify(execFile)(join(programs, "initdb"), initdb, { ...user, cwd: folder });
  const port = await freePort();
  const settings = {
    ...{ port, listen_addresses: "127.0.0.1", unix_socket_directories: folder, max_connections: 120 },
    ...{ shared_buffers: "16MB", autovacuum: "off", fsync: durable ? "on" : "off", wal_level: "minimal", max_wal_senders: 0 },
  };
  const given = ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  const run = async () => {
    const child = spawn(join(programs, "postgres"), given, { ...user, cwd: folder, stdio: "ignore", detached: true });
    await accepting(port);
    return child;
  };
  let server = await run();
  const signal = (name: NodeJS.Signals) => {
    if (server.pid !== undefined && server.exitCode === null && server.signalCode === null) process.kill(-server.pid, name);
  };
  // The process that launched it may end with an error.
  killedAtExit(() => signal("SIGKILL"));
  const kill = async () => {
    const ended = once(server, "exit");
    signal("SIGKILL");
    await ended;
  };
  let count = 0;
  const admin = `postgres://gateway@127.0.0.1:${port}/postgres`;
  const ask = async (url: string, text: string): Promise<readonly unknown[]> => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    port,
    ask,
    async create() {
      const name = `test${count++}`;
      await ask(admin, `CREATE DATABASE ${name}`);
      return `postgres://gateway:a-password-that-nobody-sees@127.0.0.1:${port}/${name}`;
    },
    kill,
    async start() {
      rmSync(join(data, "postmaster.pid"), { force: true });
      server = await run();
    },
    pause: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    async close() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The address of a test's database. */
export function addressOf(url: string): DatabaseAddress {
  const address = readDatabaseAddress(url);
  if ("mistake" in address) throw new Error(address.mistake);
  return address;
}

/** PostgreSQL refuses to run as root. */
function ordinaryUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => {
    for (const name of ["postgres", "nobody"]) {
      try {
        return Number.parseInt(execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }), 10);
      } catch (error) {
        // No such user: try the next one.
        if (!(error instanceof Error)) throw error;
      }
    }
    throw new Error("there is no user postgres, nor nobody");
  };
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/** Waits until a server answers a query on this port. */
async function accepting(port: number, withinMs = 20_000): Promise<void> {
  for (const until = Date.now() + withinMs; ; ) {
    const client = new pg.Client({
      host: "127.0.0.1",
      port,
      user: "gateway",
      database: "postgres",
      connectionTimeoutMillis: 1_000,
    });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > until) throw new Error("PostgreSQL does not start", { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
