import { ManualClock } from "@exchange-graph/contract/clock";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MemoryCache } from "../../../../src/datasources/reads/cache/memoryCache.js";
import { SharedCache } from "../../../../src/datasources/reads/cache/sharedCache.js";

const LIFETIME = { freshMs: 1_000, staleMs: 4_000 };

describe("the shared cache", () => {
  let clock: ManualClock;
  let cache: SharedCache;
  beforeEach(() => {
    clock = new ManualClock(1_000_000);
    cache = new SharedCache(clock, new MemoryCache(clock, { maxEntries: 3, maxBytes: 1_000_000 }));
  });
  const fresh = (value: unknown, requestedAt = clock.now(), version = cache.version("topic")) => ({
    value,
    decode: () => ({ value, isWhole: true }),
    requestedAt,
    version,
    isWhole: true,
    body: Buffer.alloc(10),
  });
  const put = (key: string, value: unknown = key, requestedAt = clock.now()) =>
    cache.set("topic", key, fresh(value, requestedAt), LIFETIME);
  const get = (key: string, topic = "topic") => cache.get(topic, key, LIFETIME);

  it("gives back the very answer that was stored, with its age", () => {
    const answer = { list: ["a"] };
    put("key", answer);
    clock.advance(300);
    const hit = get("key");
    expect(hit).toEqual({ value: answer, isWhole: true, requestedAt: clock.now() - 300, version: 0, ageMs: 300, fresh: true });
    expect(hit?.value).toBe(answer);
  });

  it("decodes an answer again for the first reader, and gives all others the same object", () => {
    let readings = 0;
    const decode = () => ({ value: { reading: ++readings }, isWhole: true });
    cache.set("topic", "key", { ...fresh({ reading: 0 }), decode }, LIFETIME);
    expect(readings).toBe(0);
    const first = get("key")?.value;
    expect(first).toEqual({ reading: 1 });
    expect(get("key")?.value).toBe(first);
  });

  it("is fresh up to its lifetime, stale after it, and nothing at its end", () => {
    put("key");
    clock.advance(999);
    expect(get("key")?.fresh).toBe(true);
    clock.advance(1);
    expect(get("key")?.fresh).toBe(false);
    clock.advance(3_999);
    expect(get("key")?.fresh).toBe(false);
    clock.advance(1);
    expect(get("key")).toBeUndefined();
  });

  it("counts age from when the call was sent, not from when its answer came", () => {
    const requestedAt = clock.now();
    clock.advance(700);
    put("key", "late", requestedAt);
    expect(get("key")?.ageMs).toBe(700);
  });

  it("keeps time by the clock that it was given alone", () => {
    put("key");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
    try {
      expect(get("key")?.fresh).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it("never holds more than its bound: the one unused for longest goes", () => {
    put("a");
    put("b");
    put("c");
    get("a");
    put("d");
    expect(get("b")).toBeUndefined();
    expect([get("a")?.value, get("c")?.value, get("d")?.value]).toEqual(["a", "c", "d"]);
  });

  it("counts hits and misses", () => {
    put("key");
    get("key");
    get("none");
    expect(cache.counts).toEqual({ hits: 1, misses: 1 });
  });
});
