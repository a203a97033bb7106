import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";

interface OpenConnection {
  /** Requests that have not been answered whole. */
  underWay: number;
  /** The answer to the last of them. */
  response: ServerResponse | undefined;
}

/**
 * Knows which connections have a request under way. Node, asked to close, ends those that are idle at that moment; one
 * that has not been used yet, or whose last answer is just being sent, it would wait for until a timeout.
 */
export class OpenConnections {
  readonly #all = new Map<Socket, OpenConnection>();
  /** Connections that have not agreed on TLS yet, by where they come from. */
  readonly #handshaking = new Map<string, Socket>();
  #isLeaving = false;

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
      response.once("close", () => {
        connection.underWay--;
        if (this.#isLeaving && connection.underWay === 0) socket.destroySoon();
      });
    });
  }

  /** Would what is written now be read as the answer to the request that came last? */
  isBeforeAnswer(socket: Socket): boolean {
    const { underWay, response } = this.#all.get(socket) ?? { underWay: 0, response: undefined };
    return underWay === 0 || (underWay === 1 && response?.headersSent === false);
  }

  #add(socket: Socket): void {
    this.#all.set(socket, { underWay: 0, response: undefined });
    socket.once("close", () => this.#all.delete(socket));
  }

  #shakeHands(socket: Socket): void {
    const origin = originOf(socket);
    this.#handshaking.set(origin, socket);
    socket.once("close", () => {
      if (this.#handshaking.get(origin) === socket) this.#handshaking.delete(origin);
    });
  }

  /** Ends every connection at once, WebSockets too. */
  destroy(): void {
    for (const socket of this.#handshaking.values()) socket.destroy();
    for (const socket of this.#all.keys()) socket.destroy();
  }

  /** Ends every connection as soon as nothing is under way on it. */
  leave(): void {
    this.#isLeaving = true;
    for (const socket of this.#handshaking.values()) socket.destroy();
    for (const [socket, { underWay }] of this.#all) if (underWay === 0) socket.destroySoon();
  }
}

/** The same for a connection and for what TLS makes of it. */
const originOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
