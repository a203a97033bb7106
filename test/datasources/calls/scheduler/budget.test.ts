import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Budget } from "../../../../src/datasources/calls/scheduler/budget.js";

describe("a budget", () => {
  it("lets exactly its limit leave, and no more until a window after the first answer", () => {
    const budget = new Budget(3, 1000);
    expect([budget.take(0), budget.take(0), budget.take(0), budget.take(0)]).toEqual([true, true, true, false]);
    budget.settle(40);
    expect(budget.left(1040)).toBe(0);
    expect(budget.left(1043)).toBe(1);
  });

  it("keeps the slot of a call that is still under way, however long it takes", () => {
    const budget = new Budget(1, 1000);
    budget.take(0);
    expect(budget.take(60_000)).toBe(false);
    budget.settle(60_000);
    expect(budget.take(61_003)).toBe(true);
  });

  it("frees the slot of a call that never left at once", () => {
    const budget = new Budget(1, 1000);
    budget.take(0);
    budget.giveBack();
    expect(budget.take(0)).toBe(true);
  });

  it("gives up what another client has used, for one window", () => {
    const budget = new Budget(20, 1000);
    budget.take(0);
    budget.settle(10);
    budget.correct(10, 5);
    expect(budget.left(10)).toBe(5);
    expect(budget.left(1013)).toBe(20);
  });

  it("does not grow when the exchange says that more is left than we think", () => {
    const budget = new Budget(2, 1000);
    budget.take(0);
    budget.settle(1);
    budget.correct(1, 50);
    expect(budget.left(1)).toBe(1);
  });

  it("is closed for a window after a refusal", () => {
    const budget = new Budget(20, 1000);
    budget.close(500);
    expect(budget.left(1502)).toBe(0);
    expect(budget.left(1503)).toBe(20);
  });

  it("leaves unused what is not our share, and lets the slot of less than one rest for longer", () => {
    let share = 1;
    const budget = new Budget(10, 1000, () => share);
    share = 0.5;
    expect(budget.left(0)).toBe(5);
    const single = new Budget(1, 1000, () => share);
    single.take(0);
    single.settle(10);
    expect([single.left(1_500), single.left(2_013)]).toEqual([0, 1]);
    single.take(2_013);
    expect(single.earliest(2_013, 0)).toBe(2_013);
    single.settle(2_020);
    expect([single.earliest(2_020, 0), single.earliest(2_020, 1)]).toEqual([4_023, 6_023]);
  });

  it("derives from the exchange's count how many calls were made by others", () => {
    const budget = new Budget(10, 1000);
    budget.take(0);
    const foreign = budget.departure(0);
    budget.take(5);
    expect([foreign(9), foreign(8), foreign(6)]).toEqual([0, 0, 2]);
  });

  it("never counts its own calls as another client's, with any delay of calls and answers", () => {
    const way = fc.nat(700);
    const flight = fc.record({ pause: fc.nat(150), there: way, back: way });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(flight, { minLength: 50, maxLength: 200 }), (limit, flights) => {
        const budget = new Budget(limit, 1000);
        const counted: number[] = [];
        const tasks: { at: number; run: (at: number) => void }[] = [];
        let now = 0;
        const pass = (until: number) => {
          tasks.sort((a, b) => a.at - b.at);
          while (tasks[0] !== undefined && tasks[0].at <= until) {
            const next = tasks.shift();
            next?.run(next.at);
            tasks.sort((a, b) => a.at - b.at);
          }
        };
        for (const { pause, there, back } of flights) {
          now += pause;
          pass(now);
          if (!budget.take(now)) continue;
          const foreign = budget.departure(now);
          tasks.push({
            at: now + there,
            run(arrived) {
              counted.push(arrived);
              const remaining = limit - counted.filter((at) => at > arrived - 1000).length;
              const ended = (at: number) => {
                budget.settle(at);
                expect(foreign(remaining)).toBe(0);
              };
              tasks.push({ at: arrived + back, run: ended });
            },
          });
        }
        pass(Number.POSITIVE_INFINITY);
      }),
      { numRuns: 200 },
    );
  });

  it("holds at the exchange in every window, whenever in the call's flight the exchange counts it", () => {
    const flight = fc.record({ pause: fc.nat(300), wait: fc.nat(900), counted: fc.double({ min: 0, max: 1, noNaN: true }) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.array(flight, { minLength: 50, maxLength: 400 }), (limit, flights) => {
        const budget = new Budget(limit, 1000);
        const underWay: { ends: number }[] = [];
        const countedAt: number[] = [];
        let now = 0;
        for (const { pause, wait, counted } of flights) {
          now += pause;
          for (const call of [...underWay].sort((a, b) => a.ends - b.ends)) {
            if (call.ends > now) continue;
            budget.settle(call.ends);
            underWay.splice(underWay.indexOf(call), 1);
          }
          if (!budget.take(now)) continue;
          underWay.push({ ends: now + wait });
          countedAt.push(now + wait * counted);
        }
        countedAt.sort((a, b) => a - b);
        for (let at = limit; at < countedAt.length; at++)
          expect((countedAt[at] ?? 0) - (countedAt[at - limit] ?? 0)).toBeGreaterThanOrEqual(1000);
      }),
      { numRuns: 300 },
    );
  });
});
