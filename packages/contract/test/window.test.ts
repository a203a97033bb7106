import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inWords, keptStart, before as spanBefore } from "../src/window.js";

const DAY_MS = 86_400_000;
const utc = (text: string): number => Date.parse(`${text}Z`);

describe("a span of time", () => {
  it("of days is a number of days, to the millisecond", () => {
    expect(spanBefore(utc("2026-03-31T12:00:00.123"), { days: 30 })).toBe(utc("2026-03-01T12:00:00.123"));
  });

  it.each([
    ["2026-05-15T08:30:00.500", 3, "2026-02-15T08:30:00.500"],
    ["2026-05-31T12:00:00", 3, "2026-02-28T12:00:00"],
    ["2024-05-31T12:00:00", 3, "2024-02-29T12:00:00"],
    ["2026-03-01T00:00:00", 3, "2025-12-01T00:00:00"],
    ["2026-01-31T23:59:59.999", 3, "2025-10-31T23:59:59.999"],
    ["2026-12-31T00:00:00", 1, "2026-11-30T00:00:00"],
    ["2024-02-29T00:00:00", 12, "2023-02-28T00:00:00"],
  ])("before %s of %d months begins at %s", (at, months, expected) => {
    expect(new Date(spanBefore(utc(at), { months })).toISOString()).toBe(new Date(utc(expected)).toISOString());
  });

  it("of three months is 89 to 92 days long, at the same time of day", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: utc("2100-01-01") }), (at) => {
        const length = at - spanBefore(at, { months: 3 });
        expect(length % DAY_MS).toBe(0);
        expect(length).toBeGreaterThanOrEqual(89 * DAY_MS);
        expect(length).toBeLessThanOrEqual(92 * DAY_MS);
      }),
    );
  });

  it("has a start that moves with the time at which its call leaves, by whole seconds, and never beyond its end", () => {
    const rule = { from: "startTime", to: "endTime", age: { days: 90 } };
    const now = utc("2026-06-15T12:00:00.250");
    const oldest = now - 90 * DAY_MS;
    expect(keptStart(rule, oldest, now, now)).toBe(utc("2026-03-17T12:00:06"));
    expect(keptStart(rule, oldest, now, now + 700)).toBe(utc("2026-03-17T12:00:06"));
    expect(keptStart(rule, oldest, now, now + 60_000)).toBe(utc("2026-03-17T12:01:06"));
    expect(keptStart(rule, now - DAY_MS, now, now)).toBe(now - DAY_MS);
    expect(keptStart(rule, oldest, oldest + 1_000, now)).toBe(oldest + 1_000);
    expect(keptStart(rule, oldest - 2, oldest - 1, now)).toBe(oldest - 2);
    expect(keptStart({ from: "startTime", to: "endTime" }, 0, now, now)).toBe(0);
  });

  it("is described in words", () => {
    expect(inWords({ days: 90 })).toBe("90 days");
    expect(inWords({ months: 3 })).toBe("3 months");
  });
});
