import { isRead } from "@exchange-graph/contract/rows";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Fault, isUnreadPart } from "../../../../src/datasources/errors/index.js";
import { type MergeableList, merged } from "../../../../src/datasources/reads/paging/merged.js";
import { sliceTokenPaged } from "../../../../src/datasources/reads/paging/pager.js";
import { rowsOf } from "../../support/rowsOf.js";

interface Row {
  readonly id: string;
  readonly createdTime: number;
}

/** A list of the exchange's: newest first, paged by the id of the last row, with a mark even on its last page. */
function listOf(name: string, times: readonly number[], calls: string[] = []): MergeableList<Row> {
  const rows = [...times].sort((a, b) => b - a).map((createdTime, at) => ({ id: `${name}${at}`, createdTime }));
  return {
    identity: [name],
    part: name,
    maxPageSize: 10,
    rowKey: (row) => (isRead(row) ? row.id : row.rowId),
    page: (mark, limit) => {
      calls.push(`${name} ${mark ?? "start"} ${limit}`);
      const begin = mark === undefined ? 0 : rows.findIndex(({ id }) => id === mark) + 1;
      const page = rows.slice(begin, begin + limit);
      return Promise.resolve({ rows: page, next: page.at(-1)?.id });
    },
  };
}

async function walk(lists: readonly MergeableList<Row>[], first: number): Promise<Row[]> {
  const seen: Row[] = [];
  let after: string | undefined;
  for (let page = 0; page < 500; page++) {
    const got = await sliceTokenPaged(merged(lists), { first, after });
    seen.push(...rowsOf(got));
    if (!got.hasNextPage) return seen;
    after = got.rows.at(-1)?.cursor ?? after;
  }
  throw new Error("the walk does not end");
}

describe("merged lists", () => {
  it("give every row of every list once, newest first, for any page size", async () => {
    const times = fc.array(fc.nat(50), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(times, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 35 }), async (all, first) => {
        const lists = all.map((one, at) => listOf("abcd".charAt(at), one));
        const seen = await walk(lists, first);
        expect(seen.map(({ createdTime }) => createdTime)).toEqual(all.flat().sort((a, b) => b - a));
        expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length);
      }),
      { numRuns: 100 },
    );
  });

  it("keep each list's own order where its times do not", async () => {
    const disordered: MergeableList<Row> = {
      ...listOf("a", []),
      page: () =>
        Promise.resolve({
          rows: [
            { id: "a0", createdTime: 1 },
            { id: "a1", createdTime: 9 },
          ],
          next: undefined,
        }),
    };
    const seen = await walk([disordered, listOf("b", [5])], 10);
    expect(seen.map(({ id }) => id)).toEqual(["b0", "a0", "a1"]);
  });

  it("ask a list no more once it has ended", async () => {
    const calls: string[] = [];
    const lists = [listOf("a", [9], calls), listOf("b", [8, 7, 6, 5], calls)];
    expect(await walk(lists, 2)).toHaveLength(5);
    expect(calls.filter((call) => call.startsWith("a"))).toEqual(["a start 2"]);
  });

  it("refuse a cursor whose mark is another number of lists, or none at all", async () => {
    const two = merged([listOf("a", [3, 1]), listOf("b", [2])]);
    const { rows } = await sliceTokenPaged(two, { first: 2 });
    const three = { ...merged([listOf("a", []), listOf("b", []), listOf("c", [])]), identity: two.identity };
    await expect(sliceTokenPaged(three, { first: 1, after: rows.at(-1)?.cursor })).rejects.toThrow("after must be a cursor");
    const unreadable = { ...two, page: () => Promise.resolve({ rows: [{ id: "x", createdTime: 1 }], next: "no JSON" }) };
    const { rows: bad } = await sliceTokenPaged(unreadable, { first: 1 });
    await expect(sliceTokenPaged(two, { first: 1, after: bad[0]?.cursor })).rejects.toThrow("after must be a cursor");
  });

  const failing = (name: string): MergeableList<Row> => ({
    ...listOf(name, []),
    page: () => Promise.reject(new Fault("EXCHANGE_UNAVAILABLE", "open orders: no answer")),
  });

  it("have every row of those that can be read, for any page size, and name each other one before the rows", async () => {
    const times = fc.uniqueArray(fc.nat(50), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(times, fc.integer({ min: 1, max: 35 }), async (own, first) => {
        const seen: number[] = [];
        let after: string | undefined;
        for (let page = 0; seen.length < own.length; page++) {
          expect(page).toBeLessThan(50);
          const got = await sliceTokenPaged(merged([listOf("a", own), failing("b")]), { first, after, isPartial: true });
          const [unread, ...others] = got.rows;
          expect([isUnreadPart(unread?.row), unread?.row]).toMatchObject([true, { part: "b" }]);
          expect(others.every(({ row }) => isRead(row))).toBe(true);
          seen.push(...rowsOf({ ...got, rows: others }).map(({ createdTime }) => createdTime));
          // A page in the middle is full whatever could not be read.
          if (seen.length < own.length) expect([others.length, got.hasNextPage]).toEqual([first, true]);
          after = got.rows.at(-1)?.cursor;
        }
        expect(seen).toEqual([...own].sort((a, b) => b - a));
      }),
      { numRuns: 100 },
    );
  });

  it("go on with the rows of a list that could not be read once it can be", async () => {
    const [a, b] = [listOf("a", [9, 7, 5]), listOf("b", [8, 6])];
    const before = await sliceTokenPaged(merged([a, failing("b")]), { first: 2, isPartial: true });
    const next = await sliceTokenPaged(merged([a, b]), { first: 9, after: before.rows.at(-1)?.cursor, isPartial: true });
    expect(rowsOf(next).map(({ id }) => id)).toEqual(["b0", "b1", "a2"]);
    // The cursor of the part that is missing leads to the same page.
    const again = await sliceTokenPaged(merged([a, b]), { first: 2, after: before.rows[0]?.cursor, isPartial: true });
    expect(rowsOf(again).map(({ id }) => id)).toEqual(["a0", "b0"]);
  });

  it("fail as a whole if none can be read, and wherever a part is not enough", async () => {
    const both = sliceTokenPaged(merged([failing("a"), failing("b")]), { first: 2, isPartial: true });
    await expect(both).rejects.toThrow("open orders: no answer");
    await expect(sliceTokenPaged(merged([listOf("a", [1]), failing("b")]), { first: 2 })).rejects.toThrow("no answer");
    const wrong = { ...failing("b"), page: () => Promise.reject(new Fault("BAD_USER_INPUT", "from must be later")) };
    const asked = sliceTokenPaged(merged([listOf("a", [1]), wrong]), { first: 2, isPartial: true });
    await expect(asked).rejects.toThrow("from must be later");
  });

  it("have the pages before one that cannot be read, and go on there", async () => {
    const whole = listOf("a", [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, -1, -2]);
    const second: MergeableList<Row> = {
      ...whole,
      page: (...page) => (page[0] === undefined ? whole.page(...page) : failing("a").page(...page)),
    };
    const got = await sliceTokenPaged(second, { first: 12, isPartial: true });
    expect(got.rows.map(({ row }) => (isRead(row) ? row.createdTime : row.message))).toEqual([
      "the rows after the first 10 could not be read: open orders: no answer",
      ...[9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
    ]);
    expect(got.hasNextPage).toBe(true);
    const rest = await sliceTokenPaged(whole, { first: 12, after: got.rows.at(-1)?.cursor });
    expect(rowsOf(rest).map(({ createdTime }) => createdTime)).toEqual([-1, -2]);
  });
});
