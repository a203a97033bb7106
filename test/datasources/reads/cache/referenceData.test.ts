import { ManualClock } from "@exchange-graph/contract/clock";
import { instruments } from "@exchange-graph/contract/instrument";
import { expect, it } from "vitest";
import { topicKey } from "../../../../src/datasources/reads/cache/cacheStore.js";
import { MemoryCache } from "../../../../src/datasources/reads/cache/memoryCache.js";
import { ReferenceData } from "../../../../src/datasources/reads/cache/referenceData.js";
import { SharedCache } from "../../../../src/datasources/reads/cache/sharedCache.js";
import { answer } from "./cacheContract.js";

const LIFETIME = { freshMs: 60_000, staleMs: 0 };
const BOUNDS = { maxEntries: 10, maxBytes: 1_000_000 };
const REFERENCE = topicKey(instruments.name, undefined);

/** The memory of replicas that share it, with the notices of others. */
class Replicated extends MemoryCache {
  notice: (topic: string | undefined) => void = () => undefined;

  override onDropped(listener = this.notice): void {
    this.notice = listener;
  }
}

function opened() {
  const clock = new ManualClock(1_000_000);
  const [memory, replicated] = [new MemoryCache(clock, BOUNDS), new Replicated(clock, BOUNDS)];
  const texts = new Map<string, string>();
  const externalStore = {
    trouble: undefined,
    get: async (_: string, key: string) => texts.get(key),
    set: (_: string, key: string, text: string) => void texts.set(key, text),
    close: async () => undefined,
  };
  const reference = new ReferenceData({ memory, externalStore, exchange: "exchange", clock });
  const cache = new SharedCache(clock, replicated, reference);
  const keep = (topic: string) =>
    cache.set(topic, `${topic}?`, { ...answer(memory, topic, "value"), requestedAt: clock.now() }, LIFETIME);
  const find = (topic: string) =>
    cache.find(topic, `${topic}?`, LIFETIME, (text) => ({ value: JSON.parse(text), isWhole: true }));
  return { clock, memory, replicated, texts, cache, keep, find };
}

it("reference data is kept in memory and in the store, everything else with the replicas", () => {
  const { memory, replicated, texts, keep } = opened();
  keep(REFERENCE);
  keep("desk/positions");
  expect([memory.get(REFERENCE, `${REFERENCE}?`)?.value, replicated.get(REFERENCE, `${REFERENCE}?`)]).toEqual([
    "value",
    undefined,
  ]);
  expect([memory.get("desk/positions", "desk/positions?"), replicated.get("desk/positions", "desk/positions?")?.value]).toEqual([
    undefined,
    "value",
  ]);
  expect([...texts.keys()]).toEqual([`exchange:${REFERENCE}?`]);
});

it.each([
  ["this replica", ({ cache }: ReturnType<typeof opened>) => cache.drop([REFERENCE])],
  ["another replica", ({ replicated }: ReturnType<typeof opened>) => replicated.notice(REFERENCE)],
  ["another replica, with all topics", ({ replicated }: ReturnType<typeof opened>) => replicated.notice(undefined)],
])("reference data that %s drops comes neither from memory nor from the store", async (_, drop) => {
  const parts = opened();
  parts.keep(REFERENCE);
  expect(parts.cache.get(REFERENCE, `${REFERENCE}?`, LIFETIME)?.value).toBe("value");
  drop(parts);
  expect(parts.cache.get(REFERENCE, `${REFERENCE}?`, LIFETIME)).toBeUndefined();
  expect(await parts.find(REFERENCE)).toBeUndefined();
  parts.clock.advance(1);
  parts.keep(REFERENCE);
  expect(parts.cache.get(REFERENCE, `${REFERENCE}?`, LIFETIME)?.value).toBe("value");
});
