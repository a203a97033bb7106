import type { Clock } from "@exchange-graph/contract/clock";
import { z } from "zod";
import type { DatabaseAddress } from "../../../../src/config/databaseAddress.js";
import { inTime } from "../../../../src/datasources/errors/index.js";
import { INSTRUMENTATION, type Instrumentation } from "../../../../src/instrumentation/instrumentation.js";
import { observed } from "../observedCall.js";
import { Announcements } from "./announcements.js";
import { DatabaseUnavailable, unavailable } from "./databaseErrors.js";
import { type ConnectionPool, type ListenerClient, type OpenDriver, type PooledClient, pgDriver } from "./driver.js";
import { migrate } from "./schema.js";
import type { DatabaseRow, Transact, Value } from "./transaction.js";

/** Maximum time until a statement has a connection, whether it is opened or waited for. */
const CONNECT_MS = 3_000;
/** Connections for statements; one more listens. */
const CONNECTIONS = 4;
/** Pause before another attempt to open the first connection. */
const RETRY_MS = 100;
/** After a refusal no further connection is opened for this long. */
const FULL_MS = 1_000;
/** The server, its database or its role has no free connection. */
const TOO_MANY_CONNECTIONS = "53300";

/**
 * The connections of this process. If the server has no free one, statements wait for those that are open; they do not fail as
 * long as one of them is released in time.
 */
class DatabaseConnections {
  readonly #open = new Set<PooledClient>();
  #cancel = (): void => undefined;

  constructor(
    private readonly pool: ConnectionPool,
    private readonly clock: Clock,
  ) {
    pool.on("connect", (client) => this.#open.add(client));
    pool.on("remove", (client) => this.#open.delete(client));
    // A broken connection fails its statement and leaves the pool; it also emits this event.
    pool.on("error", () => undefined);
    pool.on("connect", (client) => void client.on("error", () => undefined));
  }

  /** A connection, which has to be released. Throws within `CONNECT_MS`. */
  async acquire(): Promise<PooledClient> {
    const until = this.clock.now() + CONNECT_MS;
    for (;;) {
      try {
        return await this.#next(until - this.clock.now());
      } catch (error) {
        if (!isFull(error) || this.clock.now() + RETRY_MS >= until) throw error;
        this.#useOpenOnes();
        if (this.#open.size === 0) await new Promise<void>((resolve) => this.clock.after(RETRY_MS, resolve));
      }
    }
  }

  async close(): Promise<void> {
    this.#cancel();
    await this.pool.end();
  }

  async #next(withinMs: number): Promise<PooledClient> {
    const pending = this.pool.connect();
    const client = await inTime(this.clock, pending, withinMs);
    if (client !== undefined) return client;
    // A connection that comes too late goes to the next statement.
    pending.then(
      (late) => late.release(),
      () => undefined,
    );
    throw new DatabaseUnavailable(`no connection to the database was free within ${CONNECT_MS} ms`);
  }

  /** The pool reads its maximum before it opens a connection. */
  #useOpenOnes(): void {
    this.pool.options.max = Math.max(1, this.#open.size);
    this.#cancel();
    this.#cancel = this.clock.after(FULL_MS, () => {
      this.pool.options.max = CONNECTIONS;
    });
  }
}

const isFull = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === TOO_MANY_CONNECTIONS;

/** Statement timeout of the server; the client's own is slightly longer. */
const STATEMENT_MS = 4_000;
const ANSWER_MS = 5_000;
/** Maximum wait of a statement for a lock. */
const LOCK_MS = 3_000;
/** Maximum wait at the start for a server that is starting. */
const START_MS = 10_000;
const START_PAUSE_MS = 250;

interface DatabaseOptions {
  readonly address: DatabaseAddress;
  /** Name of this process in the server's list of connections. */
  readonly name: string;
  readonly clock: Clock;
  readonly instrumentation?: Instrumentation | undefined;
  /** Milliseconds of a monotonic clock, with fractions. Default: the clock's. */
  readonly monotonic?: () => number;
  /** Default: the library `pg`. */
  readonly driver?: OpenDriver | undefined;
}

/** Statements of a kind are shown together. */
const KIND = /^\s*(?:--[^\n]*\n\s*)*([A-Za-z]+)/;

/**
 * The PostgreSQL server that replicas share. Every statement has a timeout, at the server and here. Every failure is thrown as
 * `DatabaseUnavailable`, with a message that contains neither address nor password.
 *
 * Only a primary is accepted, and a commit is durable before it is answered.
 */
