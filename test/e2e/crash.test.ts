import { mkdtempSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exact } from "@exchange-graph/contract/decimal";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { post } from "../support/ask.js";
import { eventually } from "../support/eventually.js";
import { leaks } from "../support/leaks.js";
import { MAIN_KEYS, type Product, servingProduct } from "./product.js";

/** Tests every way in which the gateway's process can end, each time after it has signed requests with its keys. */
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ signedQuery: "decoded", hasPast: false });
});
afterAll(() => sandbox.close());

const [main] = SANDBOX_CREDENTIALS;
if (main === undefined) throw new Error("the sandbox has no keys");

/** Starts the gateway with code that runs on SIGUSR2, and waits until it has signed a request. */
async function signing(code: string, options = ""): Promise<Product> {
  const onSignal = `process.on("SIGUSR2", () => { ${code} })`;
  const preloaded = `--import data:text/javascript;base64,${Buffer.from(onSignal).toString("base64")}`;
  const product = await servingProduct({
    EXCHANGE_BASE_URL: sandbox.url,
    ...MAIN_KEYS,
    LOG_LEVEL: "trace",
    NODE_OPTIONS: `${code === "" ? "" : preloaded} ${options}`,
  });
  const response = await post(product.url, { query: "{ account { totalEquity } }" });
  expect(await response.json()).toMatchObject({ data: { account: { totalEquity: expect.any(String) } } });
  return product;
}

const HELD = JSON.stringify({ headers: { "ACCESS-KEY": main.key }, passphrase: main.passphrase });

describe("the gateway that ends by an uncaught error", () => {
  // Errors that are thrown and those of rejections come by different ways and end in one place: an error by one, a text by the other.
  it.concurrent.for([
    [
      "an error with a request on it, and on its cause",
      `throw Object.assign(new Error("boom", { cause: Object.assign(new Error("inner"), ${HELD}) }), ${HELD})`,
      '"message":"inner"',
    ],
    ["a rejection with a text", `Promise.reject(${JSON.stringify(main.secret)})`, "something that is not an error"],
  ] as const)("says what it was, in one line without secrets, and exits with 1: %s", async ([_, code, said], { expect }) => {
    const product = await signing(code);
    expect(await product.stop("SIGUSR2")).toBe(1);
    const last = product.output().trimEnd().split("\n").at(-1) ?? "";
    expect(JSON.parse(last)).toMatchObject({ level: "fatal", msg: "the process ends: unexpected error" });
    expect(last).toContain(said);
  });
});

describe("a diagnostic report of the gateway holds no secret", () => {
  const report = async (folder: string): Promise<string> => {
    const [file = ""] = await readdir(folder);
    return file === "" ? "" : readFile(join(folder, file), "utf8");
  };
  it.concurrent("on request while it runs, and when its memory has run out", async ({ expect }) => {
    const folder = await mkdtemp(join(tmpdir(), "report-"));
    const asked = `--report-on-signal --report-signal=SIGHUP --report-directory=${folder}`;
    const exhaust = "const all = []; for (;;) all.push(new Array(1e5).fill(all.length + 0.5));";
    const product = await signing(exhaust, `--max-old-space-size=150 --report-on-fatalerror --report-compact ${asked}`);

    void product.stop("SIGHUP");
    let text = "";
    while (!text.endsWith("}\n")) text = await report(folder).catch(() => "");
    const [first = ""] = await readdir(folder);
    // The report contains the environment, without its secrets.
    expect(JSON.parse(text).environmentVariables).toHaveProperty("EXCHANGE_BASE_URL", sandbox.url);
    leaks.search(text, "a report");
    await rm(join(folder, first));

    await product.stop("SIGUSR2");
    const last = await report(folder);
    expect(JSON.parse(last)).toMatchObject({ header: { event: expect.stringMatching(/memory/i) } });
    leaks.search(last, "a report");
  });
});

interface Entry {
  readonly mutation: string;
  readonly status: string;
  readonly sentTime: string;
  readonly parameters: unknown;
}

const SYMBOLS = ["BTC", "ETH", "SOL", "XRP", "DOGE", "ADA", "LTC", "LINK", "AVAX", "BNB", "SUI"].map((coin) => `${coin}USDT`);

