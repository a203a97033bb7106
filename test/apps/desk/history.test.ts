import { describe, expect, it } from "vitest";
import { linesOf } from "../../../apps/desk/src/panels/history/lines.js";
import { totalsOf, weeksOf } from "../../../apps/desk/src/panels/history/month.js";
import { addressOfRange, rangeFrom, requestOf } from "../../../apps/desk/src/panels/history/ranges.js";
import { unionOf, valuesOf } from "../../../apps/desk/src/panels/history/tracks.js";
import { absences, continued, trackOf, unsettledFrom, type Worths } from "../../../apps/desk/src/panels/history/worth.js";

const HOUR_MS = 3_600_000;
const START = Date.parse("2026-11-01T00:00:00Z");
const iso = (ms: number): string => new Date(ms).toISOString();
type Point = Worths["points"][number];

/** The sample of an hour. `flows` null: why equity changed is not known. */
const point = (hour: number, equity: string, flows: string | null = "0", source: Point["source"] = "STREAM"): Point => ({
  ...{ time: iso(START + hour * HOUR_MS), sampledTime: iso(START + hour * HOUR_MS), source, equity, low: equity, high: equity },
  change: flows === null ? null : { total: "0", flows },
});
const gap = (from: number, to: number): Worths["gaps"][number] => ({
  ...{ startTime: iso(START + from * HOUR_MS), endTime: iso(START + to * HOUR_MS), reason: "INTERRUPTED" },
});
const worths = (points: readonly Point[], gaps: Worths["gaps"] = []): Worths => ({
  missingAccounts: [],
  points: [...points],
  gaps,
});
const hours = (track: ReturnType<typeof trackOf>) => track.slots.map(({ at }) => (at - START) / HOUR_MS);

