import { ManualClock } from "@exchange-graph/contract/clock";
import { beforeEach, describe, expect, it } from "vitest";
import { Refresher } from "../../../../src/datasources/reads/reader/refresher.js";
import { settled } from "../../../support/eventually.js";

const RATE = { limit: 10, windowMs: 1_000 };
const BOUND_MS = 30_000;

let clock: ManualClock;
let fetched: string[];
let takes: (key: string) => Promise<void>;
let failures: unknown[];
let refresher: Refresher;
beforeEach(() => {
  clock = new ManualClock(1_800_000_000_000);
  fetched = [];
  takes = async () => undefined;
  failures = [];
  refresher = new Refresher(clock, (_, error) => failures.push(error));
});

/** A read of an answer of this age. */
function read(key: string, { ageMs = 0, isFresh = false, client = "", owner = "main", boundMs = BOUND_MS, rate = RATE } = {}) {
  const fetch = async () => {
    const requestedAt = clock.now();
    fetched.push(key);
    await takes(key);
    return requestedAt;
  };
  const requester = { client, weight: 1, refusal: () => undefined, onceRefused: () => () => undefined };
  const what = { key, endpoint: "loanOngoing", budget: "loanOngoing uid", rate, owner, fetch };
  refresher.read(key, requester, { requestedAt: clock.now() - ageMs, boundMs, isFresh }, () => what);
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 100) {
    await settled(2);
    clock.advance(100);
  }
  await settled(2);
}

describe("what is kept fresh", () => {
  it("is fetched at once where it was read too old, and not where it was fresh", async () => {
    read("new", { isFresh: true });
    read("old", { ageMs: 5_000 });
    await pass(1_000);
    expect(fetched).toEqual(["old"]);
  });

  it("refreshes what is read repeatedly: before it is too old, and only as long as it is read", async () => {
    read("once", { isFresh: true });
    for (let round = 0; round < 3; round++) {
      read("often", { isFresh: true });
      await pass(20_000);
    }
    expect(fetched.length).toBeGreaterThanOrEqual(2);
    await pass(60_000);
    const total = fetched.length;
    await pass(200_000);
    expect(fetched).toHaveLength(total);
    expect(fetched).not.toContain("once");
  });

  it("does not refresh what is read too rarely", async () => {
    for (let round = 0; round < 3; round++) {
      read("rarely", { isFresh: true });
      await pass(60_000);
    }
    expect(fetched).toEqual([]);
  });

  it("is what is read again although thousands of other things were read once meanwhile, and not ten thousand", async () => {
    for (const [others, isKept] of [
      [4_000, true],
      [10_000, false],
    ] as const) {
      const key = `beside ${others}`;
      read(key, { isFresh: true });
      for (let other = 0; other < others; other++) read(`${other} of ${others}`, { isFresh: true });
      await pass(15_000);
      read(key, { isFresh: true });
      await pass(20_000);
      expect(fetched.includes(key)).toBe(isKept);
    }
  });

  it("is as new as the smallest bound of those who read it asks for", async () => {
    read("a", { isFresh: true });
    await pass(500);
    read("a", { isFresh: true, boundMs: 5_000 });
    await pass(9_500);
    expect(fetched).toEqual(["a", "a", "a"]);
  });

  it("takes half of a budget at most, one call at a time", async () => {
    for (let at = 0; at < 40; at++) read(`${at}`, { ageMs: 1_000 + at });
    await pass(4_000);
    expect(fetched.length).toBeGreaterThanOrEqual(19);
    expect(fetched.length).toBeLessThanOrEqual(21);
    let finish = (): void => undefined;
    takes = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    await pass(3_000);
    const under = fetched.length;
    await pass(3_000);
    expect(fetched).toHaveLength(under);
    finish();
    takes = async () => undefined;
    await pass(200);
    expect(fetched.length).toBeGreaterThan(under);
  });

  it("goes by clients and accounts in turns, and of each by age", async () => {
    read("first", { ageMs: 1_000, client: "x" });
    await settled(2);
    for (let at = 0; at < 4; at++) read(`greedy ${at}`, { ageMs: 20_000 - at, client: "greedy", owner: at < 3 ? "a" : "b" });
    read("modest", { ageMs: 1_000, client: "modest" });
    await pass(1_400);
    expect(fetched).toEqual(["first", "greedy 0", "modest", "greedy 3", "greedy 1", "greedy 2"]);
  });

  it("is retried some time after it failed, and the failure is reported", async () => {
    takes = () => Promise.reject(new Error("no"));
    read("a", { ageMs: 1_000 });
    await pass(1_000);
    read("a", { ageMs: 2_000 });
    await pass(3_000);
    expect(failures).toHaveLength(1);
    await pass(2_000);
    expect(fetched).toHaveLength(2);
  });

  it("drops the answers of a removed account, and all answers when it is closed", async () => {
    read("busy", { ageMs: 1_000 });
    read("main", { ageMs: 1_000 });
    read("other", { ageMs: 1_000, owner: "other" });
    refresher.forget("main");
    await pass(1_000);
    expect(fetched).toEqual(["busy", "other"]);
    read("other", { ageMs: 1_000, owner: "other" });
    refresher.close();
    await pass(60_000);
    expect(fetched).toHaveLength(3);
  });

  it("is bounded: what was read longest ago is not watched any more", async () => {
    for (let at = 0; at < 6_000; at++) read(`${at}`, { isFresh: true });
    read("0", { ageMs: 10_000 });
    await pass(100);
    expect(fetched).toEqual(["0"]);
  });
});
