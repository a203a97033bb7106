import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { report } from "../../child.js";
import { everyTick } from "../ticks.js";

/** A plain broadcast of the same bytes to every socket: the minimum cost with `ws`. */

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
everyTick((tick) => {
  const ticker = { ...tick, time: new Date(tick.time).toISOString() };
  const text = JSON.stringify({ id: "1", type: "next", payload: { data: { ticker } } });
  for (const socket of sockets.clients) socket.send(text);
});
await once(server.listen(0, "127.0.0.1"), "listening");
report(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
