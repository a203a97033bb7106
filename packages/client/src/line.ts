import { backoff, type Clock } from "./clock.js";
import type { ErrorCode } from "./errors.js";
import { bearerOf, type Token } from "./http.js";
import { isObject, type JsonObject } from "./json.js";

/** The part of a WebSocket that the client uses: the browser's, or that of the package `ws`. */
export interface SocketLike {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(text: string): void;
  close(code?: number, reason?: string): void;
}
export type SocketConstructor = new (url: string, protocol: string) => SocketLike;

/** State of the client's socket. */
export type Connection =
  | { readonly state: "idle" | "connecting" | "open" }
  /** The connection was lost and is opened again. The code is that of the close; `docs/subscriptions.md` explains each. */
  | { readonly state: "waiting"; readonly code: number; readonly reason: string };

/** An operation on a connection. */
export interface Running {
  /** The payload of its `subscribe` message. */
  readonly request: unknown;
  next(payload: JsonObject): void;
  /** The connection was lost, and is opened again. */
  lost(reason: string): void;
  error(errors: readonly unknown[]): void;
  complete(): void;
}

/** Options of a connection. */
export interface LineOptions {
  readonly url: string;
  readonly token: Token | undefined;
  readonly webSocket: SocketConstructor;
  readonly clock: Clock;
  readonly random: () => number;
  readonly changed: (connection: Connection) => void;
}

const PROTOCOL = "graphql-transport-ws";
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 2_000;
/** Timeout until a socket is acknowledged. */
const OPENING_MS = 10_000;
/** After this time without a message the gateway is pinged, and has the second time for an answer. */
const QUIET_MS = 12_000;
const PONG_MS = 5_000;
/** Time for which a socket without operations stays open, so that a page that changes screens keeps it. */
const LINGER_MS = 2_000;

/** Close codes of programming errors, which another attempt would repeat. */
const FATAL: ReadonlySet<number> = new Set([4400, 4406, 4409]);
/** The token is not valid. Another attempt is useful if there may be a newer one. */
const UNAUTHORIZED = 4401;
/** Close code of a connection that was lost without a close frame. */
const BROKEN = 1006;

/**
 * A `graphql-transport-ws` connection, open while operations run on it. When it is lost it is opened again after growing pauses,
 * and its operations are subscribed again.
 */
export class Line {
  readonly #options: LineOptions;
  readonly #running = new Map<string, Running>();
  /** The current socket, or attempt to open one; events of earlier ones are ignored. */
  #socket: SocketLike | undefined;
  #attempt = 0;
  #isOpen = false;
  #receivedAt = 0;
  #ids = 0;
  #losses = 0;
  #refusals = 0;
  /** Stops the only timer: of opening, of silence, of a pause, or of lingering. */
  #stopTimer = (): void => undefined;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  /** Number of operations on it. */
  get size(): number {
    return this.#running.size;
  }

