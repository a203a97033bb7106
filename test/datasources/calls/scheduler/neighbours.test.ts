import { ManualClock } from "@exchange-graph/contract/clock";
import { SlidingWindow } from "@exchange-graph/sandbox/http/rateLimits";
import { randomOf } from "@exchange-graph/sandbox/world/random";
import { beforeEach, describe, expect, it } from "vitest";
import { Neighbours } from "../../../../src/datasources/calls/scheduler/neighbours.js";
import { Scheduler } from "../../../../src/datasources/calls/scheduler/scheduler.js";
import { listen } from "../../../../src/instrumentation/instrumentation.js";
import { turn } from "../../../support/eventually.js";
import { ownInstrumentation } from "../../../support/searchedTelemetry.js";

describe("neighbours at the exchange", () => {
  let clock: ManualClock;
  let seen: unknown[][];
  let neighbours: Neighbours;
  beforeEach(() => {
    clock = new ManualClock(1_000_000);
    seen = [];
    const instrumentation = ownInstrumentation();
    listen(instrumentation, instrumentation.neighbourSign, ({ counter, sign, share }) => seen.push([counter, sign, share]));
    neighbours = new Neighbours(clock, instrumentation);
  });

  it("are left half of a limit with the first refusal, and half of the rest with each one more", () => {
    const shares: number[] = [];
    for (let at = 0; at < 5; at++) {
      neighbours.noticed("main", "refused");
      shares.push(neighbours.share("main"));
      clock.advance(4_000);
    }
    expect(shares).toEqual([1 / 2, 1 / 4, 1 / 8, 1 / 8, 1 / 8]);
    expect(seen[0]).toEqual(["main", "refused", 1 / 2]);
    expect(neighbours.share("classic")).toBe(1);
  });

  it("count refusals once that were under way together", () => {
    for (let at = 0; at < 20; at++) neighbours.noticed("main", "refused");
    expect(neighbours.share("main")).toBe(1 / 2);
  });

  it("are not noticed by one count alone, and by two of different windows they are", () => {
    neighbours.noticed("main", "counted");
    neighbours.noticed("main", "counted");
    clock.advance(40_000);
    neighbours.noticed("main", "counted");
    expect([neighbours.share("main"), seen]).toEqual([1, []]);
    clock.advance(1_000);
    neighbours.noticed("main", "counted");
    expect([neighbours.share("main"), seen]).toEqual([1 / 2, [["main", "counted", 1 / 2]]]);
  });

  it("that take everything that is left are left half after a while, and all is taken back when they have gone", () => {
    const shares: number[] = [];
    for (let at = 0; at < 60; at++) {
      clock.advance(4_000);
      neighbours.noticed("main", "refused");
      shares.push(neighbours.share("main"));
    }
    expect(shares.slice(0, 8)).toEqual([1 / 2, 1 / 4, 1 / 8, 1 / 8, 1 / 8, 1 / 8, 1 / 8, 1 / 2]);
    expect(new Set(shares.slice(8))).toEqual(new Set([1 / 2]));
    clock.advance(180_000);
    expect([neighbours.share("main"), neighbours.shared()]).toEqual([1, []]);
    for (let at = 0; at < 3; at++, clock.advance(4_000)) neighbours.noticed("main", "refused");
    expect(neighbours.share("main")).toBe(1 / 8);
  });

  it("are assumed to share the address as well: half of its limit is used as long as there is another client", async () => {
    const scheduler = new Scheduler(clock, { overall: { limit: 100, windowMs: 1_000 } });
    const left = () => scheduler.overall().left;
    expect(left()).toBe(100);
    for (let at = 0; at < 3; at++, clock.advance(4_000)) scheduler.neighbours.noticed("main", "refused");
    expect([left(), scheduler.neighbours.share("main")]).toEqual([50, 1 / 8]);
    const rate = { limit: 1_000, windowMs: 1_000, per: "IP" } as const;
    const permits = Array.from({ length: 60 }, () => scheduler.acquire("tickers", "IP", rate, "cancel", clock.now() + 10_000));
    let granted = 0;
    for (const permit of permits) void permit.then(() => granted++);
    await turn();
    expect(granted).toBe(50);
    for (const permit of permits) void permit.then((one) => one.settle());
    for (let second = 0; second < 250; second++) {
      await turn();
      clock.advance(1_000);
    }
    expect([granted, left()]).toEqual([60, 100]);
  });

  it("that stay are left half, and those that have gone get their part taken back slowly", () => {
    for (let at = 0; at < 3; at++) {
      neighbours.noticed("main", "refused");
      clock.advance(4_000);
    }
    for (let at = 0; at < 30; at++) {
      clock.advance(5_000);
      neighbours.noticed("main", "counted");
    }
    expect(neighbours.share("main")).toBe(1 / 2);
    const left = clock.now();
    expect(neighbours.shared()).toEqual([{ counter: "main", share: 1 / 2, noticedAt: left }]);
    clock.advance(60_000);
    expect(neighbours.share("main")).toBeGreaterThan(1 / 2);
    expect(neighbours.share("main")).toBeLessThan(1);
    clock.advance(120_000);
    expect([neighbours.share("main"), neighbours.shared()]).toEqual([1, []]);
  });
});

