import { describe, expect, it } from "vitest";
import { example } from "../support/examples.js";
import { sharedGraph } from "./support/sharedGraph.js";

const live = sharedGraph();

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;

/** Every path of a result, with the kinds of its values; all rows of a list count as one path. */
function placesOf(value: unknown, path = "", found = new Map<string, Set<string>>()): Map<string, Set<string>> {
  const kind = value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
  found.set(path, (found.get(path) ?? new Set()).add(kind));
  if (Array.isArray(value)) for (const row of value) placesOf(row, `${path}[]`, found);
  else if (isRecord(value)) for (const [key, inner] of Object.entries(value)) placesOf(inner, `${path}.${key}`, found);
  return found;
}

/** Fields that one API version lacks: `null` there, and described as such. */
const ONE_GENERATION_ALONE = [
  // Trigger orders of Classic spot; a unified account has them only on futures.
  ".account.openOrders.edges[].node.tpslType",
  ".account.openOrders.edges[].node.triggerPrice",
];

/** Paths that have values on one account, and on the other none or values of another kind. */
function differences(one: unknown, other: unknown): string[] {
  const [here, there] = [placesOf(one), placesOf(other)];
  const lacking = (of: Map<string, Set<string>>, kinds: Map<string, Set<string>>) =>
    [...of].flatMap(([path, set]) => [...set].filter((kind) => kind !== "null" && !kinds.get(path)?.has(kind)).map(() => path));
  return [...new Set([...lacking(here, there), ...lacking(there, here)])].filter((path) => !ONE_GENERATION_ALONE.includes(path));
}

describe("the same document on a Classic and on a unified account", () => {
  it.each(["trading", "loans", "earn"])("%s is answered in the same shape", async (name) => {
    const [unified, classic] = await live.while(
      Promise.all(["main", "classic"].map((account) => live.run(example(name), { account }))),
    );
    expect([unified?.errors, classic?.errors]).toEqual([[], []]);
    expect(differences(unified?.data, classic?.data)).toEqual([]);
  });

  it.each(["portfolio", "risk", "dashboard"])("%s reads both in one answer, in the same shape", async (name) => {
    const { data } = await live.while(live.answer(example(name)));
    const [unified, classic] = ["main", "classic"].map((account) =>
      data.accounts.find((one: { readonly name: string }) => one.name === account),
    );
    expect(differences(unified, classic)).toEqual([]);
  });
});

/** Lists that are read in parts, with the endpoint of each mode that reads one; none where the mode has one list. */
const IN_PARTS: readonly (readonly [field: string, inside: string, unified: string, classic: string])[] = [
  ["positions", "symbol", "positions", "classicPositions"],
  ["openOrders(first: FIRST)", "nodes { orderId }", "", "classicFuturesOpenOrders"],
  ["orderHistory(first: FIRST)", "nodes { orderId }", "orderHistory", "classicFuturesOrderHistory"],
  ["fills(first: FIRST)", "nodes { execId }", "", "classicFuturesFills"],
  ["planOrders(first: FIRST)", "nodes { orderId }", "openPlanOrders", "classicOpenPlanOrders"],
  ["planOrderHistory(first: FIRST)", "nodes { orderId }", "planOrderHistory", "classicPlanOrderHistory"],
  ["positionHistory(first: FIRST)", "nodes { positionId }", "positionHistory", "classicPositionHistory"],
  ["financialRecords(first: FIRST)", "nodes { recordId }", "financialRecords", "classicFuturesBills"],
  ["fundingPayments(first: FIRST)", "nodes { recordId }", "financialRecords", "classicFuturesBills"],
  ["feeRates", "symbol", "feeRates", "classicFeeRates"],
  ["futuresAccounts", "marginCoin", "", "futuresAccounts"],
];
const ROWS_IN_PARTS = IN_PARTS.flatMap(([field, inside, unified, classic]) => [
  ...(unified === "" ? [] : [["main", field, inside, unified] as const]),
  ["classic", field, inside, classic] as const,
]);

describe("a list that is read in parts", () => {
  const REFUSED = { kind: "answer", status: 403, code: "40014", msg: "no" } as const;

  async function rowsOf(account: string, field: string, inside: string, first: number) {
    const list = field.replace("FIRST", String(first));
    const { data, errors } = await live.while(live.run(`{ account(name: "${account}") { list: ${list} { ${inside} } } }`));
    const rows: readonly unknown[] | undefined = data.account.list?.nodes ?? data.account.list;
    return { rows, errors };
  }

  it.each(ROWS_IN_PARTS)(
    "of %s, %s, has what can be read if one part fails, and names that part",
    async (account, field, inside, endpoint) => {
      const whole = await rowsOf(account, field, inside, 300);
      expect(whole.errors).toEqual([]);
      live.nextMinute();
      // Histories of 90 days are read in windows, and their answers are kept.
      live.clock.advance(600_000);
      const rule = live.sandbox.faults.add({ endpoint, fault: REFUSED, times: 1 });
      const { rows, errors } = await rowsOf(account, field, inside, 20);
      live.sandbox.faults.remove(rule);
      expect(rows?.[0]).toBe(null);
      expect(rows?.slice(1)).not.toContain(null);
      const [error] = errors;
      expect(errors.length).toBe(1);
      expect(error?.path?.at(-1)).toBe(0);
      expect(error?.extensions).toMatchObject({ code: "FORBIDDEN", part: expect.stringMatching(/^[A-Z]/) });
      expect(error?.message).toMatch(new RegExp(`^${error?.extensions.part} could not be read: `));
      const texts = (all: readonly unknown[] = []) => new Set(all.map((row) => JSON.stringify(row)));
      for (const row of texts(rows?.slice(1))) expect(texts(whole.rows)).toContain(row);
    },
  );
});
