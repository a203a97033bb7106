import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Product, servingProduct } from "../e2e/product.js";
import { describeUnless, whyMissing } from "../support/missing.js";
import { noPostgres, type Postgres, startPostgres } from "../support/postgres.js";
import { noRedis, type RedisServer, redisServer } from "../support/redisServer.js";
import { type TcpProxy, tcpProxy } from "../support/tcpProxy.js";
import { type Proxy, startProxy } from "./proxy.js";

const missing = whyMissing({ caddy: "caddy" }) ?? noPostgres() ?? noRedis;

const ACCOUNT = "main";
const LIVE = `{ account(name: "${ACCOUNT}") { balances { coin available } openOrders(category: SPOT, first: 5) { nodes { orderId } } } }`;
const JOURNAL = `{ account(name: "${ACCOUNT}") { journal(first: 5) { nodes { mutation status } } } }`;
const HALT = `mutation { haltTrading(input: { account: "${ACCOUNT}", reason: "drill" }) { halts { reason } } }`;
const RESUME = `mutation { resumeTrading(input: { account: "${ACCOUNT}" }) { halts { reason } } }`;
const PLACE =
  'mutation { placeOrder(input: { account: "main", category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "20000" }) { outcome order { orderId } userErrors { code message } } }';
const cancel = (orderId: string) =>
  `mutation { cancelOrder(input: { account: "main", category: SPOT, symbol: "BTCUSDT", by: { orderId: "${orderId}" } }) { outcome isUnjournaled userErrors { code } } }`;

interface Answered {
  readonly status: number;
  readonly type: string | null;
  readonly body: {
    readonly data?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | null;
    readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
  };
}

