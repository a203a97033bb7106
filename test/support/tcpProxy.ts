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
  /** Breaks every connection, and those that come, until `mend`. */
  breakDown(): void;
  /** Carries nothing any more over what is open, nor over what comes, and breaks nothing, until `mend`. */
  freeze(): void;
  /** Is whole again. What was frozen is broken: nothing of it arrives late. */
  mend(): void;
  close(): Promise<void>;
}

/** Stands in front of the server under an address. */
export async function tcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let state: "whole" | "broken" | "frozen" = "whole";
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
  };
  const server = createServer((near) => {
    keep(near);
    if (state === "broken") near.resetAndDestroy();
    if (state !== "whole") return;
    const far = connect(Number.parseInt(port, 10), hostname);
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
    breakDown() {
      state = "broken";
      cut();
    },
    freeze() {
      state = "frozen";
      for (const socket of sockets) socket.unpipe().pause();
    },
    mend() {
      state = "whole";
      cut();
    },
    async close() {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}
