import { performance } from "node:perf_hooks";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeUnless } from "../support/missing.js";
import { noRedis, type RedisServer, redisServer } from "../support/redisServer.js";
import { type Product, servingProduct } from "./product.js";

/** Seconds that each state of Redis lasts; where it is set there are as many dashboards as the issue of scaling is about. */
const SECONDS = Number.parseInt(process.env.REPLICA_SECONDS ?? "0", 10);
const REPLICAS = 3;
/** Questions that each replica has under way all the time: more than the limit allows all of them. */
const AT_ONCE = SECONDS > 0 ? 67 : 12;
/** Calls that the exchange takes in any second. */
const LIMIT = 20;

describeUnless(noRedis, "replicas that share a Redis", () => {
  let sandbox: Sandbox;
  let redis: RedisServer;
  let products: readonly Product[];
  beforeAll(async () => {
    [sandbox, redis] = await Promise.all([startSandbox({ hasPast: false }), redisServer({ realm: "live" })]);
    const [main] = SANDBOX_CREDENTIALS;
    const settings = {
      EXCHANGE_BASE_URL: sandbox.url,
      EXCHANGE_API_KEY: main?.key ?? "",
      EXCHANGE_API_SECRET: main?.secret ?? "",
      EXCHANGE_API_PASSPHRASE: main?.passphrase ?? "",
      REDIS_URL: redis.url,
    };
    products = await Promise.all(Array.from({ length: REPLICAS }, () => servingProduct(settings)));
  }, 60_000);
  afterAll(async () => {
    redis.resume();
    await Promise.all(products.map((product) => product.stop()));
    await redis.close();
    await sandbox.close();
  });

  let asked = 0;
  async function ask({ url }: Product, query: string): Promise<unknown> {
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    return response.json();
  }

  /** Keeps all replicas asking for what no cache has; gives how much of the limit was used. */
  async function busy(seconds: number): Promise<number> {
    const answered = () => sandbox.calls.of("orderHistory").succeeded;
    const [before, start] = [answered(), performance.now()];
    let used: number | undefined;
    const worker = async (product: Product) => {
      for (;;) {
        const took = (performance.now() - start) / 1_000;
        // What is still under way then does not use all that there is.
        if (took >= seconds) used ??= (answered() - before) / (LIMIT * took);
        if (used !== undefined) return;
        const [from, to] = [2, 1].map((hours) => new Date(Date.now() - hours * 3_600_000 - asked * 1_000).toISOString());
        asked++;
        const stretch = `from: "${from}", to: "${to}"`;
        await ask(product, `{ account { orderHistory(category: SPOT, ${stretch}, first: 1) { nodes { orderId } } } }`);
      }
    };
    await Promise.all(products.flatMap((product) => Array.from({ length: AT_ONCE }, () => worker(product))));
    return used ?? 0;
  }

  const nothingRefused = () => {
    expect(sandbox.limits.violations).toBe(0);
    expect(sandbox.calls.of("orderHistory").limited).toBe(0);
  };
  const up = async (product: Product) =>
    /^exchange_graph_engine_up (\d)$/m.exec(await (await fetch(`${product.url}/metrics`)).text())?.[1];

  it(
    "use the exchange's limit together and never pass it, whatever becomes of Redis",
    async () => {
      await busy(1);
      const steady = await busy(Math.max(3, SECONDS));
      nothingRefused();
      // A machine that is busy with other tests answers late, and slots rest from the answer on.
      expect(steady).toBeGreaterThanOrEqual(SECONDS > 0 ? 0.9 : 0.4);

      await redis.run("FLUSHALL");
      const emptied = await busy(Math.max(2, SECONDS));
      nothingRefused();

      await redis.kill();
      await busy(6);
      expect(await Promise.all(products.map(up))).toEqual(["0", "0", "0"]);
      const gone = await busy(Math.max(2, SECONDS));
      nothingRefused();
      await redis.restart();
      const back = await busy(Math.max(2, SECONDS));
      nothingRefused();
      expect(await Promise.all(products.map(up))).toEqual(["1", "1", "1"]);

      redis.pause();
      const paused = await busy(SECONDS > 0 ? SECONDS : 2);
      redis.resume();
      await busy(1);
      nothingRefused();
      if (SECONDS > 0) process.stdout.write(`${JSON.stringify({ steady, emptied, gone, back, paused })}\n`);
      for (const used of [emptied, gone, back, paused]) expect(used).toBeGreaterThan(SECONDS > 0 ? 0.6 : 0.2);
      for (const product of products) {
        expect(await ask(product, "{ exchange { sharedCounters { counter } } }")).toEqual({
          data: { exchange: { sharedCounters: [] } },
        });
        expect(product.output()).toContain("redis cannot be reached");
      }
    },
    300_000 + SECONDS * 6_000,
  );
});
