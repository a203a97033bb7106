import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/datasources/index.js";
import { listen } from "../../../src/instrumentation/instrumentation.js";
import { createLog } from "../../../src/telemetry/logs/log.js";
import { logEvents } from "../../../src/telemetry/logs/logEvents.js";
import { settled } from "../../support/eventually.js";
import { FUND_FLOW, graphGateway } from "../../support/gateway/graphGateway.js";
import { post } from "../../support/gateway/tinyGateway.js";
import { ownInstrumentation } from "../../support/searchedTelemetry.js";

const FLOW = "/api/v2/spot/market/fund-flow";

function eventLog() {
  const lines: string[] = [];
  const clock = new ManualClock(0);
  const events = ownInstrumentation();
  const log = createLog("debug", { write: (line) => lines.push(line) });
  logEvents(log, events, { clock, cancelWithoutJournal: true });
  const written = () =>
    lines.map((line) => {
      const { time: _, ...rest } = JSON.parse(line);
      return rest;
    });
  return { events, clock, written };
}

it.each([
  [true, "redis cannot be used: this replica continues alone"],
  [false, "redis cannot be used, and was not since the start: nothing is sent to the exchange"],
])(
  "one line a minute says that Redis cannot be used, and what that means, however often it comes and goes (%s)",
  (isAlone, line) => {
    const { events, clock, written } = eventLog();
    for (let second = 0; second < 120; second++) {
      events.redis.publish({ kind: "down", why: "connect ECONNREFUSED 127.0.0.1:6379", isAlone });
      if (second % 10 === 9) events.redis.publish({ kind: "up", isNew: false });
      clock.advance(1_000);
    }
    const lines = written().map(({ msg }) => msg);
    expect(lines.filter((one) => one === line)).toHaveLength(2);
    expect(lines.filter((one) => one === "redis can be reached again")).toHaveLength(2);
    expect(lines).toHaveLength(4);
  },
);

it("says once a minute at most that another client uses the same rate limits", () => {
  const { events, clock, written } = eventLog();
  for (let second = 0; second < 120; second++) {
    events.neighbourSign.publish({ sign: "counted", counter: "main", share: 0.5 });
    clock.advance(1_000);
  }
  expect(written()).toMatchObject([
    { level: "warn", counter: "main", share: 0.5 },
    { level: "warn", counter: "main", share: 0.5 },
  ]);
});

it("says when the exchange's clock contradicts this machine's, and once a minute at most that its answers do", () => {
  const { events, written } = eventLog();
  for (let answer = 0; answer < 10; answer++) events.clock.publish({ kind: "contradicted", byMs: 86_400_000 });
  events.clock.publish({ kind: "jumped", byMs: 86_400_000, isWitnessed: false });
  events.clock.publish({ kind: "jumped", byMs: 3_600_000, isWitnessed: true });
  events.clock.publish({ kind: "skewed", byMs: -90_000 });
  expect(written()).toEqual([
    {
      level: "warn",
      byMs: 86_400_000,
      msg: "answers of the exchange contradict its time: it is not changed without further evidence",
    },
    {
      level: "warn",
      byMs: 86_400_000,
      msg: "the exchange's clock has jumped: for a day, limits of a day count by the time before the jump",
    },
    { level: "info", byMs: 3_600_000, msg: "the system clock was set, or stood still: so the exchange's time has jumped" },
    { level: "warn", byMs: -90_000, msg: "the exchange's clock differs from the system clock: one of them is wrong" },
  ]);
});

it("says once which field or value the exchange sends that its interface does not have, in bounded words", () => {
  const { events, written } = eventLog();
  const long = "x".repeat(1_000);
  for (let time = 0; time < 3; time++) {
    events.unknown.publish({ source: "tickers", kind: "field", field: "newFigure" });
    events.unknown.publish({ source: "order", kind: "value", field: "orderStatus", value: "paused" });
    events.unknown.publish({ source: "order", kind: "value", field: "orderStatus", value: long });
  }
  const msg = "the exchange sent a value that its interface does not have";
  expect(written()).toEqual([
    { level: "warn", source: "tickers", field: "newFigure", msg: "the exchange sent a field that its interface does not have" },
    { level: "warn", source: "order", field: "orderStatus", value: "paused", msg },
    { level: "warn", source: "order", field: "orderStatus", value: long.slice(0, 64), msg },
  ]);
  for (let name = 0; name < 1_000; name++) events.unknown.publish({ source: "tickers", kind: "field", field: `field${name}` });
  expect(written().length).toBe(102);
});

it("says which accounts have lost their limits, and where names of one user have different ones", () => {
  const { events, written } = eventLog();
  events.limits.publish({ unlimited: ["trading"], differing: [["main", "main2"]] });
  events.limits.publish({ unlimited: [], differing: [] });
  expect(written()).toEqual([
    { level: "warn", accounts: ["trading"], msg: "accounts that had limits have none any more" },
    {
      level: "warn",
      accounts: ["main", "main2"],
      msg: "accounts of one user have different limits: the strictest of them apply to each",
    },
    { level: "info", msg: "every account that had limits has limits again, and no two of one user have different ones" },
  ]);
});

