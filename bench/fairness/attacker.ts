import { once } from "node:events";
import { Pool } from "undici";
import { WebSocket } from "ws";
import { report } from "../child.js";
import { historyBody, largestBody, tickerOf } from "./documents.js";

/**
 * A client that requests as much as its quotas allow, starting with the first message: three of the largest queries at a time,
 * 150 order histories at a time, each of which takes a separate call to the exchange, or 60 sockets with 100 tickers each.
 */
const [url = "", token = "", attack = ""] = process.argv.slice(2);
const HISTORIES = 150;
const LARGEST = 3;
const SOCKETS = 60;
const TICKERS = 100;

const pool = new Pool(new URL(url).origin, { connections: HISTORIES });
const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
let turn = 0;
async function ask(body: (turn: number) => string): Promise<never> {
  for (;;) {
    const answer = await pool.request({ method: "POST", path: "/graphql", headers, body: body(turn++) });
    await answer.body.dump({ limit: Number.POSITIVE_INFINITY });
  }
}

/** Subscribes to tickers with different operations, none of which shares the events of another. */
async function listen(at: number): Promise<void> {
  const socket = new WebSocket(url.replace(/^http/, "ws"), "graphql-transport-ws", { perMessageDeflate: false });
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "connection_init", payload: { authorization: headers.authorization } }));
  await once(socket, "message");
  for (let id = 0; id < TICKERS; id++)
    socket.send(JSON.stringify({ id: String(id), type: "subscribe", payload: tickerOf(at * TICKERS + id) }));
}

process.on("message", (message) => {
  if (typeof message !== "number") return;
  if (attack === "tickers") {
    for (let at = 0; at < SOCKETS; at++) void listen(at);
    return;
  }
  const [times, body] = attack === "largest" ? [LARGEST, largestBody] : [HISTORIES, historyBody];
  for (let at = 0; at < times; at++) void ask(body);
});
report(url);
