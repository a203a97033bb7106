import { connect } from "node:net";
import { report } from "../child.js";

/** Opens half as many requests that never end as it is told, and as many sockets that never say hello; counts those that were ended. */
const [url = "", count = "0"] = process.argv.slice(2);
const { port, host } = new URL(url);

const HALF_A_REQUEST = `POST /graphql HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n`;
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

let ended = 0;
function hold(first: string): void {
  const socket = connect(Number.parseInt(port, 10), "127.0.0.1", () => socket.write(first));
  socket.on("close", () => ended++);
  socket.on("error", (error) => process.stderr.write(`${error.message}\n`));
  socket.resume();
}

for (let at = 0; at < Number.parseInt(count, 10); at++) hold(at % 2 === 0 ? HALF_A_REQUEST : SILENT_SOCKET);
report(url, () => ended);