export class Database {
  readonly announcements: Announcements;
  readonly #prepared = new Map<string, string>();
  #isClosed = false;

  private constructor(
    private readonly connections: DatabaseConnections,
    listener: () => ListenerClient,
    private readonly parts: Required<Pick<DatabaseOptions, "clock" | "monotonic">> & {
      readonly instrumentation: Instrumentation;
    },
  ) {
    this.announcements = new Announcements(listener, parts.clock);
  }

  /**
   * Connects, and migrates the tables to this version. Throws an `Error` with a message for the operator if that is not possible.
   */
  static async open(options: DatabaseOptions): Promise<Database> {
    const { address, name, clock, instrumentation = INSTRUMENTATION, monotonic = () => clock.now() } = options;
    const { pool, listener } = await (options.driver ?? pgDriver(address))(settingsOf(name), isPrimary);
    const database = new Database(new DatabaseConnections(pool, clock), listener, { clock, instrumentation, monotonic });
    const until = clock.now() + START_MS;
    for (;;) {
      try {
        await migrate(database.transaction);
        return database;
      } catch (error) {
        const mayPass = error instanceof DatabaseUnavailable && error.mayPass;
        if (!mayPass || clock.now() >= until) {
          await database.close();
          throw error instanceof Error ? new Error(`DATABASE_URL: ${error.message}`, { cause: error }) : error;
        }
        await new Promise<void>((resolve) => clock.after(START_PAUSE_MS, resolve));
      }
    }
  }

  /**
   * Executes one statement. The server parses the same text once per connection.
   *
   * @param traceparent trace context of the write that it records
   */
  async query(text: string, values: readonly Value[] = [], traceparent?: string | null): Promise<readonly DatabaseRow[]> {
    const kind = KIND.exec(text)?.[1]?.toUpperCase() ?? "QUERY";
    const call = { store: "postgresql", what: kind, traceparent } as const;
    return observed(this.parts, call, () => this.#using((client) => this.#ask(client, text, values)));
  }

  /** Executes several statements in one transaction. */
  readonly transaction: Transact = (work) =>
    observed(this.parts, { store: "postgresql", what: "TRANSACTION" }, () =>
      this.#using(async (client) => {
        // A failed transaction closes its connection, and the server rolls it back.
        await client.query({ text: "BEGIN" });
        const result = await work({ query: (text, values = []) => this.#ask(client, text, values) });
        await client.query({ text: "COMMIT" });
        return result;
      }),
    );

  /** Closes all connections. Later statements are refused. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.announcements.close();
    await this.connections.close();
  }

  async #using<T>(work: (client: PooledClient) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new DatabaseUnavailable("it is closed", { mayPass: false });
    let client: PooledClient | undefined;
    try {
      client = await this.connections.acquire();
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      // The statement may still be executed, so the connection is not used again.
      client?.release(true);
      throw unavailable(error, client !== undefined);
    }
  }

  async #ask(client: PooledClient, text: string, values: readonly Value[]): Promise<readonly DatabaseRow[]> {
    if (values.length === 0) return (await client.query({ text })).rows;
    const name = this.#prepared.get(text) ?? `s${this.#prepared.size}`;
    this.#prepared.set(text, name);
    return (await client.query({ name, text, values: values.map(storable) })).rows;
  }
}

const isPrimaryRows = z.tuple([z.object({ standby: z.literal(false) })]);

const settingsOf = (name: string) => ({
  ...{ max: CONNECTIONS, connectionTimeoutMillis: CONNECT_MS, query_timeout: ANSWER_MS },
  ...{ statement_timeout: STATEMENT_MS, lock_timeout: LOCK_MS, idle_in_transaction_session_timeout: ANSWER_MS },
  application_name: `exchange-graph ${name}`,
  // Overrides the server's default: an answered commit is on its disk.
  options: "-c synchronous_commit=on",
});

async function isPrimary(client: PooledClient): Promise<void> {
  const { rows } = await client.query({ text: "SELECT pg_is_in_recovery() AS standby" });
  if (!isPrimaryRows.safeParse(rows).success) throw new DatabaseUnavailable("the server is a standby: a primary is required");
}

/** PostgreSQL stores any text except one with a null character. */
const storable = (value: Value): Value => (typeof value === "string" ? value.replaceAll("\0", "\ufffd") : value);
