import { subAccountSpotAssets } from "@exchange-graph/contract/broker";
import { cancelOrder } from "@exchange-graph/contract/orderWrites";
import { beforeAll, describe, expect, it } from "vitest";
import { pollFleet } from "../../../bench/dashboards/fleet.js";
import { type Polled, poll } from "../../../bench/dashboards/poll.js";
import { speed } from "../../../bench/dashboards/speed.js";
import { example } from "../../support/examples.js";

const SECONDS = 2;
/** Private state is fresh for 800 ms: dashboards out of step with each other renew it so much more often than one alone. */
const OUT_OF_STEP = 1000 / 800;

const total = ({ calls }: Polled): number => Object.values(calls).reduce((sum, count) => sum + count, 0);

describe("100 dashboards that poll every account once a second", () => {
  let many: Polled;
  beforeAll(async () => {
    many = await poll({ document: example("dashboard"), dashboards: 100, seconds: SECONDS, cancelsPerSecond: 5 });
  }, 120_000);

  it("are all answered whole", () => {
    expect(many.answers).toBe(100 * SECONDS);
    expect(many.errors).toEqual({});
  });

  it("never exceed a limit of the exchange in any window", () => {
    expect(many.refused).toBe(0);
    expect(many.violations).toBe(0);
  });

  it("use nine tenths of a budget of which more is asked than it has", () => {
    const { name, rate } = subAccountSpotAssets;
    expect(many.calls[name]).toBeGreaterThanOrEqual(0.9 * rate.limit * SECONDS);
  });

  it("do not hold up cancels", () => {
    expect(many.cancelWaits.length).toBeGreaterThanOrEqual(5 * (SECONDS - 1));
    expect(many.cancelWaits.at(-1)).toBeLessThan(cancelOrder.rate.windowMs);
  });
});

describe("dashboards of what streams carry", () => {
  it("take no call in steady state, and none is refused", async () => {
    const fleet = await pollFleet({ setUp: "live", accounts: 2, dashboards: 4, seconds: 3, warmUpMs: 10_000 });
    expect(fleet).toMatchObject({ answers: 12, failed: 0, refused: 0, callsPerAccountMinute: 0 });
    expect(fleet.stateP99).toBeLessThanOrEqual(250);
    expect(fleet.addedP99).toBeLessThanOrEqual(250);
  });
});

describe("upstream calls", () => {
  it("do not grow with the number of dashboards", async () => {
    const costOf = async (dashboards: number) =>
      total(await poll({ document: example("portfolio"), dashboards, seconds: 3, cancelsPerSecond: 0 }));
    const [one, few, many] = [await costOf(1), await costOf(25), await costOf(100)];
    expect(many).toBeLessThanOrEqual(few * 1.05);
    expect(many).toBeLessThanOrEqual(one * OUT_OF_STEP * 1.1);
  }, 120_000);
});

describe("one answer", () => {
  it("waits for two calls in a row at most, and not for the rate budget of two dozen sub-accounts", async () => {
    const { answerMs } = await speed(example("dashboard"), 100);
    expect(answerMs).toBeLessThanOrEqual(2 * 1.1 * 100);
  });
});
