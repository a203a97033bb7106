import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";

/** A proxy in front of a WebSocket server that can lose or repeat the server's messages. */
export interface FrameProxy {
  readonly url: URL;
  /** Number of pushes lost and repeated so far. */
  readonly counts: { readonly lost: number; readonly repeated: number };
  /** Repeats the last pushes of every connection. */
  repeat(): void;
  /** Drops the server's messages until `mend` or `goOn`. */
  lose(): void;
  /** Passes messages on again, over the same connections: what was lost stays unnoticed. */
  goOn(): void;
  /** Breaks every connection that has lost a message; new connections lose nothing. */
  mend(): void;
  close(): Promise<void>;
}

/** Number of pushes repeated. */
const REPEATED = 3;

/** A proxy in front of the WebSocket server at an address. */
export async function frameProxy(target: URL): Promise<FrameProxy> {
  const server = createServer();
  const accepted = new WebSocketServer({ server });
  const lines = new Set<{ readonly client: WebSocket; readonly pushes: string[]; hasLost: boolean }>();
  const counts = { lost: 0, repeated: 0 };
  let isLosing = false;
  accepted.on("connection", (client: WebSocket, request: IncomingMessage) => {
    const line = { client, pushes: [] as string[], hasLost: false };
    const upstream = new WebSocket(new URL(request.url ?? "/", target));
    const waiting: string[] = [];
    lines.add(line);
    client.on("message", (data) => {
      const text = data.toString();
      if (upstream.readyState === WebSocket.OPEN) upstream.send(text);
      else waiting.push(text);
    });
    upstream.on("open", () => {
      for (const text of waiting.splice(0)) upstream.send(text);
    });
    upstream.on("message", (data) => {
      const text = data.toString();
      if (text.includes('"data"')) line.pushes.push(text);
      if (line.pushes.length > REPEATED) line.pushes.shift();
      if (!isLosing) client.send(text);
      else {
        line.hasLost = true;
        if (text.includes('"data"')) counts.lost++;
      }
    });
    const end = () => {
      lines.delete(line);
      client.terminate();
      upstream.terminate();
    };
    for (const socket of [client, upstream]) {
      socket.on("close", end);
      socket.on("error", end);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`ws://127.0.0.1:${port}`),
    counts,
    repeat() {
      for (const { client, pushes } of lines)
        for (const text of pushes) {
          client.send(text);
          counts.repeated++;
        }
    },
    lose() {
      isLosing = true;
    },
    goOn() {
      isLosing = false;
    },
    mend() {
      isLosing = false;
      for (const { client, hasLost } of lines) if (hasLost) client.terminate();
    },
    async close() {
      for (const { client } of lines) client.terminate();
      accepted.close();
      server.close();
      await once(server, "close");
    },
  };
}
