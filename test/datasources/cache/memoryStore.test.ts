import { ManualClock } from "@exchange-graph/contract/clock";
import { expect, it } from "vitest";
import { MemoryStore } from "../../../src/datasources/cache/memoryStore.js";
import { usedHeap } from "../../support/heap.js";

const fresh = (text: string) => ({ value: text, again: () => text, askedAt: 1_000, isWhole: true, bytes: text.length });

it("keeps no more than its bytes: the least recently used answers go, however few they are", async () => {
  const store = new MemoryStore(new ManualClock(1_000), { maxEntries: 100, maxBytes: 100_000 });
  const large = "x".repeat(8_000);
  for (const key of ["a", "b", "c"]) await store.set(key, fresh(large), 60_000);
  expect(await store.get("a")).toBeUndefined();
  expect((await store.get("c"))?.value).toBe(large);
  expect(store.bytes).toBeLessThanOrEqual(100_000);
  await store.set("too large", fresh("x".repeat(30_000)), 60_000);
  expect(await store.get("too large")).toBeUndefined();
});

it("lets go of answers that have ended, whether or not anybody asks for them", async () => {
  const clock = new ManualClock(1_000);
  const store = new MemoryStore(clock, { maxEntries: 100, maxBytes: 1_000_000 });
  await store.set("short", fresh("x"), 500);
  const one = store.bytes;
  await store.set("long", fresh("x"), 60_000);
  clock.advance(1_000);
  await store.set("next", fresh("x"), 60_000);
  expect(store.bytes).toBeLessThan(one * 2.1);
});

it("takes no more memory the longer it is used: answers with windows of time that move on", async () => {
  const clock = new ManualClock(1_000);
  const store = new MemoryStore(clock, { maxEntries: 1_000, maxBytes: 4_000_000 });
  const use = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      for (let at = 0; at < 20; at++) await store.set(`candles?endTime=${clock.now()}&${at}`, fresh(`${at}`.repeat(200)), 5_000);
      clock.advance(1_000);
    }
    return usedHeap();
  };
  const before = await use(500);
  expect((await use(5_000)) - before).toBeLessThan(500_000);
});
