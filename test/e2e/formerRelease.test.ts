import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { copyForOwner } from "../deploy/copyForOwner.js";
import { describeUnless } from "../support/missing.js";
import { noPostgres, type Postgres, startPostgres } from "../support/postgres.js";
import { noRedis, type RedisServer, redisServer } from "../support/redisServer.js";
import { inNode } from "../support/shortLived.js";
import { type Product, servingProduct } from "./product.js";

/** The built program of the former release. */
const FORMER = join(process.env.FORMER_RELEASE ?? "", "bundle/main.js");
const missing =
  process.env.FORMER_RELEASE === undefined
    ? "It takes a build of the former release: FORMER_RELEASE=<its folder> enables it"
    : existsSync(FORMER)
      ? undefined
      : `${FORMER} is not there: the former release is not built`;

const PLACE = `mutation ($key: String!) { placeOrder(input: {
  account: "main", category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: MARKET, quoteQty: "50", idempotencyKey: $key
}) { outcome userErrors { code } } }`;

describeUnless(missing, "this version and the former release", () => {
  const folder = mkdtempSync(join(tmpdir(), "former-"));
  let sandbox: Sandbox;
  let settings: Record<string, string>;
  const running = new Set<Product>();

  beforeAll(async () => {
    sandbox = await startSandbox({ hasPast: false });
    settings = {
      EXCHANGE_BASE_URL: sandbox.url,
      EXCHANGE_WS_URL: sandbox.wsUrl,
      EXCHANGE_ACCOUNTS_FILE: copyForOwner("deploy/kubernetes/overlays/sandbox/accounts.json", folder),
    };
  });
  afterEach(async () => {
    for (const product of running) await stop(product);
  });
  afterAll(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });

  const start = async (which: "former" | "this", more: Readonly<Record<string, string>>): Promise<Product> => {
    const product = await servingProduct({ ...settings, ...more }, which === "former" ? inNode(FORMER) : undefined);
    running.add(product);
    return product;
  };
  const stop = async (product: Product): Promise<void> => {
    running.delete(product);
    expect(await product.stop()).toBe(0);
  };

  const ask = async (product: Product, query: string, variables: object = {}): Promise<unknown> => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ query, variables }) };
    return (await fetch(`${product.url}/graphql`, init)).json();
  };
  const ACCEPTED = { data: { placeOrder: { outcome: "ACCEPTED", userErrors: [] } } };
  /** Places orders one after the other, each with its key. An account may place ten a second. */
  const place = async (product: Product, keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      expect(await ask(product, PLACE, { key })).toEqual(ACCEPTED);
      await new Promise((resolve) => setTimeout(resolve, 120));
    }
  };
  const sent = (): number => sandbox.calls.of("placeOrder").total;
  const keysOf = (name: string): readonly string[] => [1, 2, 3].map((number) => `${name}-${number}`);
  /** All of these keys are repeated, and nothing is sent. */
  const repeat = async (product: Product, keys: readonly string[]): Promise<void> => {
    const before = sent();
    await place(product, keys);
    expect(sent()).toBe(before);
  };

  it("use one journal file in turn, up and down again: no key is forgotten, and no order is sent twice", async () => {
    const journal = { JOURNAL_PATH: join(folder, "journal.sqlite") };
    const keys: string[] = [];
    for (const [turn, which] of (["former", "this", "former", "this"] as const).entries()) {
      const product = await start(which, journal);
      await repeat(product, keys);
      const more = keysOf(`turn-${turn}`);
      const before = sent();
      await place(product, more);
      expect(sent()).toBe(before + more.length);
      keys.push(...more);
      await stop(product);
    }
  });

  describeUnless(noPostgres() ?? noRedis, "on one PostgreSQL and one Redis", () => {
    let postgres: Postgres;
    let redis: RedisServer;
    let shared: Record<string, string>;
    beforeAll(async () => {
      [postgres, redis] = await Promise.all([startPostgres(), redisServer({ realm: "live" })]);
      shared = { DATABASE_URL: await postgres.create(), REDIS_URL: redis.url };
    });
    afterAll(async () => {
      await redis.close();
      await postgres.close();
    });

    it("run side by side: each replays the other's keys and obeys its halts", async () => {
      const former = await start("former", shared);
      await place(former, keysOf("before"));
      // This version migrates the tables that the former one is using.
      const current = await start("this", shared);
      await repeat(current, keysOf("before"));
      await Promise.all([place(former, keysOf("former")), place(current, keysOf("this"))]);
      await repeat(former, keysOf("this"));
      await repeat(current, keysOf("former"));
      for (const [halting, other] of [
        [current, former],
        [former, current],
      ] as const) {
        expect(await ask(halting, "mutation { haltTrading(input: { allAccounts: true }) { __typename } }")).toEqual({
          data: { haltTrading: expect.anything() },
        });
        expect(JSON.stringify(await ask(other, PLACE, { key: "halted" }))).toContain("TRADING_HALTED");
        expect(await ask(other, "mutation { resumeTrading(input: { allAccounts: true }) { __typename } }")).toEqual({
          data: { resumeTrading: expect.anything() },
        });
        // It is told of the end a moment later.
        const key = `after-${halting === current ? "this" : "former"}`;
        await vi.waitFor(async () => expect(await ask(halting, PLACE, { key })).toEqual(ACCEPTED));
      }
      // The former release alone again, as after an upgrade that was taken back.
      await stop(current);
      await repeat(former, keysOf("this"));
      await place(former, keysOf("last"));
      await repeat(await start("this", shared), keysOf("last"));
    });
  });
});
