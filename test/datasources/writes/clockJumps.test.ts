import { DAY_MS } from "@exchange-graph/contract/clock";
import { afterEach, describe, expect, it } from "vitest";
import type { TradingLimits } from "../../../src/datasources/writes/limits/tradingLimits.js";
import { temporaryFiles } from "../../support/temporaryFiles.js";
import { place, resting } from "./support/limitOrder.js";
import { type LiveExchange, startLiveExchange, UID } from "./support/liveExchange.js";

let live: LiveExchange;
afterEach(() => live.close());
const newFile = temporaryFiles();

const start = async (limits: TradingLimits, journalPath = ":memory:") => {
  live = await startLiveExchange({ limits: { accounts: new Map([["main", limits]]), clients: new Map() }, journalPath });
};
const btc = (most: string) => ({ coins: new Map([["BTC", most]]) });

/** Sets the exchange's clock ahead of everybody else's. */
async function skew(skewMs: number): Promise<void> {
  const headers = { "content-type": "application/json" };
  await fetch(`${live.sandbox.url}/sandbox/clock`, { method: "POST", headers, body: JSON.stringify({ skewMs }) });
}

let orders = 0;
/** Places orders one after the other; returns their outcomes, or what was said of them. */
async function placeSome(count: number): Promise<readonly string[]> {
  const outcomes: string[] = [];
  for (let at = 0; at < count; at++) {
    const { outcome, problems } = await live.during(place(live, resting(`order-${orders++}`)));
    outcomes.push(problems[0]?.message ?? String(outcome));
  }
  return outcomes;
}
const open = () => [...live.sandbox.world.state.orders.open(UID.main)].length;

describe("while the exchange's clock jumps", () => {
  it("a limit of the day never starts again: ahead, right, and ahead again", async () => {
    await start({ day: btc("0.005") });
    await placeSome(2);
    for (const skewMs of [DAY_MS, 0, DAY_MS, 0, -DAY_MS, 0]) {
      await skew(skewMs);
      await placeSome(4);
      expect(open()).toBeLessThanOrEqual(5);
    }
    // The first order after each jump is refused for its time, and counts until that is certain.
    await live.pass(60_000);
    await placeSome(4);
    expect(open()).toBe(5);
  });

  it("nor does it after a restart while the clock is ahead", async () => {
    await start({ day: btc("0.005") }, newFile());
    await placeSome(5);
    await skew(DAY_MS);
    await live.restart();
    await placeSome(4);
    await skew(0);
    await placeSome(4);
    expect(open()).toBe(5);
  });

  it("a limit of the day starts again once a day has passed by every clock", async () => {
    await start({ day: btc("0.003") });
    await placeSome(4);
    await skew(DAY_MS);
    await placeSome(4);
    expect(open()).toBe(3);
    live.clock.advance(DAY_MS);
    await placeSome(4);
    expect(open()).toBe(6);
  });

  it("a snapshot of open orders from the future is not used", async () => {
    await start({ open: btc("0.005") });
    await skew(DAY_MS);
    await placeSome(2);
    await skew(0);
    await placeSome(8);
    expect(open()).toBe(4);
  });

  it("the first order of a gateway that was idle meanwhile is accepted", async () => {
    await start({});
    await placeSome(4);
    for (const skewMs of [DAY_MS, 0]) {
      await live.pass(60_000);
      await skew(skewMs);
      expect(await placeSome(1)).toEqual(["ACCEPTED"]);
    }
  });

  it("orders are accepted again after the first refusal shows the new time", async () => {
    await start({});
    await placeSome(1);
    for (const skewMs of [DAY_MS, 0]) {
      await skew(skewMs);
      expect((await placeSome(3)).slice(1)).toEqual(["ACCEPTED", "ACCEPTED"]);
    }
  });
});