describe("a curve of equity in the desk", () => {
  it("has a drawdown without deposits and withdrawals, from the highest value before", () => {
    const { slots } = trackOf(
      worths([point(1, "100", null), point(2, "200", "100"), point(3, "150"), point(4, "300", "150")]),
      "HOUR",
    );
    expect(slots.map(({ index }) => index)).toEqual(["1", "1", "0.75", "0.75"]);
    expect(slots.map(({ drawdown }) => drawdown)).toEqual(["0", "0", "-0.25", "-0.25"]);
  });

  it("has neither index nor drawdown where changes are not known, rather than a wrong one", () => {
    const points = [point(1, "100"), point(2, "110"), point(3, "90", null), point(4, "99"), point(5, "50", null)];
    const track = trackOf(worths(points), "HOUR");
    expect(track.slots.map(({ index }) => index)).toEqual([null, null, "1", "1.1", null]);
    expect(track.indexedFrom).toBe(START + 3 * HOUR_MS);
    const nothing = trackOf(worths([point(1, "0"), point(2, "10")]), "HOUR");
    expect(nothing.slots.map(({ index, drawdown }) => [index, drawdown])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it("keeps a gap as wide as it was long, with its reason, and draws no line across it", () => {
    const track = trackOf(worths([point(1, "100"), point(2, "101"), point(5, "102"), point(7, "103")], [gap(2, 4)]), "HOUR");
    expect(hours(track)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(track.slots.map(({ gap: found }) => found?.reason)).toEqual([
      ...[undefined, undefined, "INTERRUPTED", "INTERRUPTED", undefined, undefined, undefined],
    ]);
    expect([...absences(track)]).toEqual([
      ["INTERRUPTED", 2 * HOUR_MS],
      [undefined, HOUR_MS],
    ]);
    const [line] = linesOf({ slots: track.slots, values: valuesOf(track, "equity") });
    expect(line?.points.map(({ isJoined }) => isJoined)).toEqual([true, false]);
    expect(line?.alone.map(({ at }) => (at - START) / HOUR_MS)).toEqual([5, 7]);
  });

  it("draws what was not recorded in another style, and a source that it does not know in a third", () => {
    // A later version of the gateway may name others.
    const unknown = "GUESSED" as Point["source"];
    const points = [
      point(1, "1", "0", unknown),
      point(2, "2", "0", "RECONSTRUCTED"),
      point(3, "3", "0", "RECONSTRUCTED"),
      point(4, "4"),
      point(5, "5"),
    ];
    const track = trackOf(worths(points), "HOUR");
    const lines = linesOf({ slots: track.slots, values: valuesOf(track, "equity") });
    const drawn = lines.map(({ style, points: of, isLast }) => [
      style,
      of.map(({ slot }) => (slot.at - START) / HOUR_MS),
      isLast,
    ]);
    expect(drawn).toEqual([
      ["other", [1, 2], false],
      ["reconstructed", [2, 3, 4], false],
      ["recorded", [4, 5], true],
    ]);
  });

  it("is continued by what was read later, also where a change became known", () => {
    const old = worths([point(1, "100"), point(2, "101"), point(3, "102", null)], [gap(0, 1)]);
    expect(unsettledFrom(old)).toBe(iso(START + 2 * HOUR_MS));
    const next = continued(old, worths([point(2, "101"), point(3, "103", "1"), point(5, "104")], [gap(3, 4)]));
    expect(next.points.map(({ equity, change }) => [equity, change?.flows])).toEqual([
      ["100", "0"],
      ["101", "0"],
      ["103", "1"],
      ["104", "0"],
    ]);
    expect(next.gaps).toEqual([gap(0, 1), gap(3, 4)]);
    expect(continued(old, worths([]))).toBe(old);
  });

  it("is compared with others at all of their times, indexed to 100", () => {
    const [one, two] = [
      trackOf(worths([point(1, "50"), point(2, "60")]), "HOUR"),
      trackOf(worths([point(2, "10"), point(3, "20")]), "HOUR"),
    ];
    const lines = [one, two].map((track) => ({ slots: track.slots, values: valuesOf(track, "index") }));
    expect(unionOf(lines).map(({ at }) => (at - START) / HOUR_MS)).toEqual([1, 2, 3]);
    expect([...(lines[0]?.values.values() ?? [])]).toEqual(["100", "120"]);
  });
});

describe("a range of the history", () => {
  const now = Date.parse("2026-11-26T13:14:15Z");

  it("has an interval with enough points, and never more than the graph allows", () => {
    for (const [text, interval] of [
      ["1D", "MINUTE"],
      ["1W", "HOUR"],
      ["3M", "HOUR"],
      ["1Y", "DAY"],
      ["all", "DAY"],
      ["2026-11-25..2026-11-25", "MINUTE"],
      // Minutes are no longer kept.
      ["2026-01-01..2026-01-01", "HOUR"],
      ["2025-01-01..2026-01-01", "DAY"],
    ] as const) {
      const request = requestOf(rangeFrom(text), "UTC", now);
      const length = { MINUTE: 60_000, HOUR: HOUR_MS, DAY: 24 * HOUR_MS }[request.interval];
      const points = ((request.to === null ? now : Date.parse(request.to)) - Date.parse(request.from)) / length;
      expect([text, request.interval, points < 2_999]).toEqual([text, interval, true]);
    }
  });

  it("is a part of the address; another text is that of a month", () => {
    for (const text of ["1D", "all", "2026-10-01..2026-10-31"]) expect(addressOfRange(rangeFrom(text))).toBe(text);
    for (const text of [undefined, "", "5X", "2026-10-31..2026-10-01", "2026-13-01..2026-14-01"])
      expect(addressOfRange(rangeFrom(text))).toBe("1M");
  });

  it("contains both of its days, in the time zone", () => {
    expect(requestOf(rangeFrom("2026-10-01..2026-10-31"), "UTC", now)).toEqual({
      ...{ from: "2026-10-01T00:00:00.000Z", to: "2026-11-01T00:00:00.000Z", interval: "HOUR" },
    });
    expect(requestOf(rangeFrom("2026-10-01..2026-11-26"), "UTC", now).to).toBeNull();
  });
});

describe("a month of profit", () => {
  const MONTH = Date.parse("2026-11-01T00:00:00Z");
  const day = (date: number, profit: string | null) => ({
    ...{ startTime: iso(MONTH + (date - 1) * 24 * HOUR_MS), profit, flows: profit, equity: "1" },
    dailyReturn: { value: null, reason: "TOO_FEW_POINTS" as const },
    missingAccounts: [],
  });

  it("has whole weeks from Monday on", () => {
    const weeks = weeksOf(MONTH, [day(1, "5")]);
    expect(weeks.map((week) => week.length)).toEqual([7, 7, 7, 7, 7, 7]);
    expect(weeks[0]?.map((found) => found?.profit?.profit)).toEqual([...Array.from({ length: 6 }, () => undefined), "5"]);
    expect(weeks.flat().filter((found) => found !== undefined)).toHaveLength(30);
  });

  it("names the days that its sums lack, and counts the days without a sample between others", () => {
    const before = { ...day(1, "99"), startTime: iso(MONTH - 24 * HOUR_MS) };
    const { profit, skipped } = totalsOf(MONTH, [before, day(2, null), day(3, "1.5"), day(6, "-0.25")]);
    expect([profit, skipped]).toEqual([{ value: "1.25", without: ["11-02"] }, 2]);
  });
});
