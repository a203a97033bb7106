import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { SOCKET_LIMITS, socketPath } from "@exchange-graph/contract/channels/limits";
import { WebSocketServer } from "ws";
import type { Faults } from "../control/faults.js";
import { splitTarget } from "../http/answer.js";
import { PerCaller, SlidingWindow } from "../http/rateLimits.js";
import { type Random, randomOf } from "../world/random.js";
import { Directory, type SocketKind } from "./directory.js";
import { Connection, type ConnectionParts, type ServedSocket } from "./socketConnection.js";
import { newGauges, type SocketGauges, type SocketParts } from "./socketParts.js";
import { Topics } from "./topics.js";

const ADDRESSES = 256;

/** Maximum length of a message; a request to subscribe has at most 4,096 bytes. */
const MAX_MESSAGE_BYTES = 65_536;

const KINDS: ReadonlyMap<string, SocketKind> = new Map(
  (["v2", "v3"] as const).flatMap((apiVersion) =>
    (["public", "private"] as const).map((access) => [socketPath(apiVersion, access), { apiVersion, access }] as const),
  ),
);

export const SOCKET_PATHS: readonly string[] = [...KINDS.keys()];

export class Sockets {
  readonly #gauges = newGauges();
  readonly #topics: Topics;
  readonly #shared: ConnectionParts;
  /** Open connections and new ones per window, by address. */
  readonly #addresses = new PerCaller(ADDRESSES, () => ({
    open: 0,
    connects: new SlidingWindow(SOCKET_LIMITS.connects.limit, SOCKET_LIMITS.connects.windowMs),
  }));
  readonly #faults: Faults;
  readonly #random: Random;
  readonly #open = new Map<Connection, string>();
  readonly #acceptor = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE_BYTES });

  constructor(parts: SocketParts) {
    this.#topics = new Topics(parts);
    const directory = new Directory(parts.feeds, parts.accounts);
    this.#shared = { ...parts, directory, topics: this.#topics, gauges: this.#gauges };
    this.#faults = parts.faults;
    this.#random = randomOf(`${parts.seed} connections`);
  }

  get gauges(): Readonly<SocketGauges> {
    return this.#gauges;
  }

  /** Accepts a connection that was made without a handshake, from an address. Returns false if it is refused. */
  connect(socket: ServedSocket, path: string, address: string): boolean {
    const kind = KINDS.get(path);
    const release = kind === undefined ? undefined : this.#admit(address);
    if (kind === undefined || release === undefined) return false;
    socket.on("close", release);
    this.#connect(socket, kind, path);
    return true;
  }

  /** Accepts the handshake of a connection of an HTTP server. */
  accept(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    const { path } = splitTarget(request.url ?? "");
    const kind = KINDS.get(path);
    if (kind === undefined) {
      refuse(stream, "404 Not Found");
      return;
    }
    const release = this.#admit(request.socket.remoteAddress ?? "");
    if (release === undefined) {
      refuse(stream, "429 Too Many Requests");
      return;
    }
    stream.once("close", release);
    this.#acceptor.handleUpgrade(request, stream, head, (socket) => this.#connect(socket, kind, path));
  }

  /** Resets the connections on a path, or all of them, without a close frame, and returns their number. */
  drop(path?: string): number {
    const struck = [...this.#open].filter(([, on]) => (path ?? on) === on);
    for (const [connection] of struck) connection.drop();
    return struck.length;
  }

  close(): void {
    this.#topics.close();
    this.drop();
    this.#acceptor.close();
  }

  /** Admits a connection; the returned function releases it. Undefined if it is over a limit that is enforced. */
  #admit(address: string): (() => void) | undefined {
    const { trueClock, enforceLimits } = this.#shared;
    const caller = this.#addresses.of(address);
    const isWithin = caller.connects.take(trueClock.now()) && caller.open < SOCKET_LIMITS.connections;
    if (!isWithin && enforceLimits) {
      this.#gauges.violations++;
      return undefined;
    }
    caller.open++;
    return () => {
      caller.open--;
    };
  }

  #connect(socket: ServedSocket, kind: SocketKind, path: string): void {
    const connId = [this.#random.next(), this.#random.next()].map((bits) => bits.toString(16).padStart(8, "0")).join("");
    const connection = new Connection(socket, kind, connId, this.#shared);
    this.#open.set(connection, path);
    socket.on("close", () => this.#open.delete(connection));
    for (const fault of this.#faults.drawOpening(path)) {
      if (fault.kind === "silent") connection.silence();
      else connection.drop();
    }
  }
}

function refuse(stream: Duplex, status: string): void {
  // A refused client may have disconnected already.
  stream.on("error", () => stream.destroy());
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
