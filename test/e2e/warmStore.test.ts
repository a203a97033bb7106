import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox/credentials";
import { afterAll, beforeAll, expect, it } from "vitest";
import { post } from "../support/gateway/tinyGateway.js";
import { type Product, servingProduct } from "./product.js";

const QUERY = "{ coins { coin } spotSymbols { symbol } discountRates { coin } }";

interface Answer {
  readonly data: object;
  readonly extensions: { readonly exchange: { readonly upstreamCalls: number } };
}

const ask = async ({ url }: Product) => (await (await post(url, { query: QUERY }, { "x-exchange-trace": "1" })).json()) as Answer;
const cacheOf = async ({ url }: Product) => {
  const readiness = await fetch(`${url}/readyz?verbose`);
  const { dependencies } = (await readiness.json()) as {
    dependencies: readonly { name: string; state: string; reason?: string }[];
  };
  return { status: readiness.status, cache: dependencies.find(({ name }) => name === "cache") };
};

let folder: string;
/** One exchange for both starts: the embedded sandbox is a new one at each. */
let sandbox: Sandbox;
let settings: Readonly<Record<string, string>>;
beforeAll(async () => {
  sandbox = await startSandbox();
  const [{ key, secret, passphrase } = { key: "", secret: "", passphrase: "" }] = SANDBOX_CREDENTIALS;
  settings = {
    ...{
      EXCHANGE_BASE_URL: sandbox.url,
      EXCHANGE_API_KEY: key,
      EXCHANGE_API_SECRET: secret,
      EXCHANGE_API_PASSPHRASE: passphrase,
    },
    JOURNAL_PATH: ":memory:",
  };
  folder = mkdtempSync(join(tmpdir(), "warm-store-"));
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

const isUp = (product: Product) =>
  expect.poll(() => cacheOf(product), { timeout: 20_000 }).toMatchObject({ status: 200, cache: { state: "up" } });

it("the built product answers reference data after a second start without a call to the exchange", async () => {
  const CACHE_URL = pathToFileURL(join(folder, "cache.sqlite")).href;
  const first = await servingProduct({ ...settings, CACHE_URL });
  await isUp(first);
  const { data, extensions } = await ask(first);
  expect(extensions.exchange.upstreamCalls).toBe(3);
  expect(await first.stop()).toBe(0);
  const second = await servingProduct({ ...settings, CACHE_URL });
  await isUp(second);
  const again = await ask(second);
  expect(again.data).toEqual(data);
  expect(again.extensions.exchange.upstreamCalls).toBe(0);
  expect(await second.stop()).toBe(0);
  expect(second.output()).not.toMatch(/warn|error/i);
});

it("the built product serves while its store cannot be reached, and names it in /readyz without its password", async () => {
  const product = await servingProduct({ ...settings, CACHE_URL: "redis://gate:p4ssw0rd@127.0.0.1:9" });
  const { extensions } = await ask(product);
  expect(extensions.exchange.upstreamCalls).toBe(3);
  await expect.poll(() => cacheOf(product), { timeout: 10_000 }).toMatchObject({ status: 200, cache: { state: "down" } });
  expect(product.output()).not.toContain("p4ssw0rd");
  expect(await product.stop()).toBe(0);
});
