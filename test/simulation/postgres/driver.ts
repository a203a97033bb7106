import type { Clock } from "@exchange-graph/contract/clock";
import type {
  ConnectionPool,
  ConnectionSettings,
  ListenerClient,
  OpenDriver,
  PooledClient,
  Statement,
  StatementResult,
} from "../../../packages/replicas/src/database/driver.js";
import type { Pipe } from "../pipe.js";
import { type Answer, PostgresError, type PostgresServer, type Session } from "./server.js";
import type { Value } from "./tables.js";

/** A process's side: in the place of the library `pg`. */
interface ProcessSide {
  readonly server: PostgresServer;
  readonly clock: Clock;
  /** Opens a line to the server. */
  readonly pipe: () => Pipe;
  /** Called at the server when the process was killed. */
  readonly whenKilled: (ended: () => void) => void;
}

export const simulatedDriver =
  (side: ProcessSide): OpenDriver =>
  async (settings, verify) => ({
    pool: new Pool(side, settings, verify),
    listener: () => new Client(side, settings),
  });

type Listener = (subject: never) => void;

class Client implements ListenerClient {
  readonly #pipe: Pipe;
  readonly #listeners: { readonly event: string; readonly listener: Listener }[] = [];
  readonly #pending = new Set<(error: Error) => void>();
  #session: Session | undefined;
  #isGone = false;
  isOpen = false;

  constructor(
    private readonly side: ProcessSide,
    private readonly settings: ConnectionSettings,
  ) {
    this.#pipe = side.pipe();
    side.whenKilled(() => this.#disconnected());
  }

  on(event: string, listener: Listener): this {
    this.#listeners.push({ event, listener });
    return this;
  }

  once(event: string, listener: Listener): this {
    return this.on(event, listener);
  }

  connect(): Promise<void> {
    const { server } = this.side;
    return this.#inTime(this.settings.connectionTimeoutMillis, "timeout expired", (resolve, reject) =>
      this.#pipe.out(() => {
        if (server.isDown) {
          this.#pipe.back(() => reject(new PostgresError("ECONNREFUSED", "connect ECONNREFUSED")));
          return;
        }
        server.whenRunning(() => {
          if (this.#isGone) return;
          try {
            this.#session = server.connect(
              this.settings.options,
              this.settings.lock_timeout,
              (payload) => this.#pipe.back(() => this.#emit("notification", { payload })),
              () => this.#pipe.back(() => this.#lost()),
            );
          } catch (error) {
            if (!(error instanceof PostgresError)) throw error;
            this.#pipe.back(() => reject(error));
            return;
          }
          this.#pipe.back(() => {
            this.isOpen = true;
            resolve();
          });
        });
      }),
    );
  }

  query({ text, values = [] }: Statement): Promise<StatementResult> {
    if (!this.isOpen) return Promise.reject(new Error("Client has encountered a connection error and is not queryable"));
    return this.#inTime<Answer>(this.settings.query_timeout, "Query read timeout", (resolve, reject) =>
      this.#pipe.out(() =>
        this.side.server.whenRunning(() =>
          this.#session?.ask(text, values as readonly Value[], (answer) =>
            this.#pipe.back(() => (answer instanceof Error ? reject(answer) : resolve(answer))),
          ),
        ),
      ),
    );
  }

  async end(): Promise<void> {
    this.#close();
    this.#pipe.out(() => this.#disconnected());
    this.#emit("end", undefined);
  }

  /** The server sees that the client is gone, also one that it has not let in yet. */
  #disconnected(): void {
    this.#isGone = true;
    this.#session?.end();
  }

  #lost(): void {
    if (!this.isOpen) return;
    const error = new Error("Connection terminated unexpectedly");
    this.#close(error);
    this.#emit("error", error);
    this.#emit("end", undefined);
  }

  #close(error = new Error("Connection terminated")): void {
    this.isOpen = false;
    for (const reject of [...this.#pending]) reject(error);
  }

  #emit(event: string, subject: unknown): void {
    for (const one of this.#listeners) if (one.event === event) one.listener(subject as never);
  }

  #inTime<T>(ms: number, late: string, run: (resolve: (value: T) => void, reject: (error: Error) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const ended = () => {
        cancel();
        this.#pending.delete(failed);
      };
      const failed = (error: Error) => {
        ended();
        reject(error);
      };
      const cancel = this.side.clock.after(ms, () => failed(new Error(late)));
      this.#pending.add(failed);
      run((value) => {
        ended();
        resolve(value);
      }, failed);
    });
  }
}

