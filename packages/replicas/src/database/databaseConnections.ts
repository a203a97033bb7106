import type { Clock } from "@exchange-graph/contract/clock";
import { inTime } from "../../../../src/datasources/errors/index.js";
import { DatabaseUnavailable } from "./databaseErrors.js";
import type { ConnectionPool, PooledClient } from "./driver.js";

/** Maximum time until a statement has a connection, whether it is opened or waited for. */
export const CONNECT_MS = 3_000;
/** Connections for statements; one more listens. */
export const CONNECTIONS = 4;
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
export class DatabaseConnections {
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
