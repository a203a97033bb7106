import { Session } from "node:inspector/promises";
import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { START } from "../datasources/streams/support/followed.js";
import { type LiveGateway, liveGateway } from "../support/gateway/liveGateway.js";

/** A file of the gateway, with its path below `src`; those of packages and tests are none. */
const GATEWAY_FILE = /^file:(?!.*\/packages\/).*\/src\/(.*)\.(?:js|ts)$/;

let gateway: LiveGateway;
const session = new Session();

beforeAll(async () => {
  gateway = await liveGateway("v3", {}, START, SANDBOX_CREDENTIALS, true);
  session.connect();
  await session.post("Profiler.enable");
  // Started once: each start throws away all optimised code.
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
});

afterAll(async () => {
  await session.post("Profiler.stopPreciseCoverage");
  session.disconnect();
  await gateway.close();
});

/** The files in which a function runs during a task. */
async function filesOf(task: () => Promise<unknown>): Promise<readonly string[]> {
  // Taking the counts resets them.
  await session.post("Profiler.takePreciseCoverage");
  await task();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return result.flatMap(({ url, functions }) => {
    const [, path] = GATEWAY_FILE.exec(url) ?? [];
    return path !== undefined && functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0) ? [path] : [];
  });
}

/** Asks over HTTP, and lets time pass until the answer is there. */
async function ask(query: string, variables: object): Promise<unknown> {
  let answer: unknown;
  const headers = { "content-type": "application/json" };
  void fetch(`${gateway.url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query, variables }) })
    .then((response) => response.json())
    .then((body) => {
      answer = body;
    });
  await gateway.until(() => answer !== undefined);
  return answer;
}

// The first two runs are not counted: they make what is made once per document.
it.each([
  {
    way: "a query of cached data",
    most: 60,
    query: "query ($values: [String!]) { spotSymbols(symbols: $values) { status } }",
    values: ["BTCUSDT", "ETHUSDT", ["BTCUSDT", "ETHUSDT"], ["ETHUSDT", "BTCUSDT"]],
    data: { spotSymbols: expect.any(Array) },
  },
  {
    way: "a query with a call to the exchange",
    most: 80,
    query: "query ($values: String) { account { loans { ongoing(orderId: $values) { ltv } } } }",
    values: ["1", "2", "3", "4"],
    data: { account: { loans: { ongoing: [] } } },
  },
  {
    way: "a mutation",
    most: 100,
    query:
      'mutation ($values: String!) { cancelOrder(input: { category: SPOT, symbol: "BTCUSDT", by: { orderId: $values } }) { outcome } }',
    values: ["1", "2", "3", "4"],
    data: { cancelOrder: { outcome: "REJECTED" } },
  },
])("$way passes at most $most files of the gateway", async ({ query, values, data, most }) => {
  const ways: (readonly string[])[] = [];
  for (const value of values) {
    let answer: unknown;
    const files = await filesOf(async () => {
      answer = await ask(query, { values: value });
    });
    expect(answer).toMatchObject({ data });
    ways.push(files);
  }
  const [, , one = [], other = []] = ways;
  // What other tests of this worker have left running passes once, and does not count.
  const files = one.filter((file) => other.includes(file));
  expect(files).toContain("gateway");
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(most);
});

it("an event of a ticker passes at most 29 files of the gateway, with those of timers that are due meanwhile", async () => {
  const query = 'subscription { ticker(category: SPOT, symbol: "BTCUSDT") { ticker { lastPrice } } }';
  const { events, leave } = gateway.subscribe(gateway.client(), query);
  await gateway.until(() => events.length > 1);
  const next = () => {
    const before = events.length;
    return filesOf(() => gateway.until(() => events.length > before));
  };
  const [one, other] = [await next(), await next()];
  const files = one.filter((file) => other.includes(file));
  expect(files).toContain("datasources/streams/topicHub");
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(29);
  leave();
});
