import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { LimitOverrides } from "../../../src/limits.js";
import { Shedding } from "../../../src/transports/arrival/arrivalParts.js";
import { post, type TinyGateway, tinyGateway } from "../../support/gateway/tinyGateway.js";

/** Number of clients of each kind. `SLOW_CLIENTS` sets it and uses the gateway's default timeouts. */
const CLIENTS = Number.parseInt(process.env.SLOW_CLIENTS ?? "100", 10);
const IS_FULL = process.env.SLOW_CLIENTS !== undefined;
const QUICK: LimitOverrides = IS_FULL
  ? {}
  : { connection: { headersMs: 200, requestMs: 400 }, socket: { connectionInitMs: 200 } };
const SHED_MS = 10_000;
const BATCH = 100;

let tiny: TinyGateway | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  vi.restoreAllMocks();
  await tiny?.gateway.stop();
});

async function gatewayWith(limits: LimitOverrides): Promise<string> {
  tiny = await tinyGateway({ limits });
  return tiny.url;
}

/** Opens a connection that sends only `first`; resolves when it is open, `ended` when the gateway has closed it. */
async function silent(url: string, first: string): Promise<{ readonly ended: Promise<void> }> {
  const socket = connect(Number.parseInt(new URL(url).port, 10), "127.0.0.1");
  sockets.push(socket);
  socket.on("error", () => undefined);
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.resume();
  const said = new Promise<void>((resolve) => socket.once("connect", () => socket.write(first, () => resolve())));
  await Promise.race([said, ended]);
  return { ended };
}

const UPGRADE = [
  "GET /graphql HTTP/1.1",
  "Host: x",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Protocol: graphql-transport-ws",
  "",
  "",
].join("\r\n");
const KINDS: readonly [string, string][] = [
  ["connections that say nothing", ""],
  ["requests without the end of their headers", "POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: applic"],
  [
    "requests without the end of their body",
    'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"query',
  ],
  ["WebSockets that never say hello", UPGRADE],
];

/** Response times of sequential requests until the promise settles, ms. */
async function p99(url: string, until: Promise<unknown>): Promise<number> {
  const times: number[] = [];
  let isOver = false;
  void until.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const started = performance.now();
    expect((await post(url, { query: "{ hello }" })).status).toBe(200);
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  return times[Math.floor(times.length * 0.99)] ?? 0;
}

describe("slow clients", () => {
  it.each(KINDS)(
    `are shed within ${SHED_MS} ms while others are served: ${CLIENTS} %s`,
    async (_, first) => {
      const shed = vi.spyOn(Shedding.prototype, "add");
      const url = await gatewayWith(QUICK);
      const before = IS_FULL ? await p99(url, new Promise((over) => setTimeout(over, 6_000))) : 0;
      const clients: { readonly ended: Promise<void> }[] = [];
      // Fewer at a time than the listen backlog holds.
      while (clients.length < CLIENTS)
        clients.push(...(await Promise.all(Array.from({ length: BATCH }, () => silent(url, first)))));
      const started = performance.now();
      const all = Promise.all(clients.map(({ ended }) => ended)).then(() => performance.now() - started);
      const during = IS_FULL ? await p99(url, all) : 0;
      expect((await post(url, { query: "{ hello }" })).status).toBe(200);
      const shedMs = await all;
      if (IS_FULL)
        process.stdout.write(
          `${_}: shed in ${Math.round(shedMs)} ms, healthy p99 ${before.toFixed(2)} → ${during.toFixed(2)} ms\n`,
        );
      expect(shedMs).toBeLessThan(SHED_MS);
      // All were closed through `Shedding`, which closes a few connections at a time.
      expect(new Set(shed.mock.calls.map(([connection]) => connection)).size).toBe(clients.length);
    },
    60_000,
  );
});

describe("connections", () => {
  it("are refused beyond the limit per address, and slots are released", async () => {
    const url = await gatewayWith({ connection: { connectionsPerAddress: 3, headersMs: 6_000 } });
    const kept = await Promise.all([1, 2, 3].map(() => silent(url, "")));
    await (await silent(url, "")).ended;
    sockets[0]?.destroy();
    await kept[0]?.ended;
    const later = await silent(url, "");
    const stayed = Symbol();
    expect(
      await Promise.race([
        later.ended,
        post(url, { query: "{ hello }" }).then(
          () => stayed,
          () => stayed,
        ),
      ]),
    ).toBe(stayed);
  });
});
