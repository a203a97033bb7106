import { IncomingMessage } from "node:http";

/** Requests whose parser has found that they offer another protocol. */
const offering = new WeakSet<IncomingMessage>();

/**
 * A request that leaves HTTP/1.1 for a WebSocket only. Some clients, such as Java's, offer HTTP/2 with each request (`Upgrade: h2c`);
 * they are answered as if they had not (RFC 9110, section 7.8). Node hands over the connection of each request with `upgrade` if anyone
 * listens for upgrades.
 */
export class WebSocketsOnly extends IncomingMessage {
  get upgrade(): boolean {
    return offering.has(this) && (this.method === "CONNECT" || this.headers.upgrade?.toLowerCase() === "websocket");
  }

  /** Called by Node's constructor too, before this class has any field. */
  set upgrade(offers: boolean | null) {
    if (offers === true) offering.add(this);
  }
}
