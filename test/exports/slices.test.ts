import { DAY_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import type { ExportList } from "../../src/exports/exportLists.js";
import type { ExportRow } from "../../src/exports/exportRows.js";
import type { PacedRead } from "../../src/exports/pacedReads.js";
import { inSlices } from "../../src/exports/slices.js";
import { seeded } from "../support/seeded.js";

const START = Date.UTC(2026, 8, 1);
const SPAN = { from: START, to: START + 60 * DAY_MS };

const rowAt = (time: number, number: number): ExportRow => {
  const id = String(number).padStart(6, "0");
  return { time, id, list: "one", cells: { id } };
};

/** A list of the exchange; `isOpen`: it leaves out the very ends of a range. */
function listOf(rows: readonly ExportRow[], isOpen: boolean): { readonly list: ExportList; readonly asked: () => number } {
  const newestFirst = [...rows].sort((one, other) => other.time - one.time || (one.id < other.id ? 1 : -1));
  let asked = 0;
  const list: ExportList = async (_context, { from, to, first, after }) => {
    asked++;
    const within = newestFirst.filter(({ time }) => (isOpen ? time > from && time < to : time >= from && time <= to));
    const at = Number.parseInt(after ?? "0", 10);
    return { rows: within.slice(at, at + first), next: at + first < within.length ? String(at + first) : undefined };
  };
  return { list, asked: () => asked };
}

const ask: PacedRead = (read) => read(Object.create(null));

/** Quiet days, a burst of seconds, thousands within one millisecond, and the ends of the range. */
function worldOf(seed: number): readonly ExportRow[] {
  const random = seeded(seed);
  const times = [
    ...Array.from({ length: 2_000 }, () => START + random(60 * DAY_MS)),
    ...Array.from({ length: 5_000 }, (_, number) => START + 20 * DAY_MS + Math.floor(number / 3)),
    ...Array.from({ length: 2_500 }, () => START + 40 * DAY_MS - 1),
    ...[SPAN.from, SPAN.from, SPAN.to, SPAN.to],
    ...Array.from({ length: 50 }, (_, number) => START + number * DAY_MS + 7 * MINUTE_MS),
  ];
  return times.map(rowAt);
}

describe("the slices of an export", () => {
  it.each([1, 2, 3])(
    "have each row once and in order, wherever they end and whichever ends the exchange includes (%i)",
    async (seed) => {
      const rows = worldOf(seed);
      const expected = [...rows]
        .sort((one, other) => one.time - other.time || (one.id < other.id ? -1 : 1))
        .map(({ time, id }) => `${time} ${id}`);
      for (const isOpen of [false, true]) {
        const { list, asked } = listOf(rows, isOpen);
        const found: string[] = [];
        let [until, largest] = [START - 1, 0];
        for await (const slice of inSlices([list, list], SPAN, 0, ask)) {
          for (const { time, id } of slice.rows) {
            expect(time > until && time <= slice.until).toBe(true);
            found.push(`${time} ${id}`);
          }
          until = slice.until;
          largest = Math.max(largest, slice.rows.length);
        }
        expect(found).toEqual(expected);
        expect(until).toBe(SPAN.to);
        // All of one millisecond are in one slice; every other one is small.
        expect(largest).toBeLessThan(2_600);
        // Two lists, in pages of 500: without bursts it would be a fifth of it.
        expect(asked()).toBeLessThan(600);
      }
    },
  );
});
