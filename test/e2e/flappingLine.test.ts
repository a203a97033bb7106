import { performance } from "node:perf_hooks";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { type Client, createClient } from "graphql-ws";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { eventually } from "../support/eventually.js";
import { type TcpProxy, tcpProxy } from "../support/tcpProxy.js";
import { MAIN_KEYS, type Product, servingProduct } from "./product.js";

const CUTS = 8;
const LONGEST_MS = 5_000;

let sandbox: Sandbox;
let proxy: TcpProxy;
let product: Product;
let client: Client;
beforeAll(async () => {
  sandbox = await startSandbox({ hasPast: false });
  proxy = await tcpProxy(sandbox.url);
  product = await servingProduct({
    EXCHANGE_BASE_URL: `http://${proxy.host}`,
    EXCHANGE_WS_URL: `ws://${proxy.host}`,
    ...MAIN_KEYS,
  });
  client = createClient({ url: `${product.url.replace("http", "ws")}/graphql`, webSocketImpl: WebSocket });
});
afterAll(async () => {
  await client.dispose();
  await product.stop();
  await proxy.close();
  await sandbox.close();
});

/** Subscribes to a stream; `isStale` is the value in its last event. */
function follow(query: string): { isStale: boolean | undefined } {
  const followed: { isStale: boolean | undefined } = { isStale: undefined };
  client.subscribe<unknown, { readonly stream: { readonly stale: boolean } }>(
    { query },
    {
      next: ({ extensions }) => {
        followed.isStale = extensions?.stream.stale;
      },
      error: () => undefined,
      complete: () => undefined,
    },
  );
  return followed;
}

it("a line that is cut again and again is back within seconds each time: market and account", async () => {
  const streams = [
    follow('subscription { orderBook(category: USDT_FUTURES, symbol: "BTCUSDT") { orderBook { isStale } } }'),
    follow("subscription { accountUpdates { account { name } } }"),
  ];
  await eventually(() => streams.every(({ isStale }) => isStale === false), 30_000);
  const outages: number[] = [];
  for (let cut = 0; cut < CUTS; cut++) {
    proxy.cut();
    const from = performance.now();
    await eventually(() => streams.every(({ isStale }) => isStale === true), 30_000);
    await eventually(() => streams.every(({ isStale }) => isStale === false), 40_000);
    outages.push(performance.now() - from);
  }
  expect(Math.max(...outages)).toBeLessThan(LONGEST_MS);
}, 400_000);
