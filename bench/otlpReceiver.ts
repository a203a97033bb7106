import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { report } from "./child.js";

/** An OTLP receiver that discards traces, in a separate process, so that its CPU time is not counted for the gateway. */
let exports = 0;
const server = createServer((request, response) => {
  exports++;
  request.resume().on("end", () => response.end("{}"));
});
server.listen(0, "127.0.0.1", () => report(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => exports));
