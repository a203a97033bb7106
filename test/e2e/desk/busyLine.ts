import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type RawData, WebSocket, WebSocketServer } from "ws";

/** A proxy to the exchange's sockets that adds events to one market. */
export interface BusyLine {
  /** For example `ws://127.0.0.1:43210`. */
  readonly url: string;
  /** Number of trades added so far. */
  readonly added: number;
  close(): Promise<void>;
}

/** Interval at which due ticks are added, ms. */
const EVERY_MS = 10;

/** Number of trades per ticker. */
const TICKER_EVERY = 4;

interface Frame {
  readonly arg: { readonly topic?: string; readonly symbol?: string };
  readonly data: readonly Record<string, string>[];
}

/** Parses a frame with a market's ticker or trades; `undefined` for all others. */
function frameOf(text: string, symbol: string): Frame | undefined {
  if (!/"topic":"(?:ticker|publicTrade)"/.test(text)) return undefined;
  const frame: Partial<Frame> = JSON.parse(text);
  const { arg, data } = frame;
  return arg?.symbol === symbol && data?.[0] !== undefined ? { arg, data } : undefined;
}

/** The price with another last digit. */
const nudged = (price: string | undefined, by: number): string => `${(price ?? "0.0").slice(0, -1)}${by % 10}`;

function trade({ arg, data: [row] }: Frame, number: number): object {
  const ts = Date.now();
  const item = { ...row, p: nudged(row?.p, number), i: `9${String(number).padStart(18, "0")}`, T: String(ts) };
  return { action: "update", arg, data: [item], ts };
}

const tick = ({ arg, data: [row] }: Frame, number: number): object => ({
  action: "snapshot",
  arg,
  data: [{ ...row, lastPrice: nudged(row?.lastPrice, number) }],
  ts: Date.now(),
});

/** Forwards everything, adds `perSecond` trades of `symbol`, and a ticker after every few trades. */
export async function busyLine(target: string, symbol: string, perSecond: number): Promise<BusyLine> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  let added = 0;
  const text = (data: RawData) => data.toString();
  server.on("connection", (near, request) => {
    const far = new WebSocket(`${target}${request.url ?? ""}`);
    const early: string[] = [];
    const last = new Map<string, Frame>();
    far.on("open", () => {
      for (const message of early) far.send(message);
    });
    near.on("message", (data) => {
      if (far.readyState === WebSocket.OPEN) far.send(text(data));
      else early.push(text(data));
    });
    far.on("message", (data) => {
      const frame = frameOf(text(data), symbol);
      if (frame?.arg.topic !== undefined) last.set(frame.arg.topic, frame);
      near.send(text(data));
    });
    let at = performance.now();
    const timer = setInterval(() => {
      const [trades, ticker] = [last.get("publicTrade"), last.get("ticker")];
      const step = 1_000 / perSecond;
      if (trades === undefined || ticker === undefined) at = performance.now();
      else
        for (; performance.now() - at >= step; at += step) {
          added += 1;
          near.send(JSON.stringify(trade(trades, added)));
          if (added % TICKER_EVERY === 0) near.send(JSON.stringify(tick(ticker, added)));
        }
    }, EVERY_MS);
    const end = () => {
      clearInterval(timer);
      far.terminate();
      near.terminate();
    };
    for (const socket of [near, far]) socket.on("close", end).on("error", end);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}`,
    get added() {
      return added;
    },
    async close() {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, "close");
    },
  };
}
