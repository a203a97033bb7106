import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { ExchangeClock } from "../../../../src/datasources/calls/client/exchangeClock.js";
import type { ClockEvent } from "../../../../src/instrumentation/events.js";

const AHEAD = 45_000;
const HOUR = 3_600_000;

/** An exchange whose clock is ahead of ours, and a clock that hears its answers. */
function recorded() {
  const ours = new ManualClock(1_800_000_000_000);
  const events: ClockEvent[] = [];
  const clock = new ExchangeClock(ours, { report: (one) => events.push(one) });
  return {
    clock,
    events,
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
    const { clock, ours, answer } = recorded();
    expect([clock.isKnown, clock.now() - ours.now()]).toEqual([false, 0]);
    answer(80);
    expect([clock.isKnown, clock.offsetMs, clock.now() - ours.now()]).toEqual([true, AHEAD, AHEAD]);
  });

  it("goes by the answer that was waited for the shortest time", () => {
    const { clock, answer } = recorded();
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
      const { clock, answer } = recorded();
      for (let count = 0; count < before; count++) answer(50);
      answer(1, { wrongBy });
      expect(clock.offsetMs).toBe(AHEAD);
      answer(50);
      answer(50);
      expect(clock.offsetMs).toBe(AHEAD);
    }
  });

  it("is not moved by a few wrong answers among right ones", () => {
    const { clock, answer } = recorded();
    for (const wrongBy of [0, 0, -HOUR, 0, -HOUR, 0, 0, -HOUR, 0, -HOUR, 0]) {
      answer(30, { wrongBy });
      expect(clock.offsetMs).toBe(AHEAD);
    }
  });

  it("gets over a first answer that was wrong, with the second right one", () => {
    const { clock, answer } = recorded();
    answer(5, { wrongBy: -HOUR });
    answer(50);
    answer(50);
    expect(clock.offsetMs).toBe(AHEAD);
  });

  it("follows when our own clock is set, and when samples have grown old", () => {
    const { clock, ours, answer } = recorded();
    for (let count = 0; count < 9; count++) answer(50);
    for (let count = 0; count < 5; count++) answer(50, { wrongBy: 20_000 });
    expect(clock.offsetMs).toBe(AHEAD + 20_000);
    ours.advance(60_000);
    answer(50);
    expect(clock.offsetMs).toBe(AHEAD);
  });

  it("starts from the beginning if a signature is refused before several answers have agreed", () => {
    const { clock, answer } = recorded();
    answer(50);
    answer(50);
    clock.refused();
    expect([clock.isKnown, clock.offsetMs]).toEqual([false, 0]);
    answer(900, { wrongBy: HOUR });
    expect(clock.offsetMs).toBe(AHEAD + HOUR);
  });
});

describe("answers that contradict each other before enough agree", () => {
  it("are a doubt, which a signature decides: refused for the estimated time, the stated one is used", () => {
    const { clock, answer } = recorded();
    answer(50, { wrongBy: 24 * HOUR });
    expect(clock.isInDoubt).toBe(false);
    answer(50);
    expect([clock.offsetMs, clock.isInDoubt]).toEqual([AHEAD + 24 * HOUR, true]);
    clock.refused();
    answer(50);
    expect([clock.offsetMs, clock.isInDoubt]).toEqual([AHEAD, false]);
  });

  it("are a doubt until the exchange accepts a signature for the estimated time", () => {
    const { clock, ours, answer } = recorded();
    answer(50);
    answer(50, { wrongBy: 24 * HOUR });
    expect([clock.offsetMs, clock.isInDoubt]).toEqual([AHEAD, true]);
    clock.accepted(clock.now(), ours.now());
    expect([clock.offsetMs, clock.isInDoubt]).toEqual([AHEAD, false]);
  });
});

