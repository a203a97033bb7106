import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { highestLoads, LOADS, recoveries, sizes } from "../../bench/clusters/compare.js";
import { place } from "../../bench/clusters/placement.js";
import { Rendezvous } from "../../bench/clusters/rendezvous.js";
import { CAPACITIES, type Load, sizeOf } from "../../bench/clusters/sizing.js";

/** The page's largest load takes seconds to place, so it is opt-in. */
const ACCOUNTS = Number(process.env.CLUSTER_ACCOUNTS ?? "10000");

const page = readFileSync("docs/sharding.md", "utf8");
const row = (load: Load) => {
  const sizing = sizeOf(load);
  return { load, sizing, placed: place(load, sizing) };
};
const cells = (table: string): string[] => table.split("\n").map((line) => line.replaceAll(/[ -]+/g, " "));

describe("the page on several clusters", () => {
  it("has the sizes that the arithmetic gives", () => {
    expect(page).toContain(sizes(LOADS.map((load) => ({ load, sizing: sizeOf(load) }))));
  });

  it("has the highest loads that the simulation gives", () => {
    const onPage = new Set(cells(page));
    const [, , ...rows] = cells(highestLoads(LOADS.filter(({ accounts }) => accounts <= ACCOUNTS).map(row)));
    expect(rows.length).toBeGreaterThan(0);
    for (const line of rows) expect(onPage).toContain(line);
  });

  it("has the times to come back that the simulation gives", () => {
    expect(page).toContain(recoveries());
  });
});

describe("the simulation", () => {
  const { sizing, placed } = row({ accounts: 2_000, listeners: 4_000 });

  it("fills no address beyond what it can carry, not even while a cluster is down", () => {
    expect(placed.sockets).toBeLessThanOrEqual(CAPACITIES.sockets);
    expect(placed.socketsWithOneDown).toBeLessThanOrEqual(CAPACITIES.sockets);
  });

  it("says so when the arithmetic gives too few addresses", () => {
    expect(() => place({ accounts: 2_000, listeners: 1 }, { ...sizing, addresses: Math.floor(sizing.addresses / 3) })).toThrow(
      "has capacity",
    );
  });
});

describe("rendezvous hashing", () => {
  const keys = Array.from({ length: 6_000 }, (_, at) => `account-${at}`);
  const nodes = ["a", "b", "c", "d", "e", "f"];

  it("gives every node about the same", () => {
    const hashing = new Rendezvous(nodes);
    const counts = nodes.map((_, node) => keys.filter((key) => hashing.owner(key) === node).length);
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  it("moves only what a new node takes", () => {
    const [before, after] = [new Rendezvous(nodes), new Rendezvous([...nodes, "g"])];
    const moved = keys.filter((key) => before.owner(key) !== after.owner(key));
    expect(new Set(moved.map((key) => after.owner(key)))).toEqual(new Set([nodes.length]));
    expect(Math.abs(moved.length - keys.length / 7)).toBeLessThan(150);
  });

  it("moves only what a node that left had", () => {
    const hashing = new Rendezvous(nodes);
    for (const key of keys) {
      const [before, after] = [hashing.owner(key), hashing.owner(key, (node) => node !== 2)];
      expect(after === before).toBe(before !== 2);
    }
  });

  it("names no node if none can take a key", () => {
    expect(new Rendezvous(nodes).owner("account-1", () => false)).toBe(-1);
  });
});
