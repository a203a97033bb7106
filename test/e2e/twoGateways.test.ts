import { performance } from "node:perf_hooks";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { post } from "../support/ask.js";
import { MAIN_KEYS, type Product, servingProduct } from "./product.js";

/** Duration of the load before refusals are counted, and of the count. */
const NOTICING_MS = 5_000;
const COUNTED_MS = 3_000;
/** Queries that each gateway always has in progress: more than the limit allows. */
const AT_ONCE = 12;

let sandbox: Sandbox;
let products: readonly Product[];
beforeAll(async () => {
  sandbox = await startSandbox({ hasPast: false });
  const settings = {
    EXCHANGE_BASE_URL: sandbox.url,
    ...MAIN_KEYS,
  };
  products = await Promise.all([servingProduct(settings), servingProduct(settings)]);
});
afterAll(async () => {
  await Promise.all(products.map((product) => product.stop()));
  await sandbox.close();
});

let asked = 0;
async function ask({ url }: Product, query: string): Promise<unknown> {
  const response = await post(url, { query });
  return response.json();
}

/** Keeps a gateway busy with uncached queries. */
async function busy(product: Product, until: number): Promise<void> {
  const worker = async () => {
    while (performance.now() < until) {
      const [from, to] = [2, 1].map((hours) => new Date(Date.now() - hours * 3_600_000 - asked * 1_000).toISOString());
      asked++;
      const range = `from: "${from}", to: "${to}"`;
      await ask(product, `{ account { orderHistory(category: SPOT, ${range}, first: 1) { nodes { orderId } } } }`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

it("two gateways with the same keys notice each other, share the limits, and say so", async () => {
  const start = performance.now();
  const both = (until: number) => Promise.all(products.map((product) => busy(product, until)));
  await both(start + NOTICING_MS);
  const noticed = sandbox.calls.of("orderHistory");
  await both(start + NOTICING_MS + COUNTED_MS);
  const after = sandbox.calls.of("orderHistory");
  const answered = after.succeeded - noticed.succeeded;
  expect(answered).toBeGreaterThan(10);
  expect(after.limited - noticed.limited).toBeLessThanOrEqual(answered * 0.05);
  for (const product of products) {
    expect(await ask(product, "{ exchange { sharedCounters { counter share } } }")).toMatchObject({
      data: { exchange: { sharedCounters: [{ counter: "main", share: expect.stringMatching(/^0\.(?:5|25|125|\d+)$/) }] } },
    });
    expect(product.output()).toContain("another client uses the same rate limits");
    expect(await (await fetch(`${product.url}/metrics`)).text()).toMatch(/^exchange_graph_budget_share 0\.\d+$/m);
  }
});