describe("a background refresh that fails", () => {
  it("is logged once, with endpoint and code, while its client gets the old result", async () => {
    const { events: instrumentation, written } = eventLog();
    let received = 0;
    listen(instrumentation, instrumentation.refreshFailure, () => {
      received++;
    });
    const failures = () => written().filter(({ endpoint }) => endpoint !== undefined);
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
      return { code: "40014", msg: "the key of the account may not do this" };
    });
    expect(await Promise.all([ask("Second"), ask("Third")])).toEqual([before, before]);
    refuse();
    await expect
      .poll(failures)
      .toEqual([
        { level: "warn", endpoint: "spotFundFlow", code: "FORBIDDEN", msg: "a stale answer stays in use: its refresh failed" },
      ]);
    await settled();
    expect(received).toBe(1);
    await graph.close();
  });

  const down = new Fault("EXCHANGE_UNAVAILABLE", "down");

  it("is logged again for another endpoint, and for the same one after a minute", () => {
    const { events, clock, written } = eventLog();
    const fail = (endpoint: string) => events.refreshFailure.publish({ endpoint, error: down });
    for (let use = 0; use < 100; use++) fail("tickers");
    fail("loanDebts");
    clock.advance(59_999);
    fail("tickers");
    expect(written().map(({ endpoint }) => endpoint)).toEqual(["tickers", "loanDebts"]);
    clock.advance(1);
    fail("tickers");
    expect(written().map(({ endpoint }) => endpoint)).toEqual(["tickers", "loanDebts", "tickers"]);
  });

  it("is an internal error if it is not in the registry of faults: each is logged with its stack", () => {
    const { events, written } = eventLog();
    for (let use = 0; use < 2; use++) events.refreshFailure.publish({ endpoint: "tickers", error: new TypeError("broken") });
    expect(written()).toMatchObject([
      { level: "error", endpoint: "tickers", err: { type: "TypeError", message: "broken", stack: expect.any(String) } },
      { level: "error", endpoint: "tickers", err: { type: "TypeError" } },
    ]);
  });
});

describe("a history that could not be recorded", () => {
  it("is logged once a minute: of an error of the exchange its code, and not what it says of an account", () => {
    const { events, clock, written } = eventLog();
    const refused = new Fault("FORBIDDEN", "the key of main is refused");
    for (let interval = 0; interval < 3; interval++) events.history.publish({ kind: "failed", error: refused });
    events.history.publish({ kind: "recorded", points: 2, gaps: 0 });
    clock.advance(60_000);
    events.history.publish({ kind: "failed", error: new Error("the disk is full") });
    expect(written()).toMatchObject([
      { level: "warn", code: "FORBIDDEN" },
      { level: "warn", err: { message: "the disk is full" } },
    ]);
    expect(JSON.stringify(written()[0])).not.toContain("key of main");
  });
});

describe("a past that is being rebuilt", () => {
  it("is logged at each tenth of the way, and at its end", () => {
    const { events, written } = eventLog();
    const rebuilt = (before: string, share: string, status = "RUNNING") =>
      events.history.publish({ kind: "rebuilt", account: "main", points: 50, status, before, share });
    rebuilt("0", "0.0449");
    rebuilt("0.0449", "0.0898");
    rebuilt("0.0898", "0.1348");
    rebuilt("0.1348", "1", "COMPLETE");
    expect(written().map(({ share, status }) => [share, status])).toEqual([
      ["0.0449", "RUNNING"],
      ["0.1348", "RUNNING"],
      ["1", "COMPLETE"],
    ]);
  });
});

describe("a reconciled day", () => {
  const day = { kind: "reconciled", account: "main", day: "2026-01-02", differences: [], unchecked: [] } as const;

  it("is logged with what does not agree, and with what could not be compared; an equal one is not", () => {
    const { events, written } = eventLog();
    events.history.publish(day);
    const missing = { kind: "FILLS_INCOMPLETE", orderId: "7", expected: "0.2", found: "0.1" };
    events.history.publish({ ...day, differences: Array.from({ length: 25 }, () => missing) });
    events.history.publish({ ...day, unchecked: ["fills: UNREADABLE"] });
    const [different, unchecked, ...others] = written();
    expect(different).toMatchObject({ level: "warn", account: "main", day: "2026-01-02", count: 25 });
    expect(different?.differences).toEqual(Array.from({ length: 20 }, () => missing));
    expect(unchecked).toMatchObject({ level: "warn", account: "main", day: "2026-01-02", unchecked: ["fills: UNREADABLE"] });
    expect(others).toEqual([]);
  });
});
