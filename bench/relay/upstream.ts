import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PING, PONG } from "@exchange-graph/contract/channels/frame";
import { type WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { report } from "../child.js";

/** A simulated exchange that pushes tickers of the subscribed symbols at a constant rate, each with a new price. */

const request = z.object({ op: z.string(), args: z.array(z.record(z.string(), z.string())) });

const subscribed: { readonly socket: WebSocket; readonly arg: Readonly<Record<string, string>> }[] = [];
const server = createServer((_, response) => response.writeHead(503).end());
new WebSocketServer({ server }).on("connection", (socket) => {
  socket.on("message", (data) => {
    const text = String(data);
    if (text === PING) {
      socket.send(PONG);
      return;
    }
    const { op, args } = request.parse(JSON.parse(text));
    for (const arg of args) {
      socket.send(JSON.stringify({ event: op, arg }));
      if (op === "subscribe") subscribed.push({ socket, arg });
    }
  });
});
let pushed = 0;
process.on("message", (perSecond) => {
  if (typeof perSecond !== "number") return;
  const from = Date.now();
  setInterval(() => {
    for (const due = ((Date.now() - from) * perSecond) / 1_000; pushed < due; pushed++) {
      const next = subscribed[pushed % subscribed.length];
      const data = [{ lastPrice: `${pushed + 1}.5`, bid1Price: "1.5", ask1Price: "2.5", markPrice: "1.75", ts: `${Date.now()}` }];
      next?.socket.send(JSON.stringify({ action: "snapshot", arg: next.arg, data, ts: Date.now() }));
    }
  }, 1);
});
await once(server.listen(0, "127.0.0.1"), "listening");
report(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