it.concurrent("killed in the middle of a halt it leaves the halt in force, and the next one cancels the rest, each order once", async ({
  expect,
}) => {
  const { uid } = main;
  const folder = mkdtempSync(join(tmpdir(), "killed-"));
  const exchange = await startSandbox({ signedQuery: "decoded", hasPast: false });
  const settings = { EXCHANGE_BASE_URL: exchange.url, ...MAIN_KEYS, JOURNAL_PATH: join(folder, "journal.sqlite") };
  // biome-ignore lint/suspicious/noExplicitAny: the fields depend on each document, and its assertions check them
  const run = async ({ url }: Product, query: string): Promise<any> => (await post(url, { query })).json();
  const PLACE = `mutation { placeOrder(input: { category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "1000" }) {
    outcome userErrors { code } } }`;
  const open = () => {
    exchange.world.advance();
    return [...exchange.world.state.orders.open(uid)].map(({ orderId }) => orderId);
  };
  const waiting = () => {
    exchange.world.advance();
    return [...exchange.world.planStore.waiting(uid)].map(({ planId }) => planId);
  };
  const cancels = async (product: Product): Promise<readonly Entry[]> => {
    const { data } = await run(product, "{ account { journal(first: 200) { nodes { mutation status parameters sentTime } } } }");
    return data.account.journal.nodes.filter(({ mutation }: Entry) => mutation === "cancelOrder");
  };

  const product = await servingProduct(settings);
  expect(await run(product, PLACE)).toMatchObject({ data: { placeOrder: { outcome: "ACCEPTED" } } });
  for (const symbol of [...SYMBOLS, ...SYMBOLS])
    exchange.world.plans.placeEntry({
      ...{ kind: "normal_plan", triggerPrice: exact("0.1"), triggerBy: "market" },
      order: { ...{ uid, category: "USDT-FUTURES", symbol, side: "buy" }, orderType: "market", quantity: exact("200") },
    });
  const ordered = [...open(), ...waiting()];
  const rules = [
    exchange.faults.add({ endpoint: "cancelStrategyOrder", fault: { kind: "latency", delayMs: 1_000 } }),
    exchange.faults.add({ endpoint: "cancelOrderBatch", fault: { kind: "lost-reply" } }),
  ];
  const halting = run(
    product,
    'mutation { haltTrading(input: { allAccounts: true, reason: "drill", cancelOpen: true }) { outcome } }',
  );
  await eventually(() => waiting().length < ordered.length - 1, 60_000);
  product.signal("SIGKILL");
  await expect(halting).rejects.toThrow();
  for (const rule of rules) exchange.faults.remove(rule);
  expect(waiting().length).toBeGreaterThan(0);
  const killedAt = new Date().toISOString();
  const isBefore = ({ sentTime }: Entry): boolean => sentTime <= killedAt;

  const next = await servingProduct(settings);
  await eventually(() => waiting().length === 0 && open().length === 0, 120_000);
  const isOpen = ({ status }: Entry) => status === "SENT" || status === "UNKNOWN";
  await expect.poll(async () => (await cancels(next)).filter(isOpen), { timeout: 90_000, interval: 1_000 }).toEqual([]);
  const entries = await cancels(next);
  for (const id of ordered) {
    const ofOrder = entries.filter(({ parameters }) => JSON.stringify(parameters).includes(id));
    expect(
      ofOrder.map(({ status }) => status),
      id,
    ).toContain("ACCEPTED");
    // A call that was lost with the process is made once more, by the next one.
    for (const of of [ofOrder.filter(isBefore), ofOrder.filter((one) => !isBefore(one))])
      expect(of.length, id).toBeLessThanOrEqual(1);
  }
  expect(entries.filter((one) => !isBefore(one)).length).toBeGreaterThan(0);
  expect(await run(next, PLACE)).toMatchObject({ data: { placeOrder: { userErrors: [{ code: "TRADING_HALTED" }] } } });
  await next.stop();
  await exchange.close();
  await rm(folder, { recursive: true });
}, 240_000);

it.concurrent("nothing that Node itself says of its end holds a secret: an abort", async () => {
  const product = await signing("process.abort()");
  await product.stop("SIGUSR2");
  await eventually(() => product.output().length > 0);
});
