import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { getOperationAST, parse } from "graphql";
import { createClient, type SubscribePayload } from "graphql-ws";
import { type UserConfig, createServer as viteServer } from "vite";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { canSign, selfSigned } from "../support/certificates.js";
import { Checkout } from "../support/checkout.js";
import { freePort } from "../support/freePort.js";
import { blocksOf, codeOf } from "../support/pages.js";
import { overSandbox } from "./desk/support.js";
import { type Product, servingProduct } from "./product.js";

/** Runs the pages' code blocks as printed, in a separate checkout, against the product on another port. */

const checkout = new Checkout();
const [START = "", ...STARTS] = codeOf("start");
let product: Product;
const starting = (code: string, settings: Readonly<Record<string, string>> = {}): Promise<Product> =>
  servingProduct({ ...checkout.env, JOURNAL_PATH: ":memory:", ...settings }, checkout.command(code));
/** Starts the product with a page's command, for one test. */
async function started(code: string, settings?: Readonly<Record<string, string>>): Promise<Product> {
  const one = await starting(code, settings);
  onTestFinished(async () => expect(await one.stop()).toBe(0));
  return one;
}
beforeAll(async () => {
  product = await starting(START, { AUDIT_LOG: join(checkout.folder, "audit.log") });
});
afterAll(async () => {
  expect(await product.stop()).toBe(0);
  checkout.remove();
});

const here = (code: string): string => code.replaceAll("127.0.0.1:4000", new URL(product.url).host);
const asked = async (url: string, query: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> => {
  const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify({ query }) };
  return (await fetch(url, init)).json();
};
const ACCOUNTS = { data: { accounts: [{ name: "main" }, { name: "classic" }, { name: "broker" }] } };

