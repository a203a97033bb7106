import { describe, expect, it } from "vitest";
import { cancelOrder } from "../../../src/datasources/writes/mutations/cancelOrder.js";
import { startedForEach } from "../../support/started.js";
import { place, resting } from "./support/limitOrder.js";
import { startLiveExchange } from "./support/liveExchange.js";

const DEADLINE_MS = 4_000;

const live = startedForEach(() => startLiveExchange({ deadlineMs: DEADLINE_MS }));

/** How many of the ten slots of an endpoint are free. */
const free = (endpoint: string): number | undefined =>
  live.exchange.scheduler.buckets().find((bucket) => bucket.endpoint === endpoint)?.left;

describe("a request that was given up on", () => {
  it("keeps its slot until its signature has expired, for it may still arrive and be counted", async () => {
    live.sandbox.faults.add({ endpoint: "placeOrder", fault: { kind: "latency", delayMs: 29_000 }, times: 1 });
    const sentAt = live.clock.now();
    const { outcome } = await live.during(place(live, resting("late")));
    expect(outcome).toBe("UNKNOWN");
    await live.pass(sentAt + 30_900 - live.clock.now());
    expect(free("placeOrder")).toBe(9);
    await live.pass(200);
    expect(free("placeOrder")).toBe(10);
    expect(live.sandbox.limits.violations).toBe(0);
  });

  it("does not hold up the next cancel", async () => {
    await live.during(place(live, resting("stuck")));
    live.sandbox.faults.add({ endpoint: "cancelOrder", fault: { kind: "latency", delayMs: 29_000 }, times: 1 });
    await live.during(cancelOrder(live.writes(), live.account("main"), { category: "SPOT", clientOid: "stuck" }));
    await live.pass(1_100);
    expect(free("cancelOrder")).toBe(10);
  });
});
