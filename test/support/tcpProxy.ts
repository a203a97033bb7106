import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy whose connections to a server can be cut, frozen or slowed down, for any protocol. */
export interface TcpProxy {
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  /** Number of open connections. */
  readonly open: number;
  /** Breaks every connection; new ones are accepted immediately. */
  cut(): void;
  /** Breaks every connection, including new ones, until `mend`. */
  breakDown(): void;
  /** Forwards nothing over open and new connections, without breaking them, until `mend`. */
  freeze(): void;
  /** Half-open until `mend`: data to the server arrives, its responses are lost. */
  deafen(): void;
  /** Delays everything by this many ms. */
  delay(ms: number): void;
  /** Restores normal forwarding without delay. Frozen and half-open connections are broken: nothing of them arrives late. */
  mend(): void;
  close(): Promise<void>;
}

/** A proxy in front of the server at an address. */
export async function tcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let state: "whole" | "broken" | "frozen" | "half open" = "whole";
  let delayMs = 0;
  const carry = (from: Socket, to: Socket, isAnswer: boolean): void => {
    const pass = (chunk: Buffer) => {
      if (state === "whole" || (state === "half open" && !isAnswer)) to.write(chunk);
    };
    const late: Buffer[] = [];
    from.on("data", (chunk: Buffer) => {
      if (delayMs === 0 && late.length === 0) pass(chunk);
      else {
        // Chunks stay in order even if the delay has changed.
        late.push(chunk);
        setTimeout(() => pass(late.shift() ?? chunk), delayMs);
      }
    });
    from.once("close", () => {
      if (state !== "frozen") to.destroy();
    });
  };
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
  };
  const server = createServer((near) => {
    keep(near);
    if (state === "broken") near.resetAndDestroy();
    if (state === "broken" || state === "frozen") return;
    const far = connect(Number.parseInt(port, 10), hostname);
    far.on("error", () => undefined);
    carry(near, far, false);
    carry(far, near, true);
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
    },
    deafen() {
      state = "half open";
    },
    delay(ms) {
      delayMs = ms;
    },
    mend() {
      delayMs = 0;
      if (state !== "whole") cut();
      state = "whole";
    },
    async close() {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}