/**
 * Gateways without a budget in common, each with more to ask than there is, at one counter of the exchange. Until
 * `othersUntil` (seconds) another process takes four fifths of the limit, regardless of refusals.
 */
async function beside(gateways: number, limit: number, seconds: number, seed: number, othersUntil = 0) {
  const clock = new ManualClock(1_000_000);
  const random = randomOf(`beside ${seed}`);
  const counter = new SlidingWindow(limit, 1_000);
  const calls: { at: number; refused: boolean; gateway: number }[] = [];
  const rate = { limit, windowMs: 1_000, per: "UID" } as const;
  const after = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
  const way = () => random.between(5, 65);
  const worker = async (scheduler: Scheduler, gateway: number) => {
    for (;;) {
      const permit = await scheduler.acquire("orderHistory", "main", rate, "read", clock.now() + 600_000);
      await after(way());
      const refused = !counter.take(clock.now());
      calls.push({ at: clock.now() - 1_000_000, refused, gateway });
      const remaining = counter.remaining(clock.now());
      await after(way());
      permit.settle(refused ? { refused } : { remaining });
    }
  };
  const schedulers = Array.from({ length: gateways }, () => new Scheduler(clock));
  for (const [gateway, scheduler] of schedulers.entries()) for (let at = 0; at < limit + 2; at++) void worker(scheduler, gateway);
  for (let ms = 0; ms < seconds * 1_000; ms += 5) {
    await turn();
    if (ms < othersUntil * 1_000 && ms % Math.ceil(1_250 / limit) < 5) counter.take(clock.now());
    clock.advance(5);
  }
  const later = calls.filter(({ at }) => at > 10_000);
  return {
    refused: later.filter(({ refused }) => refused).length / later.length,
    perSecond: later.filter(({ refused }) => !refused).length / (seconds - 10),
    between: (from: number, until: number) =>
      calls.filter(({ at, refused }) => !refused && at >= from * 1_000 && at < until * 1_000).length / (until - from),
    of: (gateway: number) => later.filter((call) => call.gateway === gateway).length / later.length,
  };
}

it.each([
  [2, 20, 0.01],
  [2, 10, 0.01],
  [3, 20, 0.01],
  // Of one slot a second, no part can be left unused in every second.
  [2, 1, 0.25],
])("%i gateways at a limit of %i a second are refused hardly anything, and use most of it", async (gateways, limit, most) => {
  const { refused, perSecond, of } = await beside(gateways, limit, 60, gateways * 100 + limit);
  expect(refused).toBeLessThan(most);
  expect(perSecond).toBeGreaterThan(limit * 0.4);
  for (let gateway = 0; gateway < gateways; gateway++) expect(of(gateway)).toBeGreaterThan(0.4 / gateways);
});

it("a gateway beside a client without limits uses most of what is left, and everything again when that client has gone", async () => {
  const { between } = await beside(1, 20, 340, 7, 120);
  expect(between(60, 120)).toBeGreaterThan(20 * 0.2 * 0.5);
  expect(between(320, 340)).toBeGreaterThan(20 * 0.85);
});
