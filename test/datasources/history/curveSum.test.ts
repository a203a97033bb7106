import { exact, plain } from "@exchange-graph/contract/decimal";
import { describe, expect, it } from "vitest";
import { CAUSES, type EquityChange } from "../../../src/datasources/history/change.js";
import type { Curve, CurvePoint } from "../../../src/datasources/history/curve.js";
import { sumOfCurves } from "../../../src/datasources/history/curveSum.js";
import { returnsOf } from "../../../src/datasources/history/performance.js";

/** Curves of several accounts as one: at each time what they were worth, and why that changed. */

const nothing = Object.fromEntries(CAUSES.map((cause) => [cause, "0"])) as EquityChange;

/** A curve by the times and equities of its points. What it earned between two is the profit of trades. */
function curve(points: Readonly<Record<number, string>>, begins: boolean): Curve {
  const entries = Object.entries(points).map(([at, equity]) => ({ at: Number.parseInt(at, 10), equity }));
  return {
    begins,
    gaps: [],
    coverage: { from: 0, read: 100, until: 100 },
    points: entries.map(({ at, equity }, index): CurvePoint => {
      const before = entries[index - 1];
      const earned = before && plain(exact(equity).minus(before.equity));
      return {
        ...{ at, time: at, equity, low: equity, high: equity, count: 1, source: "STREAM", mode: "UNIFIED", comparedAt: at },
        ...{ unrealisedPnl: "0", debt: "0", marginInUse: "0", coins: [], records: [] },
        change: earned === undefined ? undefined : { ...nothing, trades: earned, total: earned },
      };
    }),
  };
}

const shown = ({ points }: Curve) => points.map(({ at, equity, change }) => [at, equity, change?.trades, change?.transfers]);

describe("several accounts together", () => {
  it("keep their past when another one is recorded for the first time: it came in by a transfer", () => {
    const all = sumOfCurves([curve({ 10: "100", 20: "110", 30: "121" }, true), curve({ 20: "50", 30: "50" }, true)]);
    expect(shown(all)).toEqual([
      [10, "100", undefined, undefined],
      [20, "160", "10", "50"],
      [30, "171", "11", "0"],
    ]);
    // What it brought is no profit: 10 %, then 11 of 160.
    expect(returnsOf(all.points).timeWeightedReturn).toBe("0.175625");
  });

  it("have no sum at a time at which one of them has no sample, also if its samples before are not in the range", () => {
    const all = sumOfCurves([curve({ 10: "1", 20: "2", 30: "3" }, true), curve({ 20: "5", 40: "6" }, false)]);
    expect(shown(all)).toEqual([[20, "7", undefined, undefined]]);
  });

  it("explain the change since the last common time, and not since their own last samples", () => {
    const all = sumOfCurves([curve({ 10: "1", 20: "4", 30: "9" }, true), curve({ 10: "100", 30: "200" }, true)]);
    expect(shown(all)).toEqual([
      [10, "101", undefined, undefined],
      [30, "209", "108", "0"],
    ]);
  });
});
