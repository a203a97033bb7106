import { describe, expect, it } from "vitest";
import { spanFor } from "../../../../src/datasources/reads/paging/cursor.js";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 15, 12, 0, 0, 250);
const RULE = { from: "startTime", to: "endTime", range: { days: 30 }, age: { days: 90 } };

describe("the span of a query over time", () => {
  it("covers the exchange's whole history by default, up to the end of this second, the same throughout a second", () => {
    const span = spanFor(RULE, {}, NOW);
    expect(span.to).toBe(Date.UTC(2026, 5, 15, 12, 0, 1));
    expect(span.from).toBe(Date.UTC(2026, 2, 17, 12, 0, 6));
    expect(spanFor(RULE, {}, NOW + 700)).toMatchObject({ from: span.from, to: span.to });
  });

  it("accepts a start at the limit of the exchange's history, and refuses one millisecond more", () => {
    expect(() => spanFor(RULE, { from: NOW - 90 * DAY }, NOW)).not.toThrow();
    expect(() => spanFor(RULE, { from: NOW - 90 * DAY - 1 }, NOW)).toThrow("from must be within the last 90 days");
  });

  it("refuses an end before its start, and an end beyond the exchange's memory", () => {
    expect(() => spanFor(RULE, { from: NOW, to: NOW - 1 }, NOW)).toThrow("to must not be before from");
    expect(() => spanFor(RULE, { from: NOW, to: NOW }, NOW)).not.toThrow();
    expect(() => spanFor(RULE, { from: NOW + DAY }, NOW)).toThrow("from must not be in the future");
    expect(() => spanFor(RULE, { to: NOW - 91 * DAY }, NOW)).toThrow("to must be within the last 90 days");
    expect(() => spanFor({ ...RULE, age: { days: 1 } }, { from: NOW - 2 * DAY, to: NOW - 2 * DAY }, NOW)).toThrow(
      "within the last 1 days",
    );
  });

  it("splits into windows that touch, none longer than allowed", () => {
    const span = spanFor(RULE, { from: NOW - 75 * DAY, to: NOW }, NOW);
    const first = span.windowUpTo(span.to);
    const second = span.windowUpTo(first.from);
    const third = span.windowUpTo(second.from);
    expect([first, second, third].map(({ from, to }) => (to - from) / DAY)).toEqual([30, 30, 15]);
    expect(third.from).toBe(span.from);
  });

  it("counts months by the calendar", () => {
    const span = spanFor({ from: "startTime", to: "endTime", range: { months: 3 } }, { to: Date.UTC(2026, 4, 31) }, NOW);
    expect(span.from).toBe(Date.UTC(2026, 1, 28));
  });

  it("refuses a stretch that would take a call after call", () => {
    expect(() => spanFor({ from: "startTime", to: "endTime", range: { months: 3 } }, { from: 0, to: NOW }, NOW)).toThrow(
      "from must be at most 24 times 3 months before to",
    );
  });
});
