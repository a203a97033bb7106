import { isRead } from "@exchange-graph/contract/rows";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MergeableList, merged } from "../../../../src/datasources/reads/paging/merged.js";
import { sliceTokenPaged } from "../../../../src/datasources/reads/paging/tokenPagedList.js";
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
});
