import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { socketPath } from "@exchange-graph/contract/channels/limits";
import { request } from "undici";
import { WebSocket } from "ws";
import type { Child } from "../child.js";
import { table } from "../table.js";

/** Pushes over WebSocket: many listeners of the same topics, at the pace of the market's ticks. */

const TOPICS = ["ticker", "publicTrade", "books5", "books50", "books"] as const;
const LISTENERS = 160;
/** Arguments per subscribe request, which may have at most 4,096 bytes. */
const ARGUMENTS = 40;
const WARM_UP_MS = 3_000;
const SECONDS = 6;

export async function comparePushes(sandbox: Child, bare: Child): Promise<string> {
  const rows = [await measured("minimal server", bare, []), await measured("sandbox", sandbox, await everyTopic(sandbox.url))];
  return table(["pushes", "sent/s", "received/s", "p50 ms", "p99 ms", "CPU µs/push", "sent/s per CPU core"], rows);
}

/** All topics of all perpetuals. */
async function everyTopic(url: string): Promise<readonly string[]> {
  const { body } = await request(`${url}/api/v3/market/instruments?category=USDT-FUTURES`);
  const symbols = [...(await body.text()).matchAll(/"symbol":"(\w+USDT)"/g)].map(([, symbol]) => symbol);
  const args = symbols.flatMap((symbol) => TOPICS.map((topic) => ({ instType: "usdt-futures", topic, symbol })));
  const requests: string[] = [];
  for (let at = 0; at < args.length; at += ARGUMENTS)
    requests.push(JSON.stringify({ op: "subscribe", args: args.slice(at, at + ARGUMENTS) }));
  return requests;
}

async function measured(name: string, server: Child, requests: readonly string[]): Promise<readonly string[]> {
  const listeners = new Listeners();
  await listeners.connect(`${server.url.replace("http", "ws")}${socketPath("v3", "public")}`, requests);
  await pause(WARM_UP_MS);
  await server.usage();
  listeners.reset();
  const from = performance.now();
  await pause(SECONDS * 1_000);
  const { received, lag } = listeners;
  const seconds = (performance.now() - from) / 1_000;
  const { cpuMs, calls } = await server.usage();
  listeners.close();
  return [
    name,
    (calls / seconds).toFixed(0),
    (received / seconds).toFixed(0),
    lag(0.5).toFixed(0),
    lag(0.99).toFixed(0),
    ((cpuMs * 1_000) / calls).toFixed(0),
    ((calls * 1_000) / cpuMs).toFixed(0),
  ];
}

/** Listeners that count pushes, and measure the delay of one push in a hundred. */
class Listeners {
  readonly #sockets: WebSocket[] = [];
  #lags: number[] = [];
  received = 0;

  async connect(url: string, requests: readonly string[]): Promise<void> {
    for (let at = 0; at < LISTENERS; at++) {
      const socket = new WebSocket(url, { perMessageDeflate: false });
      await once(socket, "open");
      for (const each of requests) socket.send(each);
      socket.on("message", (frame: Buffer) => this.#count(frame));
      this.#sockets.push(socket);
    }
  }

  reset(): void {
    this.received = 0;
    this.#lags = [];
  }

  close(): void {
    for (const socket of this.#sockets) socket.terminate();
  }

  /** Percentile of the age of pushes on arrival, ms. */
  lag = (share: number): number => {
    const sorted = this.#lags.sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  };

  #count(frame: Buffer): void {
    if (this.received++ % 100 !== 0) return;
    const sentAt = /"ts":(\d{13})\}$/.exec(frame.toString("latin1"))?.[1];
    if (sentAt !== undefined) this.#lags.push(Date.now() - Number.parseInt(sentAt, 10));
  }
}
