import { ManualClock } from "@exchange-graph/contract/clock";
import { expect, it } from "vitest";
import { AnswerMemory } from "../../../../src/datasources/reads/cache/memoryCache.js";
import { usedHeap } from "../../../support/heap.js";

const fresh = (text: string) => ({
  body: Buffer.from(text),
  decode: (text: string) => ({ value: text, isWhole: true }),
  requestedAt: 1_000,
  isWhole: true,
  version: 0,
});

it("keeps no more than its bytes: the least recently used answers go, however few they are", () => {
  const store = new AnswerMemory(new ManualClock(1_000), { maxEntries: 100, maxBytes: 100_000 });
  const large = "x".repeat(8_000);
  for (const key of ["a", "b", "c"]) store.set(key, fresh(large), 60_000);
  expect(store.get("a")).toBeUndefined();
  expect(store.get("c")?.value).toBe(large);
  expect(store.bytes).toBeLessThanOrEqual(100_000);
  store.set("too large", fresh("x".repeat(30_000)), 60_000);
  expect(store.get("too large")).toBeUndefined();
});

it("returns each answer unchanged, or not at all, with any number of later ones, and those that were read in any case", () => {
  const store = new AnswerMemory(new ManualClock(1_000), { maxEntries: 1_000, maxBytes: 500_000 });
  const textOf = (at: number) => `${at} `.repeat(1 + ((at * 37) % 900));
  store.set("read", fresh("looked at"), 60_000);
  expect(store.get("read")?.value).toBe("looked at");
  let found = 0;
  for (let at = 0; at < 900; at++) {
    store.set(String(at), fresh(textOf(at)), 60_000);
    store.get("read");
    for (const back of [1, 7, 20, 60]) {
      if (at < back || (at - back) % 10 !== 0) continue;
      const entry = store.get(String(at - back));
      if (entry === undefined) continue;
      found++;
      expect(entry.value).toBe(textOf(at - back));
    }
  }
  expect(found).toBeGreaterThan(100);
  expect(store.get("read")?.value).toBe("looked at");
});

it("keeps answers however many bytes it may have", () => {
  for (const maxBytes of [1_048_576, 68_719_476_736]) {
    const store = new AnswerMemory(new ManualClock(1_000), { maxEntries: 100, maxBytes });
    store.set("key", fresh("text"), 60_000);
    expect(store.get("key")?.value).toBe("text");
  }
});

it("drops expired answers, with or without reads", () => {
  const clock = new ManualClock(1_000);
  const store = new AnswerMemory(clock, { maxEntries: 100, maxBytes: 1_000_000 });
  store.set("short", fresh("x"), 500);
  const one = store.bytes;
  store.set("long", fresh("x"), 60_000);
  clock.advance(1_000);
  store.set("next", fresh("x"), 60_000);
  expect(store.bytes).toBeLessThan(one * 2.1);
});

it("takes no more memory the longer it is used: answers with windows of time that move on", async () => {
  const clock = new ManualClock(1_000);
  const store = new AnswerMemory(clock, { maxEntries: 1_000, maxBytes: 4_000_000 });
  const use = (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      for (let at = 0; at < 20; at++) store.set(`candles?endTime=${clock.now()}&${at}`, fresh(`${at}`.repeat(200)), 5_000);
      clock.advance(1_000);
    }
    return usedHeap();
  };
  const before = await use(500);
  expect((await use(5_000)) - before).toBeLessThan(500_000);
});
