import { afterEach, describe, expect, it } from "vitest";
import type { OperationRecorder } from "../../src/instrumentation/operationRecorder.js";
import { FUND_FLOW, type GraphGateway, graphGateway } from "../support/gateway/graphGateway.js";
import { post } from "../support/gateway/tinyGateway.js";
import { ownInstrumentation } from "../support/searchedTelemetry.js";

const FLOW = "/api/v2/spot/market/fund-flow";
const SETTINGS = { uid: "1", accountMode: "unified", symbolConfigList: [], coinConfigList: [] };
const CANCEL = `mutation { cancelOrder(input: { account: "main", category: SPOT, symbol: "BTCUSDT", by: { orderId: "1" } }) { outcome } }`;
const REQUESTS = [
  `{ spotFundFlow(symbol: "BTCUSDT") { fish { buyVolume } } }`,
  `{ spotFundFlow(symbol: "BTCUSDT") { fish { buyVolume } } }`,
  "{ nope }",
  "{ discountRates { coin } }",
  CANCEL,
];
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const WRITE = `00-${TRACE}-b7ad6b7169203331-01`;

/** Records everything under one trace. */
const recorder: OperationRecorder = {
  begin: () => ({
    traceId: TRACE,
    resolving: () => undefined,
    newWrite: () => WRITE,
    calling: () => undefined,
    ended: () => undefined,
  }),
  reused: () => TRACE,
};

const open: GraphGateway[] = [];
afterEach(async () => {
  for (const gateway of open.splice(0)) await gateway.close();
});

/** The answers of a gateway, the trace of the write in its journal, and those of the audit's lines before it. */
async function run(isObserved: boolean, isRecorded = true) {
  const instrumentation = ownInstrumentation();
  const lines: string[] = [];
  const gateway = await graphGateway({ instrumentation }, { lines, isObserved, ...(isRecorded ? { recorder } : {}) });
  open.push(gateway);
  const listened = Object.entries(instrumentation).flatMap(([name, { hasSubscribers }]) => (hasSubscribers ? [name] : []));
  gateway.upstream.on(FLOW, { data: FUND_FLOW });
  gateway.upstream.on("/api/v3/account/settings", { data: SETTINGS });
  gateway.upstream.on("/api/v3/trade/cancel-order", { data: { orderId: "1", clientOid: "1" } });
  const answers: { status: number; type: string | null; body: unknown }[] = [];
  for (const query of REQUESTS) {
    const response = await gateway.while(post(gateway.url, { query }));
    answers.push({ status: response.status, type: response.headers.get("content-type"), body: await response.json() });
  }
  const entries = await gateway.exchange.writes.journal.page("1", undefined, 10);
  const intents = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "intent");
  return {
    listened,
    answers,
    written: entries.map(({ traceparent }) => traceparent),
    audited: intents.map(({ traceId }) => traceId),
  };
}

describe("without a listener on any channel", () => {
  it("a gateway answers, writes, audits and names traces as one with all of them", async () => {
    const { listened: all, ...observed } = await run(true);
    const { listened: none, ...unobserved } = await run(false);
    expect([all.length > 10, none]).toEqual([true, []]);
    expect(observed).toMatchObject({ written: [WRITE], audited: [TRACE] });
    expect(observed.answers.map(({ status }) => status)).toEqual([200, 200, 400, 200, 200]);
    expect(unobserved).toEqual(observed);
  });

  it("nothing is named that is not recorded", async () => {
    expect(await run(false, false)).toMatchObject({ written: [null], audited: [undefined] });
  });
});
