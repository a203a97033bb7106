import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";

interface OpenConnection {
  /** Requests whose answer is not complete. */
  underWay: number;
  /** The answer to the last request. */
  response: ServerResponse | undefined;
}

/**
 * Tracks which connections have a pending request. Node's `close` ends connections that are idle at that moment; it would wait
 * until a timeout for those that are unused or whose last answer is still being sent.
 */
export class OpenConnections {
  readonly #all = new Map<Socket, OpenConnection>();
  /** Connections in their TLS handshake, by address. */
  readonly #handshaking = new Map<string, Socket>();
  #isLeaving = false;
  #keepsNone = false;
  #noneIsKept = (): void => undefined;

  constructor(server: Server) {
    if (server instanceof TlsServer) {
      server.on("connection", (socket: Socket) => this.#shakeHands(socket));
      server.on("secureConnection", (socket) => {
        this.#handshaking.delete(originOf(socket));
        this.#add(socket);
      });
    } else server.on("connection", (socket: Socket) => this.#add(socket));
    server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
      const connection = this.#all.get(socket);
      if (connection === undefined) return;
      connection.underWay++;
      connection.response = response;
      if (this.#isLeaving) response.shouldKeepAlive = false;
      response.once("close", () => {
        connection.underWay--;
        // After an answer that promised to keep the connection, its client may be sending the next request.
        if (connection.underWay === 0 && (this.#keepsNone || !response.shouldKeepAlive)) socket.destroySoon();
      });
    });
  }

  /** Whether bytes written now would be taken for the answer to the last request. */
  isBeforeAnswer(socket: Socket): boolean {
    const { underWay, response } = this.#all.get(socket) ?? { underWay: 0, response: undefined };
    return underWay === 0 || (underWay === 1 && response?.headersSent === false);
  }

  #add(socket: Socket): void {
    this.#all.set(socket, { underWay: 0, response: undefined });
    socket.once("close", () => {
      this.#all.delete(socket);
      this.#checkKept();
    });
  }

  #shakeHands(socket: Socket): void {
    const origin = originOf(socket);
    this.#handshaking.set(origin, socket);
    socket.once("close", () => {
      if (this.#handshaking.get(origin) === socket) this.#handshaking.delete(origin);
    });
  }

  /** Destroys all connections, including WebSockets. */
  destroy(): void {
    for (const socket of this.#handshaking.values()) socket.destroy();
    for (const socket of this.#all.keys()) socket.destroy();
  }

  /** From now on each answer closes its connection, with `Connection: close`. */
  leave(): void {
    this.#isLeaving = true;
    for (const { response } of this.#all.values()) if (response?.headersSent === false) response.shouldKeepAlive = false;
  }

  /** Resolves when no connection waits for another request. */
  noneKept(): Promise<void> {
    return new Promise((resolve) => {
      this.#noneIsKept = resolve;
      this.#checkKept();
    });
  }

  /** Closes the connections that wait for another request, and all others after their answers. */
  closeKept(): void {
    this.#keepsNone = true;
    for (const socket of this.#handshaking.values()) socket.destroy();
    for (const [socket, { underWay }] of this.#all) if (underWay === 0) socket.destroySoon();
  }

  #checkKept(): void {
    for (const { underWay } of this.#all.values()) if (underWay === 0) return;
    this.#noneIsKept();
  }
}

/** Key that is the same for a TCP connection and the TLS socket on it. */
const originOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
