import { describe, expect, it } from "vitest";
import { slewed } from "../src/clock.js";

const MINUTES = 60_000;

describe("a slewed clock", () => {
  it.each([
    { step: "no step", byMs: 0, passedMs: 1_000, expectedMs: 1_000 },
    { step: "a step ahead", byMs: 10 * MINUTES, passedMs: 1_000, expectedMs: 10 * MINUTES + 1_000 },
    { step: "a step back", byMs: -10 * MINUTES, passedMs: 1_000, expectedMs: 900 },
  ])("runs on over $step", ({ byMs, passedMs, expectedMs }) => {
    let [wall, ticks] = [5_000_000, 7];
    const now = slewed(
      () => wall,
      () => ticks,
    );
    const start = now();
    wall += byMs + passedMs;
    ticks += passedMs;
    expect(now() - start).toBe(expectedMs);
  });

  it("agrees again with a clock that was set back, and never goes back until then", () => {
    let [wall, ticks] = [5_000_000, 0];
    const now = slewed(
      () => wall,
      () => ticks,
    );
    wall -= 10_000;
    let last = now();
    for (let second = 1; second <= 101; second++) {
      wall += 1_000;
      ticks += 1_000;
      const next = now();
      expect(next).toBeGreaterThanOrEqual(last);
      last = next;
    }
    expect(last).toBe(wall);
  });
});
