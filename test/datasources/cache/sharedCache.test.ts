import { ManualClock } from "@exchange-graph/contract/clock";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { SharedCache } from "../../../src/datasources/cache/sharedCache.js";

const LIFETIME = { freshMs: 1_000, staleMs: 4_000 };

describe("the shared cache", () => {
  let clock: ManualClock;
  let cache: SharedCache;
  beforeEach(() => {
    clock = new ManualClock(1_000_000);
    cache = new SharedCache(clock, { maxEntries: 3, maxBytes: 1_000_000 });
  });
  const fresh = (value: unknown, askedAt = clock.now()) => ({ value, again: () => value, askedAt, isWhole: true, bytes: 10 });
  const put = (key: string, value: unknown = key, askedAt = clock.now()) =>
    cache.set("topic", key, fresh(value, askedAt), LIFETIME);
  const get = (key: string, topic = "topic") => cache.get(topic, key, LIFETIME);

  it("gives back the very answer that was stored, with its age", async () => {
    const answer = { list: ["a"] };
    await put("key", answer);
    clock.advance(300);
    const hit = await get("key");
    expect(hit).toEqual({ value: answer, isWhole: true, askedAt: clock.now() - 300, ageMs: 300, fresh: true });
    expect(hit?.value).toBe(answer);
  });

  it("reads an answer anew for the first who asks, and gives all others the same", async () => {
    let readings = 0;
    const again = () => ({ reading: ++readings });
    await cache.set("topic", "key", { value: { reading: 0 }, again, askedAt: clock.now(), isWhole: true, bytes: 10 }, LIFETIME);
    expect(readings).toBe(0);
    const first = (await get("key"))?.value;
    expect(first).toEqual({ reading: 1 });
    expect((await get("key"))?.value).toBe(first);
  });

  it("is fresh up to its lifetime, stale after it, and nothing at its end", async () => {
    await put("key");
    clock.advance(999);
    expect((await get("key"))?.fresh).toBe(true);
    clock.advance(1);
    expect((await get("key"))?.fresh).toBe(false);
    clock.advance(3_999);
    expect((await get("key"))?.fresh).toBe(false);
    clock.advance(1);
    expect(await get("key")).toBeUndefined();
  });

  it("counts age from when the call was sent, not from when its answer came", async () => {
    const askedAt = clock.now();
    clock.advance(700);
    await put("key", "late", askedAt);
    expect((await get("key"))?.ageMs).toBe(700);
  });

  it("keeps time by the clock that it was given alone", async () => {
    await put("key");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
    try {
      expect((await get("key"))?.fresh).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it("drops a topic whole, and nothing else", async () => {
    await put("one");
    await cache.set("other", "two", fresh("two"), LIFETIME);
    cache.drop("topic");
    clock.advance(1);
    expect(await get("one")).toBeUndefined();
    expect((await get("two", "other"))?.value).toBe("two");
  });

  it("does not take in an answer that was asked for before its topic was dropped", async () => {
    const askedAt = clock.now();
    clock.advance(5);
    cache.drop("topic");
    await put("key", "from before the write", askedAt);
    expect(await get("key")).toBeUndefined();
    clock.advance(1);
    await put("key", "from after it");
    expect((await get("key"))?.value).toBe("from after it");
  });

  it("never holds more than its bound: the one unused for longest goes", async () => {
    await put("a");
    await put("b");
    await put("c");
    await get("a");
    await put("d");
    expect(await get("b")).toBeUndefined();
    expect([(await get("a"))?.value, (await get("c"))?.value, (await get("d"))?.value]).toEqual(["a", "c", "d"]);
  });

  it("counts hits and misses", async () => {
    await put("key");
    await get("key");
    await get("none");
    expect(cache.counts).toEqual({ hits: 1, misses: 1 });
  });
});