describe("what the pages print", () => {
  it("starts the gateway by the README's first command", () => {
    expect(START).toMatch(/^npm ci && npm start\n$/);
    expect(product.output()).toContain("the embedded sandbox exchange");
  });

  it("runs the requests that it shows", async () => {
    const asking = blocksOf("ask");
    expect(new Set(asking.map(({ page }) => page))).toEqual(
      new Set(["README.md", "docs/exports.md", "docs/guides.md", "docs/reference.md"]),
    );
    for (const { page, code } of asking) {
      const printed = await checkout.run(here(code));
      expect(printed, `${page}: ${code}`).not.toBe("");
      expect(printed, `${page}: ${code}`).not.toMatch(/"errors"|"REJECTED"/);
      expect(printed, `${page}: ${code}`).not.toMatch(/^HTTP\/1\.1 [45]/m);
    }
  });

  it("exports an account", async () => {
    for (const code of codeOf("exports"))
      expect(await checkout.run(`export GATEWAY_URL=${product.url}\n${code}`)).toMatch(/^exports\/main\/manifest\.json$/m);
  });

  /** The first result of an operation over a socket. */
  const firstOf = async (payload: SubscribePayload): Promise<unknown> => {
    const client = createClient({
      url: `${product.url.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    });
    const { value } = await client.iterate(payload).next();
    await client.dispose();
    return value;
  };

  it("shows only operations that return no error", async () => {
    const operations = codeOf("operations");
    expect(new Set(operations.map((query) => getOperationAST(parse(query))?.operation))).toEqual(
      new Set(["subscription", "query"]),
    );
    for (const query of operations) {
      const first = await firstOf({ query });
      expect(first, query).toMatchObject({ data: expect.any(Object) });
      expect(first, query).not.toHaveProperty("errors");
    }
  });

  it("sends whole requests, whose positions another gateway has given", async () => {
    for (const text of codeOf("request")) {
      const request = z.object({ query: z.string(), extensions: z.record(z.string(), z.unknown()) }).parse(JSON.parse(text));
      const first = await firstOf(request);
      expect(first, text).toMatchObject({ extensions: { stream: { recovered: false } } });
      expect(first, text).not.toHaveProperty("errors");
    }
  });

  it("shows an event as events are", async () => {
    const [shown, ...others] = codeOf("event").map((text): unknown => JSON.parse(text));
    expect(others).toEqual([]);
    const query =
      'subscription { ticker(category: USDT_FUTURES, symbol: "BTCUSDT") { ticker { symbol lastPrice } stream { kind time isStale missed } } }';
    const first = await firstOf({ query });
    const text = expect.stringMatching(/^\d+(\.\d+)?$/);
    const time = expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/);
    const event = (kind: string, missed: unknown) => ({
      data: { ticker: { ticker: { symbol: "BTCUSDT", lastPrice: text }, stream: { kind, time, isStale: false, missed } } },
      extensions: { stream: { kind: kind.toLowerCase(), time, stale: false } },
    });
    expect(first).toMatchObject(event("SNAPSHOT", expect.any(Number)));
    const { extensions, ...rest } = event("UPDATE", expect.any(Number));
    expect(shown).toEqual({ ...rest, extensions: { ...extensions, missed: expect.any(Number) } });
  });

  it("follows a stream of events", async () => {
    for (const code of codeOf("events")) {
      const [program = "", ...words] = checkout.command(`exec ${here(code)}`);
      const curl = spawn(program, words, { stdio: ["ignore", "pipe", "inherit"] });
      let printed = "";
      for await (const chunk of curl.stdout) {
        printed += String(chunk);
        if (printed.includes("lastPrice")) break;
      }
      curl.kill();
      expect(printed).toMatch(/^event: next\ndata: \{.*"lastPrice"/m);
    }
  });

  it("checks the audit that these have left, in two files", async () => {
    const [intent = "", ...others] = readFileSync(join(checkout.folder, "audit.log"), "utf8").split(/^(?=.)/m);
    renameSync(join(checkout.folder, "audit.log"), join(checkout.folder, "audit.log.1"));
    writeFileSync(join(checkout.folder, "audit.log.1"), intent);
    writeFileSync(join(checkout.folder, "audit.log"), others.join(""));
    expect(others).not.toEqual([]);
    for (const code of codeOf("audit")) expect(await checkout.run(code)).toMatch(/^\d+ lines, 0 problems; /m);
  });

  it("has Vite pass queries and sockets of a page on", async () => {
    const [code = ""] = codeOf("viteConfig");
    const file = join(checkout.folder, "vite.config.mjs");
    const ours = `from "${pathToFileURL(resolve("node_modules/vite/dist/node/index.js")).href}"`;
    writeFileSync(file, here(code).replace('from "vite"', ours));
    const { default: config } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { default: UserConfig };
    const vite = await viteServer({
      ...config,
      configFile: false,
      root: checkout.folder,
      logLevel: "silent",
      // The other pages of the documentation are not built for this one.
      optimizeDeps: { noDiscovery: true },
      server: { ...config.server, host: "127.0.0.1", port: 0 },
    });
    await vite.listen();
    const [origin = ""] = vite.resolvedUrls?.local ?? [];
    const answer = await asked(new URL("/graphql", origin).href, "{ accounts { name } }", { origin: new URL(origin).origin });
    expect(answer).toMatchObject(ACCOUNTS);
    const socket = new WebSocket(new URL("/graphql", origin.replace("http", "ws")), "graphql-transport-ws", {
      origin: new URL(origin).origin,
    });
    await once(socket, "open");
    socket.send('{"type":"connection_init"}');
    expect(String((await once(socket, "message"))[0])).toContain("connection_ack");
    socket.close();
    await vite.close();
  });
});

describe("tokens and settings that the pages print", () => {
  const SETTINGS = ["CLIENTS_FILE=", "CORS_ORIGINS=", "TLS_CERT_FILE=", "TRUSTED_DOCUMENTS="];
  const startOf = (setting: string): string => STARTS.find((code) => code.includes(setting)) ?? "";
  let token = "";
  let sandbox: Sandbox;
  /** An exchange that has started already: an embedded one takes half the time of a start. */
  let besides: Readonly<Record<string, string>>;
  beforeAll(async () => {
    sandbox = await startSandbox({ hasPast: false });
    besides = { ...overSandbox(sandbox), JOURNAL_PATH: ":memory:" };
  });
  afterAll(() => sandbox.close());

  it("are all run here", () => {
    expect(STARTS.map((code) => SETTINGS.filter((setting) => code.includes(setting)))).toEqual(SETTINGS.map((one) => [one]));
  });

  it("make tokens, list and revoke them, one block after the other", async () => {
    const blocksOfTokens = blocksOf("tokens");
    expect(blocksOfTokens.map(({ page }) => page)).toEqual(["README.md", "docs/guides.md", "docs/reference.md"]);
    const printed: string[] = [];
    for (const { code } of blocksOfTokens) printed.push(await checkout.run(code));
    expect(printed[0]).toMatch(/^exgt_\S+\n$/);
    expect(printed[1]).toMatch(/^exgt_\S+\nexgt_\S+\nid\tname\t.*\n\S+\tdesk\t.*\n\S+\ttrader\t.*\n\S+\tscreens\t.*\t3\n/);
    const left: unknown = JSON.parse(readFileSync(join(checkout.folder, "clients.json"), "utf8"));
    expect(left).toMatchObject({
      tokens: [{ name: "desk" }, { name: "screens", weight: 3 }],
      deniedJwts: [{ jti: "5b1f2c" }, { sub: "trader@example" }, { sub: "trader@example" }],
    });
    token = printed[0]?.trim() ?? "";
  });

  it("put a real exchange behind the gateway, for clients only", async () => {
    const [{ key, secret, passphrase } = { key: "", secret: "", passphrase: "" }] = SANDBOX_CREDENTIALS;
    const code = startOf("CLIENTS_FILE=")
      .replace(/EXCHANGE_BASE_URL=\S+/, `EXCHANGE_BASE_URL=${sandbox.url}`)
      .replace(/EXCHANGE_WS_URL=\S+/, `EXCHANGE_WS_URL=${sandbox.wsUrl}`)
      .replace("API_KEY=…", `API_KEY=${key}`)
      .replace("API_SECRET=…", `API_SECRET=${secret}`)
      .replace("PASSPHRASE=…", `PASSPHRASE=${passphrase}`);
    const { url } = await started(code);
    const query = "{ accounts { name mode } }";
    expect(await asked(`${url}/graphql`, query)).toMatchObject({ errors: [{ extensions: { code: "UNAUTHENTICATED" } }] });
    const answer = await asked(`${url}/graphql`, query, { authorization: `Bearer ${token}` });
    expect(answer).toEqual({ data: { accounts: [{ name: "main", mode: "UNIFIED" }] } });
  });

  it("allow pages of other origins", async () => {
    const { url } = await started(startOf("CORS_ORIGINS="), besides);
    const headers = { origin: "http://localhost:5173", "content-type": "application/json" };
    const answer = await fetch(`${url}/graphql`, { method: "POST", headers, body: '{"query":"{ accounts { name } }"}' });
    expect(answer.headers.get("access-control-allow-origin")).toBe("http://localhost:5173");
    expect(await answer.json()).toMatchObject(ACCOUNTS);
  });

  it("serve HTTPS", async ({ skip }) => {
    if (!canSign) skip("openssl was not found. On Debian: apt-get install openssl");
    selfSigned(checkout.folder, "gateway");
    const { url } = await started(startOf("TLS_CERT_FILE="), besides);
    expect(url).toMatch(/^https:/);
    expect(await checkout.run(`curl -s --cacert gateway.crt ${url}/healthz`)).toBe('{"status":"ok"}');
  });

  it("run only documents of a manifest", async () => {
    const { url } = await started(startOf("TRUSTED_DOCUMENTS="), besides);
    const documents = z
      .record(z.string(), z.string())
      .parse(JSON.parse(readFileSync("test/generated/persisted-documents.json", "utf8")));
    const known = Object.values(documents).find((text) => text.startsWith("query Portfolio")) ?? "";
    expect(await asked(`${url}/graphql`, known)).toHaveProperty("data");
    const refused = await asked(`${url}/graphql`, "{ accounts { name } }");
    expect(refused).toMatchObject({ errors: [{ extensions: { code: "FORBIDDEN" } }] });
  });

  it("stop the gateway gracefully", async () => {
    const quick = "sleep() { command sleep 0.1; }\n";
    for (const code of codeOf("stop")) {
      const port = await freePort();
      const printed = await checkout.run(`export PORT=${port}\n${code.replaceAll(":4000", `:${port}`)}`, quick);
      expect(printed).toMatch(/\{"status":"ok"\}[\s\S]*"stopping"\}\nexit code 0\n$/);
    }
  });
});
