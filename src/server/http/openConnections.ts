import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Knows which connections have a request under way. Node, told to close, ends those that are idle at that moment; one
 * that has not been used yet, or whose last answer is just being sent, it would wait for until a timeout.
 */
export class OpenConnections {
  readonly #underWay = new Map<Socket, number>();
  #isLeaving = false;

  constructor(server: Server) {
    server.on("connection", (socket: Socket) => {
      this.#underWay.set(socket, 0);
      socket.once("close", () => this.#underWay.delete(socket));
    });
    server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#add(socket, 1);
      response.once("close", () => this.#add(socket, -1));
    });
  }

  /** Ends every connection as soon as nothing is under way on it. */
  leave(): void {
    this.#isLeaving = true;
    for (const [socket, underWay] of this.#underWay) if (underWay === 0) socket.destroySoon();
  }

  #add(socket: Socket, requests: 1 | -1): void {
    const underWay = this.#underWay.get(socket);
    if (underWay === undefined) return;
    this.#underWay.set(socket, underWay + requests);
    if (this.#isLeaving && underWay + requests === 0) socket.destroySoon();
  }
}
