import { describe, expect, it } from "vitest";
import { startedForEach } from "../support/started.js";
import { startLiveGraph } from "./support/liveGraph.js";

const live = startedForEach(() => startLiveGraph({ hasPast: false }));

const EXCHANGE = `{ exchange {
  time clockSkewMs accounts { name mode } budgets { endpoint counter limit windowMs left waiting }
  breakers { endpoint status } cache { hits misses hitRatio }
  streams { stream topics live } connections { apiVersion account status topics }
} }`;

const OVERALL = { endpoint: "(all)", counter: "IP", limit: 500, windowMs: 5_000, left: 500, waiting: 0 };

describe("exchange", () => {
  it("makes no upstream call, also before the first one", async () => {
    const { data, reads } = await live.answer(EXCHANGE);
    expect(reads).toEqual([]);
    expect(data.exchange).toEqual({
      time: new Date(live.now()).toISOString(),
      clockSkewMs: null,
      accounts: [
        { name: "main", mode: null },
        { name: "classic", mode: null },
        { name: "broker", mode: null },
      ],
      budgets: [OVERALL],
      breakers: [],
      cache: { hits: 0, misses: 0, hitRatio: null },
      streams: [],
      connections: [],
    });
  });

  it("shows the use of each budget, and the calls saved by the cache", async () => {
    const totals = '{ account(name: "main") { earn { savings { totals { amountBtc } } } } }';
    for (let time = 0; time < 3; time++) await live.run(totals);
    const { data } = await live.run(EXCHANGE);
    expect(data.exchange).toMatchObject({
      clockSkewMs: 0,
      budgets: [
        { ...OVERALL, left: 499 },
        { endpoint: "savingsAccount", counter: "main", limit: 10, windowMs: 1_000, left: 9, waiting: 0 },
      ],
      cache: { hits: 2, misses: 1, hitRatio: "0.6666" },
    });
  });

  it("shows which limits another client uses too, and the share that is left", async () => {
    const { knownUsers, scheduler, accounts } = live.exchange;
    for (const account of accounts.slice(0, 1)) scheduler.neighbours.noticed(knownUsers.idOf(account), "refused");
    const { data } = await live.run("{ exchange { sharedCounters { counter share } } }");
    expect(data.exchange.sharedCounters).toEqual([{ counter: "main", share: "0.5" }]);
  });

  it("shows the clock offset, even if it is years", async () => {
    const years = 5 * 365 * 86_400_000;
    live.exchange.clock.observe(live.now(), live.now(), live.now() - years);
    const { data } = await live.answer("{ exchange { clockSkewMs } }");
    expect(data.exchange.clockSkewMs).toBe(-years);
  });

  it("shows which endpoint is suspended after repeated failures", async () => {
    live.sandbox.faults.add({ endpoint: "marginPairs", fault: { kind: "answer", status: 502, body: "" } });
    // Each read is retried after a pause, for which the clock must advance.
    const failing = live.run("{ marginPairs { symbol } }");
    const { errors } = await live.while(failing);
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(["EXCHANGE_UNAVAILABLE"]);
    await live.while(live.run("{ marginPairs { symbol } }"));
    expect((await live.run(EXCHANGE)).data.exchange.breakers).toEqual([{ endpoint: "marginPairs", status: "OPEN" }]);
  });
});

it("does not know its clients yet", async () => {
  const { data } = await live.run("{ viewer { name isAnonymous environment { name kind } } }");
  expect(data.viewer).toEqual({ name: null, isAnonymous: true, environment: { name: expect.any(String), kind: "REAL" } });
});
