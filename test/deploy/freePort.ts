import { once } from "node:events";
import { createServer } from "node:net";

/** A port that is currently free, for programs that cannot report the port they chose. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was taken");
  server.close();
  await once(server, "close");
  return address.port;
}
