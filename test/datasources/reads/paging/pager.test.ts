import { isRead } from "@exchange-graph/contract/rows";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { spanFor } from "../../../../src/datasources/reads/paging/cursor.js";
import { type PagedList, pagesAtMost, slice } from "../../../../src/datasources/reads/paging/pager.js";
import { rowsOf } from "../../support/rowsOf.js";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 5, 15, 12, 0, 0);
const RULE = { from: "startTime", to: "endTime", range: { days: 30 }, age: { days: 90 } };

interface Row {
  readonly id: string;
  readonly at: number;
}
interface Asked {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** An exchange that pages by the last row's id and counts both ends of a window in. */
function listOver(rows: readonly Row[], asked: { from?: number; to?: number } = {}): { list: PagedList<Row>; calls: Asked[] } {
  const calls: Asked[] = [];
  const newestFirst = [...rows].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  const list: PagedList<Row> = {
    identity: ["rows"],
    maxPageSize: 10,
    span: spanFor(RULE, asked, NOW),
    rowKey: (row) => (isRead(row) ? row.id : row.rowId),
    page: (window, mark, limit) => {
      calls.push({ ...window, limit });
      const within = newestFirst.filter(({ at }) => at >= window.from && at <= window.to);
      const begin = mark === undefined ? 0 : within.findIndex(({ id }) => id === mark) + 1;
      const page = within.slice(begin, begin + limit);
      return Promise.resolve({ rows: page, next: page.at(-1)?.id });
    },
  };
  return { list, calls };
}

const spread = (count: number): Row[] =>
  Array.from({ length: count }, (_, at) => ({ id: `r${at}`, at: NOW - Math.floor((at * 85 * DAY) / Math.max(1, count)) }));

async function walk(list: PagedList<Row>, first: number): Promise<string[]> {
  const seen: string[] = [];
  let after: string | undefined;
  for (let page = 0; page < 500; page++) {
    const got = await slice(list, { first, after });
    seen.push(...rowsOf(got).map(({ id }) => id));
    if (!got.hasNextPage) return seen;
    after = got.rows.at(-1)?.cursor ?? after;
  }
  throw new Error("the walk does not end");
}

describe("a paged list", () => {
  it("gives every row once, newest first, for any page size", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(120), fc.integer({ min: 1, max: 40 }), async (count, first) => {
        const rows = spread(count);
        const { list } = listOver(rows);
        expect(await walk(list, first)).toEqual(rows.map(({ id }) => id));
      }),
      { numRuns: 60 },
    );
  });

  it("gives every row once where one lies on the border of two windows, and the page before ended there", async () => {
    const rows = spread(17);
    for (const first of [1, 7]) expect(await walk(listOver(rows).list, first)).toEqual(rows.map(({ id }) => id));
  });

  it("turns no more pages after a cursor of small pages than after any other", async () => {
    const { list, calls } = listOver(spread(120));
    const { rows } = await slice(list, { first: 1 });
    calls.length = 0;
    const got = await slice(list, { first: 40, after: rows[0]?.cursor });
    expect(calls.length).toBeLessThanOrEqual(pagesAtMost(40, 10, list.span.windows, true));
    expect(got.hasNextPage).toBe(true);
  });

  it("gives every row once where several lie on the border of two windows", async () => {
    const border = NOW - 30 * DAY;
    const rows = Array.from({ length: 7 }, (_, at) => ({ id: `b${at}`, at: border }));
    const { list } = listOver(rows, { to: NOW });
    const got = await slice(list, { first: 100 });
    expect(
      rowsOf(got)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(rows.map(({ id }) => id).sort());
    expect(got.hasNextPage).toBe(false);
  });

  it("goes on from any row's cursor", async () => {
    const rows = spread(45);
    const { list } = listOver(rows);
    const { rows: all } = await slice(list, { first: 45 });
    for (const at of [0, 3, 9, 10, 19, 31, 43]) {
      const rest = await slice(list, { first: 45, after: all[at]?.cursor });
      expect(rowsOf(rest).map(({ id }) => id)).toEqual(rows.slice(at + 1).map(({ id }) => id));
    }
  });

  it("continues after the last returned row, with any rows added or removed before it", async () => {
    const rows = spread(8);
    const { rows: shown } = await slice(listOver(rows).list, { first: 8 });
    const after = shown[3]?.cursor;
    const rest = async (now: readonly Row[]) => rowsOf(await slice(listOver(now).list, { first: 8, after })).map(({ id }) => id);
    const younger = { id: "new", at: NOW };
    expect(await rest([younger, ...rows])).toEqual(["r4", "r5", "r6", "r7"]);
    expect(await rest(rows.filter(({ id }) => id !== "r1"))).toEqual(["r4", "r5", "r6", "r7"]);
    expect(await rest(rows.filter(({ id }) => id !== "r3"))).toEqual(["r4", "r5", "r6", "r7"]);
  });

  it("gives every row once where pages are counted and rows move on to the next one", async () => {
    const rows = spread(12);
    let turn = 0;
    const numbered: PagedList<Row> = {
      ...listOver([]).list,
      span: spanFor({ ...RULE, range: { days: 90 } }, {}, NOW),
      isNumbered: true,
      page: (_window, mark, limit) => {
        const first = mark === undefined ? 0 : Number.parseInt(mark, 10);
        const added = Array.from({ length: turn++ }, (_, at): Row => ({ id: `new${at}`, at: NOW }));
        const page = [...added, ...rows].slice(first * limit, (first + 1) * limit);
        return Promise.resolve({ rows: page, next: page.length === 0 ? undefined : String(first + 1) });
      },
    };
    expect(await walk(numbered, 4)).toEqual(rows.map(({ id }) => id));
  });

  it("asks for no more rows than it gives, and never for more than a page holds", async () => {
    const { list, calls } = listOver(spread(100));
    await slice(list, { first: 5 });
    expect(calls.map(({ limit }) => limit)).toEqual([5]);
    await slice(list, { first: 25 });
    expect(calls.slice(1).every(({ limit }) => limit === 10)).toBe(true);
  });

  it("never asks for a longer range than the exchange allows, also when it resumes later", async () => {
    const { list, calls } = listOver(spread(80));
    const { rows } = await slice(list, { first: 20 });
    const later: PagedList<Row> = { ...list, span: spanFor(RULE, {}, NOW + 3_600_000) };
    await slice(later, { first: 100, after: rows.at(-1)?.cursor });
    expect(calls.every(({ from, to }) => to - from <= 30 * DAY && from <= to)).toBe(true);
  });

  it.each([0, -1, 501])("refuses first = %i", async (first) => {
    await expect(slice(listOver([]).list, { first })).rejects.toThrow("first must be a whole number from 1 to 500");
  });

  it.each(["", "!", "AAAA", Buffer.from('["x",1]').toString("base64url"), "A".repeat(3_000)])(
    "refuses the cursor %j",
    async (after) => {
      await expect(slice(listOver(spread(3)).list, { after })).rejects.toThrow("after must be a cursor of the same list");
    },
  );

  it("refuses another list's cursor", async () => {
    const { list } = listOver(spread(30));
    const { rows } = await slice(list, { first: 5 });
    await expect(slice({ ...list, identity: ["other"] }, { after: rows[0]?.cursor })).rejects.toThrow("same arguments");
  });
});
