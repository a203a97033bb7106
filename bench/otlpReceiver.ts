import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { report } from "./child.js";

/** Takes traces and does nothing with them: in a process of its own, because what it takes is not the gateway's. */
let exports = 0;
const server = createServer((request, response) => {
  exports++;
  request.resume().on("end", () => response.end("{}"));
});
server.listen(0, "127.0.0.1", () => report(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, () => exports));
