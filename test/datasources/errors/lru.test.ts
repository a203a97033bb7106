import { expect, it } from "vitest";
import { growingLru, lruByWeight } from "../../../src/datasources/errors/lru.js";
import { usedHeap } from "../../support/heap.js";

it("keeps the entries that were used last", () => {
  const kept = growingLru<number>(3);
  for (const [at, key] of ["a", "b", "c"].entries()) kept.set(key, at);
  kept.get("a");
  kept.set("d", 3);
  expect([...kept.rkeys()]).toEqual(["c", "a", "d"]);
});

it("never weighs more than it may, and keeps nothing that would push out too much else", () => {
  const kept = lruByWeight<string>(100, (text) => text.length);
  for (let at = 0; at < 50; at++) kept.set(String(at), "x".repeat(10));
  expect([kept.size, kept.calculatedSize]).toEqual([10, 100]);
  kept.get("40");
  kept.set("50", "y".repeat(10));
  expect([kept.has("40"), kept.has("41")]).toEqual([true, false]);
  kept.set("51", "z".repeat(11));
  expect(kept.has("51")).toBe(false);
  kept.set("52", "");
  expect(kept.get("52")).toBe("");
});

it("holds on to nothing that was deleted, however much comes and goes", async () => {
  const kept = growingLru<object>(1_000);
  const before = await usedHeap();
  for (let at = 0; at < 300_000; at++) {
    kept.set(`key ${at}`, { text: `value ${at}` });
    kept.delete(`key ${at - 100}`);
  }
  expect(kept.size).toBe(100);
  expect((await usedHeap()) - before).toBeLessThan(1_000_000);
});
