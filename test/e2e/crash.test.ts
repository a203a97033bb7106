import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SANDBOX_CREDENTIALS, type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  const response = await fetch(`${product.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "{ account { totalEquity } }" }),
  });
  expect(await response.json()).toMatchObject({ data: { account: { totalEquity: expect.any(String) } } });
  return product;
}

const HELD = JSON.stringify({ headers: { "ACCESS-KEY": main.key }, passphrase: main.passphrase });

describe("the gateway that ends by an uncaught error", { timeout: 60_000 }, () => {
  it.each([
    [
      "an error with a request on it, and on its cause",
      `throw Object.assign(new Error("boom", { cause: Object.assign(new Error("inner"), ${HELD}) }), ${HELD})`,
      '"message":"inner"',
    ],
    ["a text that is thrown", `throw ${JSON.stringify(main.secret)}`, "something that is not an error"],
    ["a rejection", `Promise.reject(Object.assign(new Error("boom"), ${HELD}))`, '"message":"boom"'],
    ["a rejection with a text", `Promise.reject(${JSON.stringify(main.secret)})`, "something that is not an error"],
  ])("says what it was, in one line without secrets, and exits with 1: %s", async (_, code, said) => {
    const product = await signing(code);
    expect(await product.stop("SIGUSR2")).toBe(1);
    const last = product.output().trimEnd().split("\n").at(-1) ?? "";
    expect(JSON.parse(last)).toMatchObject({ level: "fatal", msg: "the process ends: unexpected error" });
    expect(last).toContain(said);
  });
});

describe("a diagnostic report of the gateway holds no secret", { timeout: 60_000 }, () => {
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

it("the exchange cancels every order of a gateway that was killed with its dead man's switch armed", {
  timeout: 90_000,
}, async () => {
  const product = await servingProduct({ EXCHANGE_BASE_URL: sandbox.url, ...MAIN_KEYS });
  const run = async (mutation: string): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ query: `mutation { ${mutation} { outcome } }` });
    return (await fetch(`${product.url}/graphql`, { method: "POST", headers, body })).json();
  };
  const order = 'category: SPOT, symbol: "BTCUSDT", side: BUY, orderType: LIMIT, qty: "0.001", price: "1000"';
  const open = () => {
    sandbox.world.advance();
    return [...sandbox.world.state.orders.open(main.uid)].length;
  };
  expect(await run(`placeOrder(input: { ${order} })`)).toMatchObject({ data: { placeOrder: { outcome: "ACCEPTED" } } });
  const armed = await run("armDeadMansSwitch(input: { seconds: 10 })");
  expect(armed).toMatchObject({ data: { armDeadMansSwitch: { outcome: "ACCEPTED" } } });
  await eventually(() => sandbox.calls.of("countdownCancelAll").succeeded >= 3, 30_000);
  expect(open()).toBe(1);
  await product.stop("SIGKILL");
  await eventually(() => open() === 0, 60_000);
});

it("nothing that Node itself says of its end holds a secret: an abort", { timeout: 60_000 }, async () => {
  const product = await signing("process.abort()");
  await product.stop("SIGUSR2");
  await eventually(() => product.output().length > 0);
});
