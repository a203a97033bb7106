import { EventEmitter } from "node:events";
import { type Argument, keyOf } from "@exchange-graph/contract/channels/channel";

/** Replaces the package `ws` in this process, without a network: both ends of a socket are objects. */

/** One end of a socket, with the members that this project uses. */
class End extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  readonly protocol = "graphql-transport-ws";

  /** The other end receives a text. */
  protected taken(_text: string): void {}

  isPaused = false;

  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }

  send(text: string, done: (error?: Error) => void = () => undefined): void {
    if (this.readyState === this.OPEN) this.taken(text);
    done();
  }

  ping(): void {
    if (this.readyState === this.OPEN) this.emit("pong");
  }

  close(code = 1005, reason = ""): void {
    if (this.readyState > 1) return;
    this.readyState = 2;
    setImmediate(() => this.broken(code, reason));
  }

  terminate(): void {
    this.broken(1006, "");
  }

  /** Closes the socket, from either side. */
  broken(code = 1006, reason = ""): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.emit("close", code, Buffer.from(reason));
  }
}

/** The gateway's end of a subscriber's socket. */
export class ServedEnd extends End {
  readonly received: string[] = [];

  protected override taken(text: string): void {
    this.received.push(text);
  }
}

/** The connection of a subscriber's socket: it accepts all data, or none while it is choked. */
export class FakeConnection extends EventEmitter {
  readonly socket = new ServedEnd();
  readonly remoteAddress = "127.0.0.1";
  writableLength = 0;
  written = 0;

  write(bytes: Buffer): void {
    this.written += bytes.length;
  }

  choke(): void {
    this.writableLength = 1_000_000;
  }

  drain(): void {
    this.writableLength = 0;
    this.emit("drain");
  }
}

export class WebSocketServer extends EventEmitter {
  readonly clients = new Set<ServedEnd>();

  handleUpgrade(_request: object, connection: FakeConnection, _head: Buffer, served: (socket: ServedEnd) => void): void {
    const { socket } = connection;
    this.clients.add(socket);
    socket.once("close", () => {
      this.clients.delete(socket);
      connection.emit("close");
    });
    served(socket);
  }

  close(closed: () => void): void {
    closed();
  }
}

/** The exchange's side of all sockets that the gateway opens. */
export const exchange = {
  open: new Set<WebSocket>(),
  /** The subscriptions of all sockets. */
  get subscriptions(): number {
    return [...exchange.open].reduce((sum, { subscribed }) => sum + subscribed.size, 0);
  },
  /** The pushes of a topic: after the confirmation, and again on request. */
  push: (_argument: Argument): object | undefined => undefined,
};

interface Request {
  readonly op: string;
  readonly args: readonly Argument[];
}

/** The gateway's end of a socket to the exchange. It opens, and receives responses, in the next turn. */
export class WebSocket extends End {
  static readonly OPEN = 1;
  readonly subscribed = new Map<string, Argument>();

  constructor() {
    super();
    this.readyState = 0;
    setImmediate(() => {
      if (this.readyState !== 0) return;
      this.readyState = 1;
      exchange.open.add(this);
      this.emit("open");
    });
  }

  /** Sends the exchange's pushes for all subscriptions of this socket. */
  pushAll(): void {
    for (const argument of this.subscribed.values()) this.#say(exchange.push(argument));
  }

  override broken(code?: number, reason?: string): void {
    exchange.open.delete(this);
    super.broken(code, reason);
  }

  protected override taken(text: string): void {
    setImmediate(() => this.#answer(text));
  }

  #answer(text: string): void {
    if (text === "ping") {
      this.#say("pong");
      return;
    }
    const { op, args } = JSON.parse(text) as Request;
    if (op === "login") {
      this.#say({ event: "login", code: 0, msg: "" });
      return;
    }
    for (const argument of args) {
      if (argument.symbol === "NOSUCH") {
        this.#say({ event: "error", code: 30001, msg: `${JSON.stringify(argument)} doesn't exist` });
        continue;
      }
      if (op === "subscribe") this.subscribed.set(keyOf(argument), argument);
      else this.subscribed.delete(keyOf(argument));
      this.#say({ event: op, arg: argument });
      if (op === "subscribe") this.#say(exchange.push(argument));
    }
  }

  #say(what: object | string | undefined): void {
    if (what !== undefined && this.readyState === 1)
      this.emit("message", Buffer.from(typeof what === "string" ? what : JSON.stringify(what)));
  }
}