describe("a jump that the monotonic clock contradicts", () => {
  /** A clock that several answers have agreed on. */
  function established() {
    const parts = recorded();
    for (let count = 0; count < 4; count++) parts.answer(50);
    return parts;
  }

  it("is not adopted, however many answers state it, while the exchange accepts signatures for the known time", () => {
    const { clock, ours, answer, events } = established();
    for (let count = 0; count < 100; count++) {
      answer(50, { wrongBy: 24 * HOUR });
      clock.accepted(clock.now(), ours.now());
      ours.advance(2_000);
    }
    expect([clock.offsetMs, clock.contradictionMs, clock.isInDoubt]).toEqual([AHEAD, 24 * HOUR, false]);
    expect(events).toEqual([{ kind: "contradicted", byMs: 24 * HOUR }]);
    answer(50);
    expect(clock.contradictionMs).toBe(undefined);
  });

  it("is adopted when the exchange accepts a signature for it, and limits of the day follow a day later", () => {
    const { clock, ours, answer, events } = established();
    const before = clock.beyondDoubt() - ours.now();
    clock.refused();
    answer(50, { wrongBy: 24 * HOUR });
    expect([clock.offsetMs, clock.isInDoubt]).toEqual([AHEAD, true]);
    clock.accepted(clock.stated(), ours.now());
    expect([clock.offsetMs, clock.isInDoubt]).toEqual([AHEAD + 24 * HOUR, false]);
    expect(events).toEqual([{ kind: "jumped", byMs: 24 * HOUR, isWitnessed: false }]);
    expect(clock.beyondDoubt() - ours.now()).toBe(before);
    ours.advance(24 * HOUR);
    expect(clock.beyondDoubt() - ours.now()).toBe(before + 24 * HOUR);
  });

  it("back is followed at once, and forgives the jump ahead before it", () => {
    const { clock, ours, answer } = established();
    for (const wrongBy of [24 * HOUR, 0]) {
      clock.refused();
      answer(50, { wrongBy });
      clock.accepted(clock.stated(), ours.now());
    }
    expect([clock.offsetMs, clock.aheadMs]).toEqual([AHEAD, 0]);
  });

  it.each([
    ["day", 24, 24],
    ["century", 876_600, 7 * 24],
  ])("back by a %s leaves behind a time from which the clock was set back, a week ahead at most", (_, hours, ahead) => {
    const { clock, ours, answer } = established();
    for (const wrongBy of [hours * HOUR, 0]) {
      expect(clock.setBackFrom).toBe(0);
      clock.refused();
      answer(50, { wrongBy });
      clock.accepted(clock.stated(), ours.now());
    }
    expect(clock.setBackFrom).toBe(clock.now() + ahead * HOUR);
  });

  it("is adopted without a signature if the exchange states nothing else for a minute", () => {
    const { clock, ours, answer } = established();
    for (let count = 0; count < 6; count++) {
      answer(50, { wrongBy: HOUR });
      ours.advance(9_950);
    }
    expect(clock.offsetMs).toBe(AHEAD);
    answer(50, { wrongBy: HOUR });
    expect([clock.offsetMs, clock.aheadMs]).toEqual([AHEAD + HOUR, HOUR]);
  });

  it("is adopted at once if the system clock has made it too, as after a suspension", () => {
    const steady = new ManualClock(1_800_000_000_000);
    let slept = 0;
    const clock = new ExchangeClock({ now: () => steady.now() + slept, after: steady.after }, { steady });
    const answer = () => clock.observe(steady.now(), steady.now(), steady.now() + slept + AHEAD);
    for (let count = 0; count < 4; count++) answer();
    slept = 9 * HOUR;
    answer();
    expect([clock.now(), clock.offsetMs, clock.aheadMs]).toEqual([steady.now() + slept + AHEAD, AHEAD, 0]);
  });

  it("of the system clock alone changes nothing", () => {
    const steady = new ManualClock(1_800_000_000_000);
    let set = 0;
    const clock = new ExchangeClock({ now: () => steady.now() + set, after: steady.after }, { steady });
    for (let count = 0; count < 4; count++) clock.observe(steady.now(), steady.now(), steady.now() + AHEAD);
    set = -24 * HOUR;
    expect([clock.now(), clock.offsetMs]).toEqual([steady.now() + AHEAD, AHEAD + 24 * HOUR]);
  });

  it("between system clock and exchange at the start counts as the exchange's, for a day", () => {
    const { clock, ours, answer, events } = recorded();
    for (let count = 0; count < 3; count++) {
      answer(50, { wrongBy: 24 * HOUR });
      expect(clock.aheadMs).toBe(AHEAD + 24 * HOUR);
    }
    expect(events).toEqual([{ kind: "skewed", byMs: AHEAD + 24 * HOUR }]);
    ours.advance(24 * HOUR);
    expect(clock.aheadMs).toBe(0);
  });
});
