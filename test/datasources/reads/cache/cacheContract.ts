import { describe, expect, it } from "vitest";
import type { CacheStore, Fresh } from "../../../../src/datasources/reads/cache/cacheStore.js";

const LIFETIME = { freshMs: 60_000, staleMs: 60_000 };

/** An answer as the reader keeps it, asked for under the version that its topic has now. */
export const answer = (store: CacheStore, topic: string, value: unknown): Fresh => ({
  value,
  decode: () => ({ value, isWhole: true }),
  requestedAt: 1_000_000,
  version: store.version(topic),
  isWhole: true,
  body: Buffer.from(JSON.stringify(value)),
});

const decode = (text: string) => ({ value: JSON.parse(text) as unknown, isWhole: true });

/** Looks a key up as the reader does: in memory, then at other replicas. */
export const lookUp = async (store: CacheStore, topic: string, key: string): Promise<unknown> =>
  (store.get(topic, key) ?? (await store.find(topic, key, LIFETIME, decode)))?.value;

export const keep = (store: CacheStore, topic: string, key: string, fresh: Fresh): void => store.set(topic, key, fresh, LIFETIME);

/** What every cache store has to keep. */
export function cacheContract(open: () => Promise<CacheStore>): void {
  describe("a topic", () => {
    it("gives what was kept of it, until it is dropped as a whole; other topics stay", async () => {
      const store = await open();
      for (const [topic, key] of [
        ["*/one", "a"],
        ["*/one", "b"],
        ["*/two", "c"],
      ] as const) {
        expect(await lookUp(store, topic, key)).toBeUndefined();
        keep(store, topic, key, answer(store, topic, key));
      }
      expect([await lookUp(store, "*/one", "a"), await lookUp(store, "*/two", "c")]).toEqual(["a", "c"]);
      store.drop(["*/one"]);
      await store.settled();
      expect(await lookUp(store, "*/one", "a")).toBeUndefined();
      store.giveUp("*/one", "a");
      expect(await lookUp(store, "*/one", "b")).toBeUndefined();
      store.giveUp("*/one", "b");
      expect(await lookUp(store, "*/two", "c")).toBe("c");
      await store.close();
    });

    it("never gives an answer that was under way when it was dropped, and gives the next one", async () => {
      const store = await open();
      expect(await lookUp(store, "desk/orders", "a")).toBeUndefined();
      const underWay = answer(store, "desk/orders", "from before");
      store.drop(["desk/orders"]);
      expect(store.isDropped("desk/orders", underWay.version)).toBe(true);
      keep(store, "desk/orders", "a", underWay);
      await store.settled();
      expect(await lookUp(store, "desk/orders", "a")).toBeUndefined();
      const after = answer(store, "desk/orders", "from after");
      keep(store, "desk/orders", "a", after);
      expect(await lookUp(store, "desk/orders", "a")).toBe("from after");
      expect([store.isDropped("desk/orders", after.version), store.isCurrent("desk/orders", after.version)]).toEqual([
        false,
        true,
      ]);
      await store.close();
    });

    it("that was dropped often is no older than one that never was", async () => {
      const store = await open();
      for (let drop = 0; drop < 3; drop++) {
        store.drop(["desk/orders"]);
        await store.settled();
        expect(await lookUp(store, "desk/orders", "a")).toBeUndefined();
        keep(store, "desk/orders", "a", answer(store, "desk/orders", drop));
        expect(await lookUp(store, "desk/orders", "a")).toBe(drop);
      }
      await store.close();
    });
  });
}