  /** Starts an operation; the returned function ends it. */
  run(operation: Running): () => void {
    this.#ids += 1;
    const id = String(this.#ids);
    this.#running.set(id, operation);
    if (this.#isOpen) {
      this.#start(id, operation);
      if (this.#running.size === 1) this.#listen();
    } else if (this.#running.size === 1) this.#connect();
    return () => {
      if (!this.#running.delete(id)) return;
      if (this.#isOpen) this.#send({ id, type: "complete" });
      this.#rest();
    };
  }

  /** Closes the socket. Operations end without notification. */
  close(): void {
    this.#running.clear();
    this.#drop(1000);
    this.#options.changed({ state: "idle" });
  }

  #rest(): void {
    if (this.#running.size > 0) return;
    if (this.#isOpen) this.#after(LINGER_MS, () => this.close());
    else this.close();
  }

  #connect(): void {
    const { token, webSocket, url, changed } = this.#options;
    changed({ state: "connecting" });
    this.#attempt += 1;
    const attempt = this.#attempt;
    const isCurrent = () => attempt === this.#attempt;
    this.#after(OPENING_MS, () => this.#lose(BROKEN, `not acknowledged within ${OPENING_MS} ms`));
    const dial = (authorization: string | undefined) => {
      if (!isCurrent()) return;
      const socket = new webSocket(url, PROTOCOL);
      this.#socket = socket;
      socket.onopen = () => {
        if (isCurrent())
          this.#send({ type: "connection_init", ...(authorization !== undefined && { payload: { authorization } }) });
      };
      socket.onmessage = ({ data }: { readonly data: unknown }) => {
        if (isCurrent()) this.#receive(String(data));
      };
      socket.onclose = ({ code, reason }: { readonly code: number; readonly reason: string }) => {
        if (isCurrent()) this.#lose(code, reason);
      };
      // `close` follows with more details.
      socket.onerror = () => undefined;
    };
    bearerOf(token)
      .then(dial)
      .catch((error: unknown) => {
        if (isCurrent()) this.#lose(BROKEN, String(error));
      });
  }

  #receive(text: string): void {
    this.#receivedAt = this.#options.clock.now();
    const message = messageIn(text);
    if (message === undefined) {
      this.#lose(4400, "not a message of the protocol");
      return;
    }
    const { type, id, payload } = message;
    if (type === "connection_ack") this.#opened();
    else if (type === "ping") this.#send({ type: "pong" });
    if (typeof id !== "string") return;
    const operation = this.#running.get(id);
    if (operation === undefined) return;
    if (type === "next") {
      this.#losses = 0;
      operation.next(isObject(payload) ? payload : {});
      return;
    }
    this.#running.delete(id);
    if (type === "error") operation.error(Array.isArray(payload) ? payload : [payload]);
    else operation.complete();
    this.#rest();
  }

  #opened(): void {
    this.#isOpen = true;
    this.#refusals = 0;
    this.#options.changed({ state: "open" });
    for (const [id, operation] of this.#running) this.#start(id, operation);
    this.#listen();
  }

  #start(id: string, { request }: Running): void {
    this.#send({ id, type: "subscribe", payload: request });
  }

  /** Waits for silence: a dead connection is detected by a ping. */
  #listen(): void {
    const { clock } = this.#options;
    this.#after(Math.max(1, this.#receivedAt + QUIET_MS - clock.now()), () => {
      if (clock.now() - this.#receivedAt < QUIET_MS) return this.#listen();
      const pingedAt = clock.now();
      this.#send({ type: "ping" });
      this.#after(PONG_MS, () => {
        if (this.#receivedAt < pingedAt) this.#lose(BROKEN, `no message for ${QUIET_MS + PONG_MS} ms`);
        else this.#listen();
      });
    });
  }

  #lose(code: number, reason: string): void {
    this.#drop();
    if (this.#running.size === 0) {
      this.#options.changed({ state: "idle" });
      return;
    }
    if (code === UNAUTHORIZED) this.#refusals += 1;
    const isRefused = this.#refusals > (typeof this.#options.token === "function" ? 1 : 0);
    if (FATAL.has(code) || isRefused) {
      this.#fail(isRefused ? "UNAUTHENTICATED" : "BAD_REQUEST", `closed with ${code}: ${reason}`);
      return;
    }
    this.#options.changed({ state: "waiting", code, reason });
    for (const operation of this.#running.values()) operation.lost(`${code} ${reason}`.trim());
    const { random } = this.#options;
    this.#after(backoff(this.#losses, FIRST_WAIT_MS, MAX_WAIT_MS, random), () => this.#connect());
    this.#losses += 1;
  }

  #fail(code: ErrorCode, message: string): void {
    const failed = [...this.#running.values()];
    this.#running.clear();
    this.#refusals = 0;
    this.#options.changed({ state: "idle" });
    for (const operation of failed) operation.error([{ message, extensions: { code, retryable: false } }]);
  }

  #drop(code?: number): void {
    this.#attempt += 1;
    this.#stopTimer();
    this.#isOpen = false;
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close(code);
  }

  #after(ms: number, task: () => void): void {
    this.#stopTimer();
    this.#stopTimer = this.#options.clock.after(ms, task);
  }

  #send(message: JsonObject): void {
    this.#socket?.send(JSON.stringify(message));
  }
}

function messageIn(text: string): JsonObject | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return isObject(message) ? message : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
