import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, beforeAll, it } from "vitest";
import { canSign, type SelfSigned, selfSigned } from "../support/certificates.js";
import { freePort } from "../support/freePort.js";
import { describeUnless } from "../support/missing.js";
import { noPostgres, type Postgres, startPostgres } from "../support/postgres.js";
import { noRedis, type RedisServer, redisServer } from "../support/redisServer.js";
import { type Ended, MAIN_KEYS, type Product, servingProduct, startProduct } from "./product.js";

interface Dependencies {
  readonly dependencies: readonly { readonly name: string; readonly state: string; readonly reason?: string }[];
}

/** How it ends whose start Redis refuses. It serves where Redis does not answer within a second, as on a busy machine: then again. */
async function refusedStart(settings: Readonly<Record<string, string>>): Promise<Ended> {
  const started = await startProduct(settings);
  if ("exitCode" in started) return started;
  await started.stop();
  throw new Error(started.output());
}

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
  });
  afterAll(async () => {
    await product.stop();
    await Promise.all([redis.close(), postgres.close(), sandbox.close()]);
  });

  /** State of the dependencies in `/readyz` and `/metrics`. */
  const stateOf = async ({ url }: Product) => {
    const ready = await fetch(`${url}/readyz?verbose`);
    const { dependencies } = (await ready.json()) as Dependencies;
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

  it.concurrent("reports the state of both, and stays ready while they are away", async ({ expect }) => {
    await expect.poll(() => stateOf(product)).toEqual(WELL);

    await redis.kill();
    await expect.poll(() => stateOf(product)).toEqual({ ...WELL, down: ["redis"], redis: "0" });
    await postgres.kill();
    await expect.poll(() => stateOf(product)).toMatchObject({ status: 200, down: ["journal", "redis"], journal: "0" });
    await redis.restart();
    await expect.poll(() => stateOf(product)).toMatchObject({ status: 200, down: ["journal"], redis: "1" });
    await postgres.start();
    await expect.poll(() => stateOf(product)).toEqual(WELL);
  });

  it.concurrent("that has never reached Redis is not ready, says why, and sends nothing: the number of replicas is not known", async ({
    expect,
  }) => {
    const alone = await servingProduct({ ...settings, REDIS_URL: "redis://127.0.0.1:1" });
    expect(await stateOf(alone)).toMatchObject({ status: 503, redis: "0", replicas: "0" });
    const { reason } = (await (await fetch(`${alone.url}/readyz`)).json()) as { readonly reason?: string };
    expect(reason).toContain("redis: it cannot be reached (ECONNREFUSED)");
    expect(alone.output()).toContain("redis cannot be used, and was not since the start: nothing is sent to the exchange");
    await alone.stop();
  });

  const UNKNOWN = "its certificate is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT)";

  it.concurrent("with a Redis over TLS does not start with an unknown authority, and follows a certificate that is replaced", async ({
    expect,
    onTestFinished,
    skip,
  }) => {
    if (!canSign) skip("openssl was not found. On Debian: apt-get install openssl");
    const folder = mkdtempSync(join(tmpdir(), "redis-tls-"));
    const [first, second, unknown] = [selfSigned(folder, "a"), selfSigned(folder, "b"), selfSigned(folder, "c")];
    const port = await freePort();
    const files = (of: SelfSigned) => ["--tls-cert-file", of.certPath, "--tls-key-file", of.keyPath];
    const redis = await redisServer({
      realm: "live",
      options: [
        ...["--bind", "127.0.0.1", "--save", "", "--tls-port", String(port), ...files(first)],
        ...["--tls-ca-cert-file", first.certPath, "--tls-auth-clients", "no"],
      ],
    });
    onTestFinished(async () => {
      await redis.close();
      rmSync(folder, { recursive: true });
    });
    const overTls = { ...settings, REDIS_URL: `rediss://127.0.0.1:${port}` };
    await expect
      .poll(() => refusedStart(overTls))
      .toEqual({ exitCode: 1, output: `exchange-graph cannot start:\n  REDIS_URL: Redis cannot be used: ${UNKNOWN}\n` });

    const authorities = join(folder, "authorities.crt");
    writeFileSync(authorities, `${first.cert}${second.cert}`);
    const product = await servingProduct({ ...overTls, NODE_EXTRA_CA_CERTS: authorities });
    const redisIs = async () => {
      const { dependencies } = (await (await fetch(`${product.url}/readyz?verbose`)).json()) as Dependencies;
      return dependencies.find(({ name }) => name === "redis");
    };
    await expect.poll(redisIs).toMatchObject({ state: "up" });
    const replace = async (by: SelfSigned) => {
      await redis.run("CONFIG", "SET", "tls-cert-file", by.certPath, "tls-key-file", by.keyPath);
      await redis.run("CLIENT", "KILL", "TYPE", "pubsub");
    };
    await replace(unknown);
    await expect.poll(redisIs).toMatchObject({ state: "down", reason: UNKNOWN });
    await replace(second);
    await expect.poll(redisIs).toMatchObject({ state: "up" });
    expect(await product.stop()).toBe(0);
  });
});
