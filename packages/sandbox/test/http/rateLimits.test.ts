import { ManualClock } from "@exchange-graph/contract/clock";
import { ADDRESS_LIMIT, perSecond } from "@exchange-graph/contract/endpoint";
import { serverTime, spotFundFlow } from "@exchange-graph/contract/market";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RateLimits, SlidingWindow } from "../../src/http/rateLimits.js";

const HERE = "127.0.0.1";
const START = 1_767_225_600_000;

describe("a sliding window", () => {
  it("never lets more than its limit through in any window, however the calls come", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 }),
        fc.integer({ min: 1, max: 8 }),
        (gaps, limit) => {
          const window = new SlidingWindow(limit, 1_000);
          const taken: number[] = [];
          let now = START;
          for (const gap of gaps) {
            now += gap;
            if (window.take(now)) taken.push(now);
          }
          for (const [at, time] of taken.entries()) {
            const inWindow = taken.slice(at).filter((later) => later < time + 1_000);
            expect(inWindow.length).toBeLessThanOrEqual(limit);
          }
        },
      ),
    );
  });

  it("lets a call through as soon as the oldest has left the window, and not before", () => {
    const window = new SlidingWindow(2, 1_000);
    expect([
      window.take(0),
      window.take(400),
      window.take(999),
      window.take(1_000),
      window.take(1_399),
      window.take(1_400),
    ]).toEqual([true, true, false, true, false, true]);
  });

  it("says how many calls are left", () => {
    const window = new SlidingWindow(3, 1_000);
    window.take(0);
    window.take(500);
    expect([window.remaining(500), window.remaining(1_000), window.remaining(1_500)]).toEqual([1, 2, 3]);
  });
});

describe("the rate limits", () => {
  it("count every caller and every endpoint alone", () => {
    const limits = new RateLimits(new ManualClock(START), true);
    expect(limits.admit(spotFundFlow, HERE, false).allowed).toBe(true);
    expect(limits.admit(spotFundFlow, HERE, false).allowed).toBe(false);
    expect(limits.admit(spotFundFlow, "10.0.0.7", false).allowed).toBe(true);
    expect(limits.admit(serverTime, HERE, false).allowed).toBe(true);
    expect(limits.violations).toBe(1);
  });

  it("do not count a refused call against the window", () => {
    const clock = new ManualClock(START);
    const limits = new RateLimits(clock, true);
    limits.admit(spotFundFlow, HERE, false);
    for (let at = 0; at < 9; at++) {
      clock.advance(100);
      limits.admit(spotFundFlow, HERE, false);
    }
    clock.advance(100);
    expect(limits.admit(spotFundFlow, HERE, false).allowed).toBe(true);
  });

  it("are lower for copy-trading traders where the endpoint says so", () => {
    const limits = new RateLimits(new ManualClock(START), true);
    const orders = { ...serverTime, rate: perSecond(10, "UID", { copyTrader: 1 }) };
    expect([limits.admit(orders, "1", true).allowed, limits.admit(orders, "1", true).allowed]).toEqual([true, false]);
    expect([limits.admit(orders, "2", false).remaining, limits.admit(orders, "2", false).remaining]).toEqual([9, 8]);
  });

  it("shut an address out for five minutes when it makes too many calls of any kind", () => {
    const clock = new ManualClock(START);
    const limits = new RateLimits(clock, true);
    for (let at = 0; at < ADDRESS_LIMIT.limit; at++) expect(limits.admitAddress(HERE)).toBe(true);
    expect(limits.admitAddress(HERE)).toBe(false);
    expect(limits.admitAddress("10.0.0.7")).toBe(true);
    clock.advance(ADDRESS_LIMIT.penaltyMs - 1);
    expect(limits.admitAddress(HERE)).toBe(false);
    clock.advance(1);
    expect(limits.admitAddress(HERE)).toBe(true);
  });

  it("count calls over a limit but do not refuse them when they are not enforced", () => {
    const limits = new RateLimits(new ManualClock(START), false);
    limits.admit(spotFundFlow, HERE, false);
    expect(limits.admit(spotFundFlow, HERE, false).allowed).toBe(true);
    expect(limits.violations).toBe(1);
  });
});
