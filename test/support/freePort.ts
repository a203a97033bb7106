import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports of outgoing connections, one of which could take a free port before its program does. */
const PORTS = [20_000, 32_768] as const;

/** A port that nothing listens on, for programs that cannot report the port they chose, or that are started again on theirs. */
export function freePort(): Promise<number> {
  const port = randomInt(...PORTS);
  return new Promise((free, failed) => {
    const server = createServer();
    server.once("error", ({ code, ...error }: NodeJS.ErrnoException) =>
      code === "EADDRINUSE" ? free(freePort()) : failed(error),
    );
    server.listen(port, "127.0.0.1", () => server.close(() => free(port)));
  });
}
