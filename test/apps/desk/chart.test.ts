import { describe, expect, it } from "vitest";
import { followed } from "../../../apps/desk/src/panels/chart/candle.js";
import { exitTerms } from "../../../apps/desk/src/panels/chart/exitTerms.js";
import { marksOf } from "../../../apps/desk/src/panels/chart/marks.js";

const starts = Array.from({ length: 20 }, (_, at) => `2026-01-01T00:${String(at).padStart(2, "0")}:00.000Z`);
const fill = (minute: number, side: string, qty: string | null) => ({
  ...{ id: `${minute} ${side} ${qty}`, side, qty, time: `2026-01-01T00:${String(minute).padStart(2, "0")}:30.000Z` },
});

describe("the marks of executions on the chart", () => {
  it("are one for each side of a candle, with the whole quantity", () => {
    expect(marksOf([fill(3, "BUY", "0.10"), fill(3, "BUY", "0.2"), fill(3, "SELL", "1")], starts)).toEqual([
      { start: starts[3], side: "BUY", text: "0.3" },
      { start: starts[3], side: "SELL", text: "1" },
    ]);
  });

  it("have their quantities where these do not lie over one another", () => {
    const marks = marksOf([fill(0, "BUY", "1"), fill(5, "BUY", "2"), fill(9, "BUY", "3"), fill(9, "SELL", "4")], starts);
    expect(marks.map(({ text }) => text)).toEqual(["1", "", "3", "4"]);
  });

  it("name no quantity if one of it is missing, and leave out what is older than the chart", () => {
    const before = { id: "old", side: "BUY", qty: "1", time: "2025-12-31T00:00:00.000Z" };
    expect(marksOf([before, fill(2, "BUY", "1"), fill(2, "BUY", null)], starts)).toEqual([
      { start: starts[2], side: "BUY", text: "" },
    ]);
  });
});

describe("the candles of the chart", () => {
  const candles = (...minutes: readonly number[]) =>
    minutes.map((minute) => ({
      startTime: starts[minute] ?? "",
      ...{ open: "1", high: "1", low: "1", close: "1", volume: "1" },
    }));

  it("are continued by an event that has one of them", () => {
    expect(followed(candles(1, 2), candles(2, 3), "snapshot")).toEqual(candles(1, 2, 3));
    expect(followed(candles(1, 2), candles(3), "update")).toEqual(candles(1, 2, 3));
    expect(followed([], candles(2, 3), "snapshot")).toEqual(candles(2, 3));
  });

  it("have no gap that cannot be seen: a snapshot that begins later replaces them", () => {
    expect(followed(candles(1, 2), candles(7, 8), "snapshot")).toEqual(candles(7, 8));
  });
});

describe("an exit that is moved on the chart", () => {
  const plan = { planType: "LOSS_PLAN", triggerBy: "MARK", executePrice: "49900", takeProfit: null, stopLoss: null };

  it("is compared with the same price as before, and closes at its limit price", () => {
    expect(exitTerms(plan, "stopLoss")).toEqual({ triggerBy: "MARK", executePrice: "49900" });
    const stopLoss = { triggerBy: "MARKET", limitPrice: "49800" };
    expect(exitTerms({ ...plan, planType: "TPSL", stopLoss }, "stopLoss")).toEqual({
      triggerBy: "MARKET",
      executePrice: "49800",
    });
  });

  it("closes at market if it did", () => {
    expect(exitTerms({ ...plan, triggerBy: null, executePrice: "0.0" }, "stopLoss")).toEqual({});
    expect(exitTerms({ ...plan, planType: "TPSL" }, "takeProfit")).toEqual({});
  });
});
