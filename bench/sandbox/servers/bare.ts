import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";
import { report } from "../../child.js";

/**
 * A minimal server, for the cost of HTTP and WebSocket alone: all calls get the same bytes, and all listeners the same frames.
 */

const BODY = Buffer.from(JSON.stringify({ code: "00000", msg: "success", requestTime: 0, data: { list: "x".repeat(900) } }));
const PERIOD_MS = 200;
const FRAMES_PER_PERIOD = 28;
const PADDING = "x".repeat(450);

const server = createServer((_, response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": BODY.length });
  response.end(BODY);
});
const listeners = new Set<WebSocket>();
let sent = 0;
new WebSocketServer({ server, perMessageDeflate: false }).on("connection", (socket) => {
  listeners.add(socket);
  socket.on("close", () => listeners.delete(socket));
});
setInterval(() => {
  for (let at = 0; at < FRAMES_PER_PERIOD; at++) {
    const frame = Buffer.from(`{"data":"${PADDING}","ts":${Date.now()}}`);
    for (const listener of listeners) {
      listener.send(frame, { binary: false });
      sent++;
    }
  }
}, PERIOD_MS);
server.listen(0, "127.0.0.1", () => report(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => sent));
