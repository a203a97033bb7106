import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { pipeline } from "node:stream";

/** A line to a server that can be cut: TCP, whatever goes over it. */
export interface TcpProxy {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  /** Connections that are open now. */
  readonly open: number;
  /** Breaks every connection; new ones are accepted at once. */
  cut(): void;
  close(): Promise<void>;
}

/** Stands in front of the server under an address. */
export async function tcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number.parseInt(port, 10), hostname);
    sockets.add(near);
    near.once("close", () => sockets.delete(near));
    pipeline(near, far, near, () => undefined);
  });
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get open() {
      return sockets.size;
    },
    cut,
    async close() {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}