class Pooled extends Client implements PooledClient {
  constructor(
    side: ProcessSide,
    settings: ConnectionSettings,
    private readonly released: (client: Pooled, isBroken: boolean) => void,
  ) {
    super(side, settings);
  }

  release(isBroken = false): void {
    this.released(this, isBroken);
  }
}

/** Someone who waits for a client. */
interface Waiter {
  isOver: boolean;
  readonly take: (client: Pooled) => void;
  readonly fail: (error: unknown) => void;
}

class Pool implements ConnectionPool {
  readonly options: { max: number };
  readonly #idle: Pooled[] = [];
  readonly #all = new Set<Pooled>();
  readonly #waiting: Waiter[] = [];
  readonly #listeners: { readonly event: string; readonly listener: Listener }[] = [];

  constructor(
    private readonly side: ProcessSide,
    private readonly settings: ConnectionSettings,
    private readonly verify: (client: PooledClient) => Promise<void>,
  ) {
    this.options = { max: settings.max };
  }

  on(event: string, listener: Listener): this {
    this.#listeners.push({ event, listener });
    return this;
  }

  async connect(): Promise<Pooled> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    return this.#all.size < this.options.max ? this.#open() : this.#next();
  }

  async end(): Promise<void> {
    for (const client of [...this.#all]) this.#remove(client);
  }

  async #open(): Promise<Pooled> {
    const client = new Pooled(this.side, this.settings, (one, isBroken) => this.#released(one, isBroken));
    this.#all.add(client);
    try {
      await client.connect();
      client.on("error", (error) => {
        if (!this.#all.has(client)) return;
        this.#remove(client);
        this.#emit("error", error);
      });
      this.#emit("connect", client as never);
      await this.verify(client);
      return client;
    } catch (error) {
      this.#remove(client);
      throw error;
    }
  }

  /** The next client that is free. */
  #next(): Promise<Pooled> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        isOver: false,
        take: (client) => ended(() => resolve(client)),
        fail: (error) => ended(() => reject(error)),
      };
      const ended = (end: () => void) => {
        cancel();
        waiter.isOver = true;
        end();
      };
      const cancel = this.side.clock.after(this.settings.connectionTimeoutMillis, () =>
        waiter.fail(new Error("timeout exceeded when trying to connect")),
      );
      this.#waiting.push(waiter);
    });
  }

  /** The one that has waited longest. */
  #longest(): Waiter | undefined {
    let next = this.#waiting.shift();
    while (next?.isOver === true) next = this.#waiting.shift();
    return next;
  }

  #released(client: Pooled, isBroken: boolean): void {
    if (isBroken || !client.isOpen) {
      this.#remove(client);
      return;
    }
    const next = this.#longest();
    if (next === undefined) this.#idle.push(client);
    else next.take(client);
  }

  #remove(client: Pooled): void {
    if (!this.#all.delete(client)) return;
    const at = this.#idle.indexOf(client);
    if (at !== -1) this.#idle.splice(at, 1);
    void client.end();
    this.#emit("remove", client as never);
    const next = this.#longest();
    if (next === undefined) return;
    this.#open().then(
      (opened) => (next.isOver ? this.#released(opened, false) : next.take(opened)),
      (error: unknown) => next.fail(error),
    );
  }

  #emit(event: string, subject: unknown): void {
    for (const one of this.#listeners) if (one.event === event) one.listener(subject as never);
  }
}
