import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { example } from "../support/examples.js";
import { type LiveGraph, startLiveGraph } from "./support/liveGraph.js";

let live: LiveGraph;
beforeAll(async () => {
  live = await startLiveGraph();
});
afterAll(() => live.close());
beforeEach(() => live.nextMinute());

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
    const { data, errors } = await live.while(live.run(example(name)));
    expect(errors).toEqual([]);
    const [unified, classic] = ["main", "classic"].map((account) =>
      data.accounts.find((one: { readonly name: string }) => one.name === account),
    );
    expect(differences(unified, classic)).toEqual([]);
  });
});
