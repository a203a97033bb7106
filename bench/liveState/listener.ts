import { once } from "node:events";
import { WebSocket } from "ws";
import { report } from "../child.js";

/** A listener of an account's orders. On request, it returns the delay from the placement of each order to its event, in ms. */

const [url = ""] = process.argv.slice(2);
const QUERY = 'subscription { orders(account: "main") { orders { orderId clientOid status price qty cumExecQty createdTime } } }';

let delays: number[] = [];
const seen = new Set<string>();
const socket = new WebSocket(url.replace(/^http/, "ws"), "graphql-transport-ws");
socket.on("message", (data) => {
  const text = data.toString();
  const now = Date.now();
  if (text.includes('"connection_ack"')) socket.send(JSON.stringify({ id: "1", type: "subscribe", payload: { query: QUERY } }));
  for (const [placed, time = ""] of text.matchAll(/at-(\d+)/g)) {
    if (!seen.has(placed)) delays.push(now - Number.parseInt(time, 10));
    seen.add(placed);
  }
});
await once(socket, "open");
socket.send('{"type":"connection_init"}');
process.on("message", (message) => {
  if (message !== "delays") return;
  process.send?.({ delays });
  delays = [];
});
report(url);
