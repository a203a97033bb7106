import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A line that repeats what it carries: each `POST` reaches the exchange at once, and its answer is lost. After `pause` the
 * same bytes are sent once more, and that answer is given. Reads pass as they are.
 */
export async function repeatingLine(exchange: URL, pause: () => Promise<void>) {
  const server = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(Buffer.from(part));
    const carry = () =>
      new Promise<{ status: number; body: string }>((resolve, reject) => {
        const { method, url: path, headers } = incoming;
        const call = request({ host: exchange.hostname, port: exchange.port, method, path, headers }, async (answer) => {
          let body = "";
          for await (const part of answer) body += String(part);
          resolve({ status: answer.statusCode ?? 0, body });
        });
        call.on("error", reject).end(Buffer.concat(parts));
      });
    let answer = await carry();
    if (incoming.method === "POST") {
      await pause();
      answer = await carry();
    }
    outgoing.writeHead(answer.status, { "content-type": "application/json" }).end(answer.body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}
