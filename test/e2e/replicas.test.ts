import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { post } from "../support/ask.js";
import { describeUnless } from "../support/missing.js";
import { noRedis, type RedisServer, redisServer } from "../support/redisServer.js";
import { type TcpProxy, tcpProxy } from "../support/tcpProxy.js";
import { MAIN_KEYS, type Product, servingProduct } from "./product.js";

/** Seconds per state of Redis; if set, about 200 dashboards query continuously. */
const ASKED = Number.parseInt(process.env.REPLICA_SECONDS ?? "0", 10);
/** Below 5 seconds: one short run with fewer concurrent queries. */
const SECONDS = ASKED < 5 ? 0 : ASKED;
const REPLICAS = 3;
/** Queries that each replica always has in progress: together more than the limit allows. */
const AT_ONCE = SECONDS > 0 ? 67 : 7;
/** Calls that the exchange allows per second. */
const LIMIT = 20;
const REFUSED_PAUSE_MS = 200;
/** Time after which the replicas have adapted to a new state of Redis, s. */
const SETTLED_S = 6;

/** Share of the limit that was used: in the whole period, and after its first seconds. */
interface Used {
  readonly whole: number;
  readonly settled: number | undefined;
}

describeUnless(noRedis, "replicas that share a Redis", () => {
  let sandbox: Sandbox;
  let redis: RedisServer;
  /** The first replica's connection to the exchange. */
  let line: TcpProxy;
  let products: readonly Product[];
  let settings: Record<string, string>;
  beforeAll(async () => {
    [sandbox, redis] = await Promise.all([startSandbox({ hasPast: false }), redisServer({ realm: "live" })]);
    settings = {
      EXCHANGE_BASE_URL: sandbox.url,
      ...MAIN_KEYS,
      REDIS_URL: redis.url,
      // The rebuilding of the past reads instruments too.
      HISTORY_BACKFILL_DAYS: "0",
    };
    line = await tcpProxy(sandbox.url);
    const apart = { ...settings, EXCHANGE_BASE_URL: `http://${line.host}` };
    products = await Promise.all(Array.from({ length: REPLICAS }, (_, at) => servingProduct(at === 0 ? apart : settings)));
  });
  afterAll(async () => {
    redis.resume();
    await Promise.all(products.map((product) => product.stop()));
    await line.close();
    await redis.close();
    await sandbox.close();
  });

  let asked = 0;
  async function ask<T = unknown>({ url }: Product, query: string): Promise<T> {
    const response = await post(url, { query });
    return (await response.json()) as T;
  }

  /** Sends an uncached query. */
  const askUncached = (product: Product) => {
    const [from, to] = [2, 1].map((hours) => new Date(Date.now() - hours * 3_600_000 - asked * 1_000).toISOString());
    asked++;
    const range = `from: "${from}", to: "${to}"`;
    const query = `{ account { orderHistory(category: SPOT, ${range}, first: 1) { nodes { orderId } } } }`;
    return ask<{ errors?: unknown }>(product, query);
  };

  /** Keeps the replicas busy with uncached queries; resolves to the used share of the limit. */
  async function busy(seconds: number, who = products): Promise<Used> {
    const answered = () => sandbox.calls.of("orderHistory").succeeded;
    const start = { answered: answered(), at: performance.now() };
    let settled: typeof start | undefined;
    let used: Used | undefined;
    const since = (from: typeof start) => (answered() - from.answered) / (LIMIT * ((performance.now() - from.at) / 1_000));
    const worker = async (product: Product) => {
      for (;;) {
        const took = (performance.now() - start.at) / 1_000;
        if (took >= SETTLED_S) settled ??= { answered: answered(), at: performance.now() };
        // Queries that end after the measured time no longer use the whole limit.
        if (took >= seconds)
          used ??= { whole: since(start), settled: seconds > SETTLED_S && settled ? since(settled) : undefined };
        if (used !== undefined) return;
        const { errors } = await askUncached(product);
        // A refused dashboard retries after a pause.
        if (errors !== undefined) await setTimeout(REFUSED_PAUSE_MS);
      }
    };
    await Promise.all(who.flatMap((product) => Array.from({ length: AT_ONCE }, () => worker(product))));
    return used ?? { whole: 0, settled: undefined };
  }

  const nothingRefused = () => {
    expect(sandbox.limits.violations).toBe(0);
    expect(sandbox.calls.of("orderHistory").limited).toBe(0);
  };
  const up = async (product: Product) =>
    /^exchange_graph_engine_up (\d)$/m.exec(await (await fetch(`${product.url}/metrics`)).text())?.[1];

  it("make one upstream call for equal requests to all of them", async () => {
    const more = SECONDS > 0 ? await Promise.all(Array.from({ length: 5 }, () => servingProduct(settings))) : [];
    const all = [...products, ...more];
    const instrumentCalls = () =>
      Object.entries(sandbox.calls.counts())
        .filter(([name]) => /instrument/i.test(name))
        .reduce((sum, [, { total }]) => sum + total, 0);
    // A replica that Redis does not answer in time reads for itself, as on a busy machine, until Redis answers again.
    const calls: number[] = [];
    for (const category of ["USDC_FUTURES", "COIN_FUTURES", "USDT_FUTURES", "SPOT"]) {
      await expect.poll(() => Promise.all(all.map(up))).toEqual(all.map(() => "1"));
      const before = instrumentCalls();
      const query = `{ instruments(category: ${category}) { symbol } }`;
      const answers = await Promise.all(
        all.flatMap((product) => Array.from({ length: 50 }, () => ask<{ errors?: unknown }>(product, query))),
      );
      expect(answers.filter(({ errors }) => errors !== undefined)).toEqual([]);
      calls.push(instrumentCalls() - before);
    }
    // Each category is one call, or two where a first answer was late; replicas that share nothing make one each, every time.
    expect(Math.min(...calls)).toBeLessThanOrEqual(2);
    await Promise.all(more.map((product) => product.stop()));
  });

  it(
    "use the exchange's limit together and never exceed it, in any state of Redis",
    async ({ skip }) => {
      if (ASKED === 0) skip("it takes a while: REPLICA_SECONDS=1 enables it");
      await busy(1);
      const used: Record<string, Used> = { steady: await busy(SECONDS || 2) };
      nothingRefused();

      await redis.run("FLUSHALL");
      used.emptied = await busy(SECONDS || 1);
      nothingRefused();

      await redis.kill();
      used.killed = await busy(SECONDS || 4);
      const areUp = () => Promise.all(products.map(up));
      await expect.poll(areUp).toEqual(["0", "0", "0"]);
      nothingRefused();
      await redis.restart();
      used.back = await busy(SECONDS || 2);
      nothingRefused();
      await expect.poll(areUp).toEqual(["1", "1", "1"]);

      if (SECONDS > 0) {
        redis.pause();
        used.paused = await busy(SECONDS);
        redis.resume();
        await busy(5);
        nothingRefused();
      }

      const [stopped, ...others] = products;
      if (stopped === undefined) throw new Error("there are three replicas");
      // Calls that wait for lost responses keep their slots; the other replicas continue with theirs.
      line.freeze();
      const hanging = Array.from({ length: AT_ONCE }, () => askUncached(stopped));
      const beside = await busy(SECONDS || 2, others);
      nothingRefused();
      line.mend();
      await Promise.all(hanging);
      await busy(SECONDS > 0 ? 5 : 1);
      nothingRefused();
      expect(beside.whole).toBeGreaterThan(SECONDS === 0 ? 0 : 0.55);

      stopped.signal("SIGSTOP");
      await busy(SECONDS || 3, others);
      stopped.signal("SIGCONT");
      await busy(SECONDS || 1);
      nothingRefused();
      if (SECONDS > 0) {
        await stopped.stop("SIGKILL");
        await busy(5, others);
        used.fewer = await busy(SECONDS, others);
        nothingRefused();
      }
      if (SECONDS > 0) process.stdout.write(`${JSON.stringify({ ...used, beside })}\n`);
      // In a short run the replicas have not yet adapted to each state of Redis.
      const least = SECONDS === 0 ? 0 : 0.9;
      const tooFew = Object.entries(used).filter(([, { whole, settled = whole }]) => settled <= least);
      expect(tooFew).toEqual([]);

      for (const product of others) {
        expect(await ask(product, "{ exchange { sharedCounters { counter } } }")).toEqual({
          data: { exchange: { sharedCounters: [] } },
        });
        // One line a minute at most: that of its own start, if Redis was not there yet, or that of the outage.
        expect(product.output()).toContain("redis cannot be used");
      }
    },
    300_000 + SECONDS * 6_000,
  );
});
