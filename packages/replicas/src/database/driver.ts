import { readFileSync } from "node:fs";
import type { DatabaseAddress } from "../../../../src/config/databaseAddress.js";

/** What is used of the client library of PostgreSQL. */
interface Driver {
  readonly pool: ConnectionPool;
  /** A connection outside of the pool, not yet connected. */
  listener(): ListenerClient;
}

export interface StatementResult {
  readonly rows: readonly unknown[];
}

export interface Statement {
  readonly text: string;
  /** The server parses a named one once per connection. */
  readonly name?: string;
  /** Not changed: the library's type does not say so. */
  readonly values?: unknown[];
}

export interface PooledClient {
  query(statement: Statement): Promise<StatementResult>;
  on(event: "error", listener: (error: Error) => void): unknown;
  /** `isBroken`: it is closed, and not used again. */
  release(isBroken?: boolean): void;
}

export interface ConnectionPool {
  /** `max` is read before a connection is opened. */
  readonly options: { max: number };
  connect(): Promise<PooledClient>;
  on(event: "connect" | "remove", listener: (client: PooledClient) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  end(): Promise<void>;
}

export interface ListenerClient {
  connect(): Promise<unknown>;
  query(statement: Statement): Promise<StatementResult>;
  once(event: "end", listener: () => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "notification", listener: (message: { readonly payload?: string | undefined }) => void): unknown;
  end(): Promise<void>;
}

export interface ConnectionSettings {
  readonly max: number;
  readonly connectionTimeoutMillis: number;
  /** Timeout of the client for an answer. */
  readonly query_timeout: number;
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
  readonly application_name: string;
  /** Options of the server's session. */
  readonly options: string;
}

/** Opens the library. `verify` checks each pooled connection before it is used. */
export type OpenDriver = (settings: ConnectionSettings, verify: (client: PooledClient) => Promise<void>) => Promise<Driver>;

const INT8 = 20;

/** The library `pg`, loaded only if a database is configured. */
export const pgDriver =
  ({ host, port, user, database, password, tls, rootCertificates }: DatabaseAddress): OpenDriver =>
  async (settings, verify) => {
    const { default: pg } = await import("pg");
    const config = {
      ...{ host, port, user, database, password: () => password?.reveal() ?? "", keepAlive: true, ...settings },
      ssl: tls !== "off" && {
        rejectUnauthorized: tls === "verify",
        ...(rootCertificates === undefined ? {} : { ca: readFileSync(rootCertificates, "utf8") }),
      },
      // The numbers used here are safe integers.
      types: {
        getTypeParser: (oid: number) =>
          oid === INT8 ? (text: string) => Number.parseInt(text, 10) : pg.types.getTypeParser(oid),
      },
    };
    const verified = (client: PooledClient, done: (error?: Error) => void) => void verify(client).then(() => done(), done);
    // The last connection stays open, so a server without a free one cannot shut this process out.
    const pool = new pg.Pool({ ...config, min: 1, idleTimeoutMillis: 60_000, verify: verified });
    return { pool, listener: () => new pg.Client(config) };
  };
