import { describe, expect, it } from "vitest";
import { describeUnless } from "../../../../test/support/missing.js";
import { noRedis } from "../../../../test/support/redisServer.js";
import { RedisRelay } from "../../src/redis/redisRelay.js";
import type { RelayEntry } from "../../src/relay/relayStore.js";
import { commandContract } from "./commandContract.js";
import { engineOf, fileRedis } from "./support.js";

describeUnless(noRedis, "the relay of streams in Redis", () => {
  const server = fileRedis();
  commandContract((...words) => server.run(...words));

  describe("a lease", () => {
    const wish = { fence: undefined, mayLead: true, leaseMs: 60_000, topics: ["t"], wantMs: 60_000 };

    it("ends with the connection of its owner", async () => {
      const [one, other] = [await engineOf(server.url), await engineOf(server.url)];
      const [a, b] = [new RedisRelay(one), new RedisRelay(other)];
      const { fence } = await a.lead("g", wish);
      expect(await b.lead("g", wish)).toMatchObject({ isLeader: false, fence });
      await one.close();
      await expect.poll(async () => (await b.lead("g", wish)).isLeader).toBe(true);
      expect((await b.lead("g", { ...wish, fence: undefined })).fence).toBeGreaterThan(fence);
    });

    it("that another version holds, with no visible presence, lasts until it ends", async () => {
      const b = new RedisRelay(await engineOf(server.url));
      const { fence } = await b.lead("g", wish);
      // It does not know the other values of the row.
      await server.run("HSET", "{eg:test}:relay:g:lease", "owner", "older", "fence", String(fence + 1));
      expect(await b.lead("g", wish)).toMatchObject({ isLeader: false, fence: fence + 1 });
    });
  });

  describe("when the server was emptied", () => {
    it("says so, and no lease of before is good", async () => {
      const engine = await engineOf(server.url);
      const store = new RedisRelay(engine);
      const states: boolean[] = [];
      store.onChange((isUp) => states.push(isUp));
      const wish = { fence: undefined, mayLead: true, leaseMs: 60_000, topics: ["t"], wantMs: 60_000 };
      const { fence } = await store.lead("g", wish);
      await server.run("FLUSHALL");
      // Its own beat may have found out before.
      await expect(store.publish("g", "t", { fence, seq: 1, text: "x" })).rejects.toThrow(/EPOCH|no connection/);
      await expect.poll(() => states.at(-1)).toBe(true);
      expect(states).toEqual([false, true]);
      const next = await store.lead("g", wish);
      expect(next.fence).toBeGreaterThan(fence);
    });

    it("goes on to hear what was asked for before", async () => {
      const [one, other] = [await engineOf(server.url), await engineOf(server.url)];
      const store = new RedisRelay(one);
      const heard: RelayEntry[] = [];
      new RedisRelay(other).listen("g", "t", (entry) => heard.push(entry));
      const back = [one, other].map((engine) => new Promise<void>((resolve) => engine.on({ up: () => resolve() })));
      await server.restart();
      await Promise.all(back);
      const { fence } = await store.lead("g", { fence: undefined, mayLead: true, leaseMs: 60_000, topics: [], wantMs: 1 });
      expect(await store.publish("g", "t", { fence, seq: 1, text: "x" })).toBe(true);
      await expect.poll(() => heard).toEqual([{ fence, seq: 1, text: "x" }]);
    });
  });
});
