import { performance } from "node:perf_hooks";
import { systemClock } from "@exchange-graph/contract/clock";
import { expect, it } from "vitest";
import { AnswerMemory } from "../../../../src/datasources/reads/cache/memoryCache.js";
import { spendAll } from "../../../../test/access/quotas/quotaContract.js";
import { leaseOf } from "../../../../test/datasources/calls/scheduler/rateBudgetContract.js";
import { answer, keep, lookUp } from "../../../../test/datasources/reads/cache/cacheContract.js";
import { eventually } from "../../../../test/support/eventually.js";
import { describeUnless } from "../../../../test/support/missing.js";
import { noRedis } from "../../../../test/support/redisServer.js";
import { RedisCache } from "../../src/redis/redisCache.js";
import { RedisEventLog } from "../../src/redis/redisEventLog.js";
import { RedisQuotas } from "../../src/redis/redisQuotas.js";
import { RedisRateBudgets } from "../../src/redis/redisRateBudgets.js";
import { RedisRelay } from "../../src/redis/redisRelay.js";
import { engineOf, fileRedis } from "./support.js";

/** What a later version of the gateway would write into the same Redis, and an earlier one has written. */
describeUnless(noRedis, "beside replicas of another version", () => {
  const server = fileRedis();
  const keysOf = async (part: string) => (await server.run("KEYS", `*:${part}:*`)) as string[];
  const wish = { fence: undefined, mayLead: true, leaseMs: 60_000, topics: ["t"], wantMs: 60_000 };

  it.each(['2 {"data":{"rows":[1]}}', '{"rows":[1]}', "2|binary"])(
    "an answer of another format is requested again and replaced: %s",
    async (text) => {
      const [one, other] = await Promise.all(
        [1, 2].map(
          async () =>
            new RedisCache({
              engine: await engineOf(server.url),
              memory: new AnswerMemory(systemClock, { maxEntries: 100, maxBytes: 1_000_000 }),
              userOf: () => "user",
              now: () => systemClock.now(),
            }),
        ),
      );
      if (one === undefined || other === undefined) throw new Error("no stores");
      const fresh = (store: RedisCache, value: string) => ({ ...answer(store, "*/t", value), requestedAt: systemClock.now() });
      expect(await lookUp(one, "*/t", "a")).toBeUndefined();
      keep(one, "*/t", "a", fresh(one, "ours"));
      await expect.poll(() => keysOf("answer")).toHaveLength(1);
      const [key = ""] = await keysOf("answer");
      await server.run("SET", key, `0 ${text}`, "PX", "60000");
      expect(await lookUp(other, "*/t", "a")).toBeUndefined();
      keep(other, "*/t", "a", fresh(other, "anew"));
      await expect.poll(() => server.run("GET", key)).toBe('0 1 "anew"');
    },
  );

  it("the lease of a group is respected with additions to its record, and taken over when it has ended", async () => {
    const [one, other] = [new RedisRelay(await engineOf(server.url)), new RedisRelay(await engineOf(server.url))];
    const { fence } = await one.lead("g", wish);
    const [lease = ""] = (await server.run("KEYS", "*:lease")) as string[];
    await server.run("HSET", lease, "format", "2", "region", "eu");
    expect(await other.lead("g", wish)).toMatchObject({ isLeader: false, fence });
    expect(await one.publish("g", "t", { fence, seq: 1, text: "x" })).toBe(true);
    await one.release("g", fence);
    expect((await other.lead("g", wish)).isLeader).toBe(true);
  });

  it("slots that are granted to it count, with any additions to its row", async () => {
    const store = new RedisRateBudgets(await engineOf(server.url));
    const first = leaseOf(store);
    first.want(1);
    await eventually(() => first.lease.slots() >= 1);
    const [counter = ""] = (await server.run("KEYS", "*openOrders*")) as string[];
    const [seconds = "0"] = (await server.run("TIME")) as string[];
    await server.run("HSET", counter, "newer", `7:7:${Number(seconds) * 1_000 + 60_000}:weight=2`);
    first.want(100);
    await eventually(() => first.lease.slots() === 3);
    const start = performance.now();
    await eventually(() => performance.now() - start > 300);
    expect(first.lease.slots()).toBe(3);
    await store.close();
  });

  it("what it has used of a client's quota counts, with any additions to the record", async () => {
    const one = new RedisQuotas(await engineOf(server.url)).quota("operations", 600);
    const spent = await spendAll(one, "token:a");
    expect(spent).toBeGreaterThanOrEqual(600);
    const records = (await server.run("KEYS", "*token:a*")) as string[];
    expect(records).toHaveLength(1);
    await server.run("HSET", records[0] ?? "", "format", "2", "burst", "9999");
    const other = new RedisQuotas(await engineOf(server.url)).quota("operations", 600);
    expect(await spendAll(other, "token:a")).toBeLessThan(100);
  });

  it("events in another format are a break, and those of this version stay readable", async () => {
    const log = new RedisEventLog(await engineOf(server.url));
    const entry = (id: string) => ({ id, kind: "event", time: 5, event: { id } }) as const;
    await log.append("t", undefined, [entry("a"), entry("b"), entry("c")], "writer");
    const [entries = ""] = await keysOf("entries");
    await server.run("HSET", entries, "b", '{"v":2,"kind":"event","time":5,"event":{"other":1}}', "c", "not JSON");
    expect((await log.read("t")).map(({ id, kind }) => [id, kind])).toEqual([
      ["a", "event"],
      ["b", "break"],
      ["c", "break"],
    ]);
  });
});
