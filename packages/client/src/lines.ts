import type { Waiting } from "./clock.js";
import { type Connection, Line, type LineOptions, type SocketConstructor } from "./line.js";
import type { ClientOptions } from "./types.js";

/** The gateway allows 100 operations at once on one socket. */
const PER_LINE = 100;

/** With several sockets, the worst state is the client's. */
const WORST_FIRST = ["waiting", "connecting", "open"] as const;

/** The sockets of a client: one, and more only if one cannot carry all operations. */
export class Lines {
  readonly #options: Omit<LineOptions, "changed" | "webSocket">;
  readonly #webSocket: SocketConstructor | undefined;
  readonly #lines = new Map<Line, Connection>();
  readonly #changed: ((connection: Connection) => void) | undefined;
  #connection: Connection = { state: "idle" };

  constructor({ url, token, webSocket, onConnection, clock, random }: ClientOptions & Waiting) {
    this.#options = { url: socketUrl(url), token, clock, random };
    this.#webSocket = webSocket;
    this.#changed = onConnection;
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** A connection with room for one more operation. */
  free(): Line {
    const free = [...this.#lines.keys()].find(({ size }) => size < PER_LINE);
    if (free !== undefined) return free;
    const webSocket = this.#webSocket ?? globalSocket();
    const line: Line = new Line({ ...this.#options, webSocket, changed: (connection) => this.#noteState(line, connection) });
    this.#lines.set(line, { state: "idle" });
    return line;
  }

  close(): void {
    for (const line of this.#lines.keys()) line.close();
  }

  #noteState(line: Line, connection: Connection): void {
    if (connection.state === "idle") this.#lines.delete(line);
    else this.#lines.set(line, connection);
    const all = [...this.#lines.values()];
    const worst = WORST_FIRST.map((state) => all.find((one) => one.state === state)).find((one) => one !== undefined);
    const { state, ...rest } = worst ?? { state: "idle" };
    if (state === this.#connection.state && !("code" in rest)) return;
    this.#connection = worst ?? { state: "idle" };
    this.#changed?.(this.#connection);
  }
}

/** Address of the socket, from that of queries. */
function socketUrl(url: string): string {
  const base = typeof location === "undefined" ? undefined : location.href;
  return new URL(url, base).href.replace(/^http/, "ws");
}

/** The global `WebSocket` of browsers, and of Node from version 22. */
function globalSocket(): SocketConstructor {
  const { WebSocket: found } = globalThis as { readonly WebSocket?: SocketConstructor };
  if (found === undefined) throw new TypeError("there is no WebSocket here: pass that of the package ws as the option webSocket");
  return found;
}
