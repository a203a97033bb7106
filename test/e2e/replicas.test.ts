import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { post } from "../support/ask.js";
import { describeUnless } from "../support/missing.js";
import { noRedis, type RedisServer, redisServer } from "../support/redisServer.js";
import { MAIN_KEYS, type Product, servingProduct } from "./product.js";

/** Number of writes, each read back at another replica at once. */
const WRITES = Number.parseInt(process.env.READ_YOUR_WRITES ?? "20", 10);
const LISTED = '{ account { openOrders(category: SPOT, symbol: "BTCUSDT", first: 100) { nodes { orderId } } } }';

interface Listed {
  readonly data: { readonly account: { readonly openOrders: { readonly nodes: readonly { readonly orderId: string }[] } } };
  readonly extensions: { readonly exchange: { readonly reads: readonly { readonly source: string }[] } };
}

describeUnless(noRedis, "three replicas with live accounts", () => {
  let sandbox: Sandbox;
  let redis: RedisServer;
  let products: readonly Product[];
  const leave: (() => void)[] = [];
  beforeAll(async () => {
    [sandbox, redis] = await Promise.all([startSandbox({ hasPast: false }), redisServer({ realm: "live" })]);
    const settings = {
      EXCHANGE_BASE_URL: sandbox.url,
      EXCHANGE_WS_URL: sandbox.wsUrl,
      ...MAIN_KEYS,
      REDIS_URL: redis.url,
      LIVE_ACCOUNTS: "auto",
      // The rebuilding of the past reads instruments too.
      HISTORY_BACKFILL_DAYS: "0",
    };
    products = await Promise.all([0, 1, 2].map(() => servingProduct(settings)));
  });
  afterAll(async () => {
    for (const end of leave) end();
    await Promise.all(products.map((product) => product.stop()));
    await redis.close();
    await sandbox.close();
  });

  async function ask<T>({ url }: Product, query: string): Promise<T> {
    const response = await post(url, { query }, { "x-exchange-trace": "1" });
    return (await response.json()) as T;
  }
  const listed = async (product: Product) => {
    const { data, extensions } = await ask<Listed>(product, LISTED);
    return {
      ids: data.account.openOrders.nodes.map(({ orderId }) => orderId),
      source: extensions.exchange.reads[0]?.source ?? "",
    };
  };
  const product = (at: number): Product => {
    const one = products[at % products.length];
    if (one === undefined) throw new Error("there are three replicas");
    return one;
  };

  it("make one upstream call for equal requests to all of them", async () => {
    const instrumentCalls = () =>
      Object.entries(sandbox.calls.counts())
        .filter(([name]) => /instrument/i.test(name))
        .reduce((sum, [, { total }]) => sum + total, 0);
    // A replica that Redis does not answer in time reads for itself, as on a busy machine.
    const calls: number[] = [];
    for (const category of ["USDC_FUTURES", "COIN_FUTURES", "USDT_FUTURES", "SPOT"]) {
      const before = instrumentCalls();
      const query = `{ instruments(category: ${category}) { symbol } }`;
      const asked = products.flatMap((one) => Array.from({ length: 20 }, () => ask<{ errors?: unknown }>(one, query)));
      for (const { errors } of await Promise.all(asked)) expect(errors).toBeUndefined();
      calls.push(instrumentCalls() - before);
    }
    // Each category is one call, or two where a first answer was late; replicas that share nothing make one each, every time.
    expect(Math.min(...calls)).toBeLessThanOrEqual(2);
  });

  it("show each accepted write in the next read at any of them", { timeout: 60_000 + 500 * WRITES }, async () => {
    // Two of them have a subscriber, so one answers from streams, one follows them, and one has none.
    for (const at of [0, 1]) {
      const client = createClient({ url: `${product(at).url.replace("http", "ws")}/graphql`, webSocketImpl: WebSocket });
      leave.push(
        client.subscribe({ query: "subscription { orders { stream { kind } } }" }, { next() {}, error() {}, complete() {} }),
      );
    }
    const proven = () => expect.poll(async () => (await listed(product(0))).source, { timeout: 30_000 }).toBe("STREAM");
    await proven();
    // One of them follows the account at the exchange, for the other too.
    const parts = await Promise.all(
      [0, 1].map(async (at) => {
        const metrics = await (await fetch(`${product(at).url}/metrics`)).text();
        return [...metrics.matchAll(/^exchange_graph_shared_streams\{part="(\w+)"\} [1-9]/gm)].map(([, part]) => part);
      }),
    );
    expect(parts.flat().sort()).toEqual(["FOLLOWING", "LEADING"]);
    const missed: string[] = [];
    const sources: Record<string, number> = {};
    const check = async (what: string, orderId: string, isOpen: boolean, at: number) => {
      const { ids, source } = await listed(product(at));
      sources[source] = (sources[source] ?? 0) + 1;
      if (ids.includes(orderId) !== isOpen) missed.push(`${what} at ${at % 3}: ${orderId} by ${source}`);
    };
    for (let write = 0; write < WRITES; write += 2) {
      const [placer, canceller, reader] = [write / 2, write / 2 + 1, write / 2 + 2];
      // Answers of all replicas are cached, and their streams proven, at different times.
      if (write % 6 === 0) await Promise.all(products.map(listed));
      const terms = `account: "main", category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "20000"`;
      const placed = await ask<{ data: { placeOrder: { outcome: string; order: { orderId: string } | null } } }>(
        product(placer),
        `mutation { placeOrder(input: { ${terms}, idempotencyKey: "write-${write}" }) { outcome order { orderId } } }`,
      );
      expect(placed).toMatchObject({ data: { placeOrder: { outcome: "ACCEPTED" } } });
      const orderId = placed.data.placeOrder.order?.orderId ?? "";
      await Promise.all([check("placed", orderId, true, canceller), check("placed", orderId, true, reader)]);
      const cancel = `mutation { cancelOrder(input: { account: "main", category: SPOT, symbol: "BTCUSDT", by: { orderId: "${orderId}" } }) { outcome } }`;
      expect(await ask(product(canceller), cancel)).toMatchObject({ data: { cancelOrder: { outcome: "ACCEPTED" } } });
      await Promise.all([check("cancelled", orderId, false, placer), check("cancelled", orderId, false, reader)]);
      // From time to time the streams are proven again.
      if (write % 20 === 0) await proven();
    }
    if (WRITES > 100) process.stdout.write(`${JSON.stringify({ writes: WRITES, missed: missed.length, sources })}\n`);
    expect(missed).toEqual([]);
  });
});
