import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/datasources/index.js";
import { listen } from "../../../src/instrumentation/instrumentation.js";
import { createLog } from "../../../src/telemetry/logs/log.js";
import { RefreshLog } from "../../../src/telemetry/logs/refreshLog.js";
import { settled } from "../../support/eventually.js";
import { FUND_FLOW, graphGateway } from "../../support/gateway/graphGateway.js";
import { post } from "../../support/gateway/tinyGateway.js";
import { ownInstrumentation } from "../../support/searchedTelemetry.js";

const FLOW = "/api/v2/spot/market/fund-flow";

function refreshLog() {
  const lines: string[] = [];
  const clock = new ManualClock(0);
  const log = new RefreshLog(createLog("debug", { write: (line) => lines.push(line) }), clock);
  const written = () =>
    lines.map((line) => {
      const { time: _, ...rest } = JSON.parse(line);
      return rest;
    });
  return { log, clock, written };
}

describe("a background refresh that fails", () => {
  it("is written down once, with endpoint and code, while its client gets the old answer", async () => {
    const { log, written } = refreshLog();
    let told = 0;
    const instrumentation = ownInstrumentation();
    listen(instrumentation, instrumentation.refreshFailure, ({ endpoint, error }) => {
      told++;
      log.failed(endpoint, error);
    });
    const graph = await graphGateway({ instrumentation });
    const ask = async (name: string) =>
      (await post(graph.url, { query: `query ${name} { spotFundFlow(symbol: "BTCUSDT") { fish { buyVolume } } }` })).json();
    graph.upstream.on(FLOW, { data: FUND_FLOW });
    const before = await ask("First");
    graph.clock.advance(2_000);
    let refuse = (): void => undefined;
    const refused = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    graph.upstream.on(FLOW, async () => {
      await refused;
      return { code: "40014", msg: "the key main-key may not do this" };
    });
    expect(await Promise.all([ask("Second"), ask("Third")])).toEqual([before, before]);
    refuse();
    await expect
      .poll(written)
      .toEqual([
        { level: "warn", endpoint: "spotFundFlow", code: "FORBIDDEN", msg: "an old answer stays in use: its refresh failed" },
      ]);
    await settled();
    expect(told).toBe(1);
    await graph.close();
  });

  const down = new Fault("EXCHANGE_UNAVAILABLE", "down");

  it("is written down again for another endpoint, and for the same after a minute", () => {
    const { log, clock, written } = refreshLog();
    for (let use = 0; use < 100; use++) log.failed("tickers", down);
    log.failed("loanDebts", down);
    clock.advance(59_999);
    log.failed("tickers", down);
    expect(written().map(({ endpoint }) => endpoint)).toEqual(["tickers", "loanDebts"]);
    clock.advance(1);
    log.failed("tickers", down);
    expect(written().map(({ endpoint }) => endpoint)).toEqual(["tickers", "loanDebts", "tickers"]);
  });

  it("is an error of ours when it is no fault of the registry: each is written down, with its stack", () => {
    const { log, written } = refreshLog();
    for (let use = 0; use < 2; use++) log.failed("tickers", new TypeError("broken"));
    expect(written()).toMatchObject([
      { level: "error", endpoint: "tickers", err: { type: "TypeError", message: "broken", stack: expect.any(String) } },
      { level: "error", endpoint: "tickers", err: { type: "TypeError" } },
    ]);
  });
});
