import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { SkewedClock } from "../../src/control/skewedClock.js";
import { timeOf } from "../../src/world/market/listing.js";
import { type Course, WorldTime } from "../../src/world/worldTime.js";
import { START } from "./support.js";

const HOUR = 3_600_000;

function staged(isQuiet: (unit: string) => boolean, marketMs?: number) {
  const clock = new ManualClock(START);
  const timeline = new WorldTime(clock, clock.now(), marketMs);
  const ticks: number[] = [];
  const hours: number[] = [];
  const course: Course = {
    isQuiet: ({ unit }) => isQuiet(unit),
    tick: () => ticks.push(timeline.now()),
    hour: (at) => hours.push(at),
  };
  return { clock, timeline, ticks, hours, advance: () => timeline.advance(course) };
}

describe("time in the world", () => {
  it("is the time of each tick while it catches up, and the clock's time otherwise", () => {
    const { clock, timeline, ticks, advance } = staged(() => false);
    clock.advance(1_050);
    advance();
    expect(ticks.map((at) => at - START)).toEqual([200, 400, 600, 800, 1_000]);
    expect(timeline.now()).toBe(START + 1_050);
  });

  it("moves the market no more often than asked for, also after what was quiet", () => {
    const { clock, timeline, ticks, hours, advance } = staged((unit) => unit === "minute" && clock.now() > START + HOUR, 1_000);
    clock.advance(2_450);
    advance();
    expect(ticks.map((at) => at - START)).toEqual([1_000, 2_000]);
    expect(timeline.now()).toBe(START + 2_450);
    expect(timeOf(timeline.tick)).toBe(START + 2_000);
    clock.advance(HOUR);
    advance();
    expect(hours).toEqual([START + HOUR / 2]);
    expect(ticks.every((at) => at % 1_000 === 0)).toBe(true);
    expect(timeOf(timeline.tick)).toBe(START + HOUR + 2_000);
  });

  it.each([0, 100, 300, 7_000, 120_000])("refuses a market that moves every %s ms", (marketMs) => {
    expect(() => staged(() => false, marketMs)).toThrow("marketMs must be a multiple of 200 that divides 60000");
  });

  it("passes over what is quiet, but over no full hour and no booked task", () => {
    const { clock, timeline, ticks, hours, advance } = staged(() => true);
    const done: number[] = [];
    timeline.at(START + 90 * 60_000 + 1, () => done.push(timeline.now()));
    clock.advance(3 * HOUR);
    advance();
    expect(hours.map((at) => (at - START) / 60_000)).toEqual([30, 90, 150]);
    expect(done).toEqual([START + 90 * 60_000 + 200]);
    expect(ticks.length).toBeLessThan(600);
  });

  it("runs tasks in the order of their times, each once", () => {
    const { clock, timeline, advance } = staged(() => false);
    const done: string[] = [];
    timeline.at(START + 900, () => done.push("late"));
    timeline.at(START + 300, () => {
      done.push("early");
      timeline.at(START + 500, () => done.push("booked by another"));
    });
    for (const step of [100, 100, 400, 2_000]) {
      clock.advance(step);
      advance();
    }
    expect(done).toEqual(["early", "booked by another", "late"]);
  });

  it("does not run back with the clock, nor advance inside an advance", () => {
    const clock = new ManualClock(START);
    const timeline = new WorldTime(clock, START + 10_000);
    expect(timeline.now()).toBe(START + 10_000);
    let ticks = 0;
    const course: Course = {
      isQuiet: () => false,
      hour: () => undefined,
      tick() {
        ticks++;
        timeline.advance(course);
      },
    };
    clock.advance(11_000);
    timeline.advance(course);
    expect(ticks).toBe(5);
  });

  it("does not run back to its last tick when the clock is set back", () => {
    const clock = new SkewedClock(new ManualClock(START + 250));
    const timeline = new WorldTime(clock, START);
    timeline.advance({ isQuiet: () => false, hour: () => undefined, tick: () => undefined });
    expect(timeline.now()).toBe(START + 250);
    clock.skewMs = -HOUR;
    expect(timeline.now()).toBe(START + 250);
  });
});
