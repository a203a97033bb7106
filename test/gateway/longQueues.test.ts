import { DAY_MS } from "@exchange-graph/contract/clock";
import { afterEach, beforeEach, expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { accountNamed } from "../support/exchangeOver.js";
import { type GraphGateway, graphGateway } from "../support/gateway/graphGateway.js";
import { post } from "../support/gateway/tinyGateway.js";

const HISTORY = "/api/v3/position/history-position";
const KEPT_MS = 90 * DAY_MS;
/** Calls a second that the exchange allows of this endpoint. */
const LIMIT = 20;

let gateway: GraphGateway;
let release = (): void => undefined;
beforeEach(async () => {
  gateway = await graphGateway({ accounts: [accountNamed("main")], deadlineMs: 30_000, connections: 2 * LIMIT });
  gateway.upstream.on("/api/v3/account/settings", () => ({
    data: { uid: "1", accountMode: "unified", holdMode: "one_way_mode" },
    requestTime: gateway.clock.now(),
  }));
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // As the exchange: what starts before its history is refused, by its time when the call arrives.
  gateway.upstream.on(HISTORY, async ({ query }) => {
    if (query.get("symbol") !== null) await released;
    const requestTime = gateway.clock.now();
    if (Number.parseInt(query.get("startTime") ?? "", 10) >= requestTime - KEPT_MS)
      return { data: { list: [], cursor: null }, requestTime };
    return { code: "40704", msg: "Only check the data of the last three months", requestTime };
  });
});
afterEach(() => gateway.close());

const at = (ms: number): string => `"${new Date(ms).toISOString()}"`;

it.each<[string, (now: number) => string, number]>([
  ["of 90 days", (now) => `from: ${at(now - KEPT_MS)}`, 3],
  ["of as long as the exchange keeps data, by default", () => "", 3],
  ["of the oldest days", (now) => `from: ${at(now - KEPT_MS)}, to: ${at(now - KEPT_MS + 10 * DAY_MS)}`, 1],
])("a range %s that waits for its rate budget starts where the history does when its calls leave", async (_, range, calls) => {
  const ask = async (selection: string) => {
    const query = `{ account { positionHistory(category: USDT_FUTURES, first: 1, ${selection}) { nodes { symbol } } } }`;
    return (await post(gateway.url, { query })).json();
  };
  const now = gateway.clock.now();
  const others = Array.from({ length: LIMIT }, (__, other) => ask(`symbol: "S${other}USDT", from: ${at(now - DAY_MS)}`));
  await eventually(() => gateway.upstream.callsOf(HISTORY).length === LIMIT);
  const asked = ask(range(now));
  await eventually(() => gateway.exchange.scheduler.buckets().some(({ waiting }) => waiting === 1));
  gateway.clock.advance(12_000);
  release();
  const { data, errors } = await gateway.while(asked);
  expect(errors).toBeUndefined();
  expect(data.account.positionHistory.nodes).toEqual([]);
  // A call for each window of 30 days, and none for the moments that have passed.
  expect(gateway.upstream.callsOf(HISTORY)).toHaveLength(LIMIT + calls);
  await gateway.while(Promise.all(others));
});
