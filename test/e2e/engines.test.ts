import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeUnless } from "../support/missing.js";
import { noPostgres, type Postgres, startPostgres } from "../support/postgres.js";
import { noRedis, type RedisServer, redisServer } from "../support/redisServer.js";
import { MAIN_KEYS, type Product, servingProduct } from "./product.js";

const WITHIN = { timeout: 20_000 };

describeUnless(noRedis ?? noPostgres(), "a gateway with a Redis and a PostgreSQL", () => {
  let sandbox: Sandbox;
  let redis: RedisServer;
  let postgres: Postgres;
  let product: Product;
  let settings: Record<string, string>;
  beforeAll(async () => {
    [sandbox, redis, postgres] = await Promise.all([
      startSandbox({ hasPast: false }),
      redisServer({ realm: "live" }),
      startPostgres(),
    ]);
    settings = {
      EXCHANGE_BASE_URL: sandbox.url,
      ...MAIN_KEYS,
    };
    product = await servingProduct({ ...settings, REDIS_URL: redis.url, DATABASE_URL: await postgres.create() });
  }, 60_000);
  afterAll(async () => {
    await product.stop();
    await Promise.all([redis.close(), postgres.close(), sandbox.close()]);
  });

  /** State of the dependencies in `/readyz` and `/metrics`. */
  const stateOf = async ({ url }: Product) => {
    const ready = await fetch(`${url}/readyz?verbose`);
    const { dependencies } = (await ready.json()) as {
      readonly dependencies: readonly { readonly name: string; readonly state: string }[];
    };
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const metric = (name: string) => new RegExp(`^exchange_graph_${name} (\\S+)$`, "m").exec(metrics)?.[1];
    return {
      status: ready.status,
      down: dependencies.flatMap(({ name, state }) => (state === "down" ? [name] : [])),
      redis: metric("engine_up"),
      replicas: metric("engine_replicas"),
      journal: metric("journal_writable"),
    };
  };
  const WELL = { status: 200, down: [] as readonly string[], redis: "1", replicas: "1", journal: "1" };

  it("reports the state of both, and stays ready while they are away", { timeout: 90_000 }, async () => {
    await expect.poll(() => stateOf(product), WITHIN).toEqual(WELL);

    await redis.kill();
    await expect.poll(() => stateOf(product), WITHIN).toEqual({ ...WELL, down: ["redis"], redis: "0" });
    await postgres.kill();
    await expect.poll(() => stateOf(product), WITHIN).toMatchObject({ status: 200, down: ["journal", "redis"], journal: "0" });
    await redis.restart();
    await expect.poll(() => stateOf(product), WITHIN).toMatchObject({ status: 200, down: ["journal"], redis: "1" });
    await postgres.start();
    await expect.poll(() => stateOf(product), WITHIN).toEqual(WELL);
  });

  it("that has never reached Redis is not ready: the number of replicas is not known", { timeout: 60_000 }, async () => {
    const alone = await servingProduct({ ...settings, REDIS_URL: "redis://127.0.0.1:1" });
    expect(await stateOf(alone)).toMatchObject({ status: 503, redis: "0", replicas: "0" });
    await alone.stop();
  });
});