describeUnless(missing, "two gateways behind the shipped proxy", () => {
  const folder = mkdtempSync(join(tmpdir(), "bad-day-"));
  let sandbox: Sandbox;
  /** The way of the exchange's calls; its streams have another one. */
  let line: TcpProxy;
  let postgres: Postgres;
  let redis: RedisServer;
  let gateways: readonly Product[];
  let proxy: Proxy;

  beforeAll(async () => {
    [sandbox, postgres, redis] = await Promise.all([
      startSandbox({ hasPast: false }),
      startPostgres(),
      redisServer({ realm: "live" }),
    ]);
    line = await tcpProxy(sandbox.url);
    const [main] = SANDBOX_CREDENTIALS;
    const settings = {
      EXCHANGE_BASE_URL: `http://${line.host}`,
      EXCHANGE_WS_URL: sandbox.wsUrl,
      EXCHANGE_API_KEY: main?.key ?? "",
      EXCHANGE_API_SECRET: main?.secret ?? "",
      EXCHANGE_API_PASSPHRASE: main?.passphrase ?? "",
      LIVE_ACCOUNTS: "all",
      DATABASE_URL: await postgres.create(),
      REDIS_URL: redis.url,
    };
    gateways = await Promise.all(["a", "b"].map((name) => servingProduct({ ...settings, REPLICA_NAME: name })));
    proxy = await startProxy(
      gateways.map(({ url }) => new URL(url).port),
      folder,
    );
  });
  afterAll(async () => {
    await proxy.close();
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    await Promise.all([redis.close(), postgres.close(), line.close()]);
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });

  const over = async (send: Proxy["send"], url: string, query: string): Promise<Answered> => {
    const headers = { "content-type": "application/json", accept: "application/graphql-response+json" };
    const response = await send(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
    const text = await response.text();
    expect(text, `status ${response.status} for ${query}`).not.toBe("");
    return { status: response.status, type: response.headers.get("content-type"), body: JSON.parse(text) };
  };
  const throughProxy = (query: string) => over(proxy.send, proxy.url, query);
  const directly = (query: string) => over((to, init) => fetch(to, init), gateways[0]?.url ?? "", query);
  const dataOf = async (query: string) => {
    const { status, body } = await throughProxy(query);
    expect([status, body.errors]).toEqual([200, undefined]);
    return body.data ?? {};
  };
  /** Waits until every gateway answers from its live state, without a call. */
  const areLive = () =>
    vi.waitFor(
      async () => {
        for (const { url } of gateways) {
          const init = { method: "POST", headers: { "content-type": "application/json", "x-exchange-trace": "1" } };
          const answer = await fetch(`${url}/graphql`, { ...init, body: JSON.stringify({ query: LIVE }) });
          expect(await answer.json()).toMatchObject({ extensions: { exchange: { upstreamCalls: 0 } } });
        }
      },
      { timeout: 60_000, interval: 250 },
    );
  const placed = async (): Promise<string> => {
    const { placeOrder } = await dataOf(PLACE);
    expect(placeOrder).toMatchObject({ outcome: "ACCEPTED", order: { orderId: expect.any(String) } });
    return (placeOrder as { readonly order: { readonly orderId: string } }).order.orderId;
  };
  const down = async () => {
    const lists = await Promise.all(
      gateways.map(async ({ url }) => {
        const ready = await fetch(`${url}/readyz?verbose`);
        const { dependencies } = (await ready.json()) as {
          readonly dependencies: readonly { readonly name: string; readonly state: string }[];
        };
        return [ready.status, ...dependencies.flatMap(({ name, state }) => (state === "down" ? [name] : []))];
      }),
    );
    return lists;
  };

  it("without PostgreSQL, cancels, halts and queries of live state answer through the proxy as they do directly", async () => {
    await areLive();
    const orders = [await placed(), await placed(), await placed()];
    await postgres.kill();
    await vi.waitFor(
      async () =>
        expect(await down()).toEqual([
          [200, "journal"],
          [200, "journal"],
        ]),
      { timeout: 60_000 },
    );
    for (const [at, orderId] of orders.entries()) {
      const answer = await (at === 0 ? directly : throughProxy)(cancel(orderId));
      expect(answer.body.data?.cancelOrder).toMatchObject({ outcome: "ACCEPTED", isUnjournaled: true });
      expect(answer.status).toBe(200);
    }
    for (const ask of [directly, throughProxy])
      expect(await ask(PLACE)).toMatchObject({
        status: 200,
        body: { errors: [{ extensions: { code: "JOURNAL_UNAVAILABLE" } }] },
      });
    for (const ask of [directly, throughProxy]) {
      expect(await ask(HALT)).toMatchObject({ status: 200, body: { data: { haltTrading: expect.anything() } } });
      expect((await ask(LIVE)).body).toMatchObject({ data: { account: { balances: expect.any(Array) } } });
      expect(await ask(JOURNAL)).toMatchObject({ body: { errors: [{ extensions: { code: "JOURNAL_UNAVAILABLE" } }] } });
    }
    await postgres.start();
    await vi.waitFor(async () => expect(await down()).toEqual([[200], [200]]), { timeout: 60_000 });
  });

  it("without answers of the exchange, the journal, halts, queries and cancels answer through the proxy as they do directly", async () => {
    // Each gateway had a halt of its own while PostgreSQL was away, and shares it once that is back.
    const order = await vi.waitFor(
      async () => {
        for (const { url } of gateways) await over((to, init) => fetch(to, init), url, RESUME);
        return placed();
      },
      { timeout: 60_000, interval: 250 },
    );
    await areLive();
    line.breakDown();
    await vi.waitFor(
      async () =>
        expect(await down()).toEqual([
          [200, "exchange"],
          [200, "exchange"],
        ]),
      { timeout: 60_000 },
    );
    for (const ask of [directly, throughProxy]) {
      expect(await ask(JOURNAL)).toMatchObject({
        status: 200,
        body: { data: { account: { journal: { nodes: expect.any(Array) } } } },
      });
      expect(await ask(HALT)).toMatchObject({ status: 200, body: { data: { haltTrading: expect.anything() } } });
      expect(await ask(LIVE)).toMatchObject({ status: 200, body: { data: { account: expect.anything() } } });
    }
    // Not sent, or of unknown outcome until the exchange answers: the client learns which.
    for (const ask of [directly, throughProxy]) {
      const { status, type, body } = await ask(cancel(order));
      expect([status, type]).toEqual([200, expect.stringContaining("application/graphql-response+json")]);
      const said = body.data?.cancelOrder?.outcome ?? body.errors?.map(({ extensions: { code } }) => code);
      expect([["EXCHANGE_UNAVAILABLE"], "UNKNOWN"]).toContainEqual(said);
    }
    line.mend();
    await vi.waitFor(async () => expect(await down()).toEqual([[200], [200]]), { timeout: 60_000 });
  });

  it("without any gateway, the proxy answers as GraphQL that the operation may be repeated", async () => {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
    expect(await throughProxy(LIVE)).toEqual({
      status: 503,
      type: "application/graphql-response+json; charset=utf-8",
      body: {
        errors: [
          {
            message: "no gateway can serve now; nothing was started",
            extensions: { code: "UNAVAILABLE", retryable: true, retryAfterMs: 1_000 },
          },
        ],
      },
    });
  });
});
