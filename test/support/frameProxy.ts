import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocket, WebSocketServer } from "ws";

/** A line to a WebSocket server on which what the server sends can be lost or come twice. */
export interface FrameProxy {
  readonly url: URL;
  /** Pushes that were lost, and that came twice, up to now. */
  readonly counts: { readonly lost: number; readonly repeated: number };
  /** Sends the last pushes of every connection once more. */
  repeat(): void;
  /** Loses what the server sends from now on, until `mend`. */
  lose(): void;
  /** Breaks every connection that has lost something, and carries what comes over new ones. */
  mend(): void;
  close(): Promise<void>;
}

/** Pushes that are sent again. */
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
