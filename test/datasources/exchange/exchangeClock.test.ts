import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { ExchangeClock } from "../../../src/datasources/exchange/exchangeClock.js";

const AHEAD = 45_000;
const HOUR = 3_600_000;

/** An exchange whose clock is ahead of ours, and a clock that hears its answers. */
function heard() {
  const ours = new ManualClock(1_800_000_000_000);
  const clock = new ExchangeClock(ours);
  return {
    clock,
    ours,
    /** One answer, whose way there takes as long as its way back unless `backMs` says otherwise. */
    answer(waitMs: number, { wrongBy = 0, backMs = waitMs / 2 } = {}): void {
      const sentAt = ours.now();
      ours.advance(waitMs);
      clock.observe(sentAt, ours.now(), ours.now() - backMs + AHEAD + wrongBy);
    },
  };
}

describe("the exchange's clock", () => {
  it("is our own until the first answer, and then the exchange's", () => {
    const { clock, ours, answer } = heard();
    expect([clock.isKnown, clock.now() - ours.now()]).toEqual([false, 0]);
    answer(80);
    expect([clock.isKnown, clock.offsetMs, clock.now() - ours.now()]).toEqual([true, AHEAD, AHEAD]);
  });

  it("goes by the answer that was waited for the shortest time", () => {
    const { clock, answer } = heard();
    answer(800, { backMs: 700 });
    answer(20);
    answer(600, { backMs: 0 });
    expect(clock.offsetMs).toBe(AHEAD);
  });

  it.each([
    ["old", -HOUR],
    ["from the future", HOUR],
  ])("is not moved by one answer that is %s, whenever it comes", (_, wrongBy) => {
    for (let before = 1; before <= 12; before++) {
      const { clock, answer } = heard();
      for (let count = 0; count < before; count++) answer(50);
      answer(1, { wrongBy });
      expect(clock.offsetMs).toBe(AHEAD);
      answer(50);
      answer(50);
      expect(clock.offsetMs).toBe(AHEAD);
    }
  });

  it("is not moved by a few wrong answers among right ones", () => {
    const { clock, answer } = heard();
    for (const wrongBy of [0, 0, -HOUR, 0, -HOUR, 0, 0, -HOUR, 0, -HOUR, 0]) {
      answer(30, { wrongBy });
      expect(clock.offsetMs).toBe(AHEAD);
    }
  });

  it("gets over a first answer that was wrong, with the second right one", () => {
    const { clock, answer } = heard();
    answer(5, { wrongBy: -HOUR });
    answer(50);
    answer(50);
    expect(clock.offsetMs).toBe(AHEAD);
  });

  it("follows when our own clock is set, and when samples have grown old", () => {
    const { clock, ours, answer } = heard();
    for (let count = 0; count < 9; count++) answer(50);
    for (let count = 0; count < 5; count++) answer(50, { wrongBy: 20_000 });
    expect(clock.offsetMs).toBe(AHEAD + 20_000);
    ours.advance(60_000);
    answer(50);
    expect(clock.offsetMs).toBe(AHEAD);
  });

  it("starts from the beginning after a reset", () => {
    const { clock, answer } = heard();
    for (let count = 0; count < 9; count++) answer(50);
    clock.reset();
    expect([clock.isKnown, clock.offsetMs]).toEqual([false, 0]);
    answer(900, { wrongBy: 20_000 });
    expect(clock.offsetMs).toBe(AHEAD + 20_000);
  });
});
