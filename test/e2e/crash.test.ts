import { mkdtempSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exact } from "@exchange-graph/contract/decimal";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
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
  it.each([
    [
      "an error with a request on it, and on its cause",
      `throw Object.assign(new Error("boom", { cause: Object.assign(new Error("inner"), ${HELD}) }), ${HELD})`,
      '"message":"inner"',
    ],
    ["a rejection with a text", `Promise.reject(${JSON.stringify(main.secret)})`, "something that is not an error"],
  ])("says what it was, in one line without secrets, and exits with 1: %s", async (_, code, said) => {
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
  it("on request while it runs, and when its memory has run out", async () => {
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

// These wait most of their time, for the exchange and for what cannot arrive any more: they wait together.
it.concurrent("the exchange cancels every order of a gateway that was killed with its dead man's switch armed", async () => {
  const exchange = await startSandbox({ hasPast: false });
  const product = await servingProduct({ EXCHANGE_BASE_URL: exchange.url, ...MAIN_KEYS });
  const run = async (mutation: string): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ query: `mutation { ${mutation} { outcome } }` });
    return (await fetch(`${product.url}/graphql`, { method: "POST", headers, body })).json();
  };
  const order = 'category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "1000"';
  const open = () => {
    exchange.world.advance();
    return [...exchange.world.state.orders.open(main.uid)].length;
  };
  expect(await run(`placeOrder(input: { ${order} })`)).toMatchObject({ data: { placeOrder: { outcome: "ACCEPTED" } } });
  const armed = await run("armDeadMansSwitch(input: { seconds: 10 })");
  expect(armed).toMatchObject({ data: { armDeadMansSwitch: { outcome: "ACCEPTED" } } });
  await eventually(() => exchange.calls.of("countdownCancelAll").succeeded >= 3, 30_000);
  expect(open()).toBe(1);
  await product.stop("SIGKILL");
  await eventually(() => open() === 0, 60_000);
  await exchange.close();
});

interface Entry {
  readonly mutation: string;
  readonly status: string;
  readonly clientOid: string | null;
  readonly sentTime: string;
  readonly parameters: unknown;
}

const NAMES = ["s1", "s2", "s3", "f1", "f2", "f3"];
const SYMBOLS = ["BTC", "ETH", "SOL", "XRP", "DOGE", "ADA", "LTC", "LINK", "AVAX", "BNB", "SUI"].map((coin) => `${coin}USDT`);

it.concurrent.each(SANDBOX_CREDENTIALS.slice(0, 2).map((keys, at) => ({ ...keys, mode: at === 0 ? "unified" : "Classic" })))(
  "killed on a $mode account, in the middle of a batch it has one entry with its outcome for each order, and no order twice; of a " +
    "halt it leaves it in force, and the next one cancels the rest, each order once",
  { timeout: 400_000 },
  async ({ key, secret, passphrase, uid, mode }) => {
    const folder = mkdtempSync(join(tmpdir(), "killed-"));
    const exchange = await startSandbox({ signedQuery: "decoded", hasPast: false });
    const gateway = () =>
      servingProduct({
        ...{ EXCHANGE_BASE_URL: exchange.url, EXCHANGE_API_KEY: key, EXCHANGE_API_SECRET: secret },
        ...{ EXCHANGE_API_PASSPHRASE: passphrase, JOURNAL_PATH: join(folder, "journal.sqlite") },
      });
    // biome-ignore lint/suspicious/noExplicitAny: the fields depend on each document, and its assertions check them
    const run = async ({ url }: Product, query: string): Promise<any> => {
      const headers = { "content-type": "application/json" };
      return (await fetch(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) })).json();
    };
    const orders = () => {
      exchange.world.advance();
      const { orders: all } = exchange.world.state;
      return [...all.open(uid), ...all.finished(uid)].filter(({ clientOid }) => NAMES.includes(clientOid));
    };
    const isOpen = (name: string): boolean =>
      [...exchange.world.state.orders.open(uid)].some(({ clientOid }) => clientOid === name);
    const waiting = () => {
      exchange.world.advance();
      return [...exchange.world.planStore.waiting(uid)].map(({ planId }) => planId);
    };
    const entries = async (product: Product): Promise<readonly Entry[]> => {
      const { data } = await run(
        product,
        "{ account { journal(first: 200) { nodes { mutation status clientOid parameters sentTime } } } }",
      );
      return data.account.journal.nodes;
    };
    const settled = (product: Product): Promise<readonly Entry[]> =>
      vi.waitFor(
        async () => {
          const all = await entries(product);
          expect(all.filter(({ status }) => status === "SENT" || status === "UNKNOWN")).toEqual([]);
          return all;
        },
        { timeout: 120_000, interval: 250 },
      );
    /** Returns the gateway that was started next. */
    const killInABatch = async (): Promise<Product> => {
      const batches = ["placeOrderBatch", "classicPlaceSpotOrderBatch", "classicPlaceFuturesOrderBatch"];
      const rules = batches.map((endpoint) => exchange.faults.add({ endpoint, fault: { kind: "lost-reply" } }));
      // The exchange gets this one when the gateway is gone.
      rules.push(
        exchange.faults.add({ endpoint: "classicPlaceFuturesOrderBatch", fault: { kind: "latency", delayMs: 1_000 }, times: 1 }),
      );
      const product = await gateway();
      const order = (name: string) =>
        `{ clientOid: "${name}", side: BUY, orderType: LIMIT, price: "1000", ${
          name.startsWith("s")
            ? 'category: SPOT, symbol: "BTCUSDT", qty: "0.001"'
            : 'category: USDT_FUTURES, symbol: "ETHUSDT", qty: "0.01"'
        } }`;
      const placing = run(
        product,
        `mutation { placeOrders(input: { orders: [${NAMES.map(order).join()}] }) { orders { outcome } } }`,
      );
      await eventually(() => orders().length > 0, 60_000);
      product.signal("SIGKILL");
      await expect(placing).rejects.toThrow();
      for (const rule of rules) exchange.faults.remove(rule);

      const next = await gateway();
      const placed = await settled(next);
      expect(placed.map(({ clientOid }) => clientOid).sort()).toEqual([...NAMES].sort());
      expect(
        orders()
          .map(({ clientOid }) => clientOid)
          .sort(),
      ).toEqual(placed.flatMap(({ clientOid, status }) => (status === "ACCEPTED" ? [clientOid] : [])).sort());
      expect(placed.filter(({ status }) => status === "ACCEPTED").length).toBeGreaterThanOrEqual(3);
      return next;
    };
    const killInAHalt = async (product: Product): Promise<void> => {
      const plans = SYMBOLS.flatMap((symbol) =>
        (["normal_plan", mode === "Classic" ? "track_plan" : "normal_plan"] as const).map((kind) => ({ symbol, kind })),
      ).map(
        ({ symbol, kind }) =>
          exchange.world.plans.placeEntry({
            ...{ kind, triggerPrice: exact("0.1"), triggerBy: "market" },
            ...(kind === "track_plan" && { callbackPercent: exact("1") }),
            order: { ...{ uid, category: "USDT-FUTURES", symbol, side: "buy" }, orderType: "market", quantity: exact("200") },
          }).planId,
      );
      expect(orders().some(({ clientOid }) => isOpen(clientOid))).toBe(true);
      const slow = ["cancelStrategyOrder", "classicCancelPlanOrders"].map((endpoint) =>
        exchange.faults.add({ endpoint, fault: { kind: "latency", delayMs: 1_000 } }),
      );
      const lost = ["cancelOrderBatch", "classicCancelSpotOrderBatch", "classicCancelFuturesOrderBatch"].map((endpoint) =>
        exchange.faults.add({ endpoint, fault: { kind: "lost-reply" } }),
      );
      const halting = run(
        product,
        'mutation { haltTrading(input: { allAccounts: true, reason: "drill", cancelOpen: true }) { outcome } }',
      );
      await eventually(() => waiting().length < plans.length, 60_000);
      product.signal("SIGKILL");
      await expect(halting).rejects.toThrow();
      for (const rule of [...slow, ...lost]) exchange.faults.remove(rule);
      expect(waiting().length).toBeGreaterThan(0);
      const killedAt = new Date().toISOString();
      const isBefore = ({ sentTime }: Entry): boolean => sentTime <= killedAt;

      const next = await gateway();
      await eventually(() => waiting().length === 0 && !orders().some(({ clientOid }) => isOpen(clientOid)), 120_000);
      const cancels = (await settled(next)).filter(({ mutation }) => mutation === "cancelOrder");
      for (const id of [...plans, ...orders().map(({ orderId }) => orderId)]) {
        const ofOrder = cancels.filter(({ parameters }) => JSON.stringify(parameters).includes(id));
        expect(
          ofOrder.map(({ status }) => status),
          id,
        ).toContain("ACCEPTED");
        // A call that was lost with the process is made once more, by the next one.
        for (const entries of [ofOrder.filter(isBefore), ofOrder.filter((one) => !isBefore(one))])
          expect(entries.length, id).toBeLessThanOrEqual(1);
      }
      expect(cancels.filter((one) => !isBefore(one)).length).toBeGreaterThan(0);
      const { data } = await run(
        next,
        `mutation { placeOrder(input: { category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "1000" }) {
          userErrors { code } } }`,
      );
      expect(data.placeOrder.userErrors).toEqual([{ code: "TRADING_HALTED" }]);
      await next.stop();
    };
    await killInAHalt(await killInABatch());
    await exchange.close();
    await rm(folder, { recursive: true });
  },
);

it("nothing that Node itself says of its end holds a secret: an abort", async () => {
  const product = await signing("process.abort()");
  await product.stop("SIGUSR2");
  await eventually(() => product.output().length > 0);
});
