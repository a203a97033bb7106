import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { report } from "../child.js";

/**
 * Opens connections at the rate that the parent process sends. Half of them are requests that never end, half are WebSockets
 * that never send `connection_init`. Counts those that the gateway disconnects, and records the longest duration of one.
 */
const [url = "", count = "0"] = process.argv.slice(2);
const { port, host } = new URL(url);

const INCOMPLETE_REQUEST = `POST /graphql HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n`;
const SILENT_SOCKET = [
  "GET /graphql HTTP/1.1",
  `host: ${host}`,
  "connection: Upgrade",
  "upgrade: websocket",
  "sec-websocket-version: 13",
  "sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==",
  "sec-websocket-protocol: graphql-transport-ws",
  "\r\n",
].join("\r\n");

const state = { opened: 0, open: 0, disconnected: 0, longestMs: 0 };
function open(first: string): void {
  const startedAt = performance.now();
  state.opened++;
  const socket = connect(Number.parseInt(port, 10), "127.0.0.1", () => {
    state.open++;
    socket.write(first);
  });
  socket.on("close", () => {
    state.disconnected++;
    state.longestMs = Math.max(state.longestMs, performance.now() - startedAt);
  });
  socket.on("error", (error) => process.stderr.write(`${error.message}\n`));
  socket.resume();
}

async function openAll(perSecond: number): Promise<void> {
  const began = performance.now();
  while (state.opened < Number.parseInt(count, 10)) {
    const wait = began + (state.opened * 1_000) / perSecond - performance.now();
    if (wait > 0) await pause(wait);
    open(state.opened % 2 === 0 ? INCOMPLETE_REQUEST : SILENT_SOCKET);
  }
}

process.on("message", (message) => {
  if (typeof message === "number") void openAll(message);
  else if (message === "state") process.send?.(state);
});
report(url);
