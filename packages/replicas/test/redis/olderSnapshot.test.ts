import { systemClock } from "@exchange-graph/contract/clock";
import { expect, it } from "vitest";
import { AnswerMemory } from "../../../../src/datasources/reads/cache/memoryCache.js";
import { leaseOf } from "../../../../test/datasources/calls/scheduler/rateBudgetContract.js";
import { answer, keep, lookUp } from "../../../../test/datasources/reads/cache/cacheContract.js";
import { eventually } from "../../../../test/support/eventually.js";
import { describeUnless } from "../../../../test/support/missing.js";
import { noRedis } from "../../../../test/support/redisServer.js";
import { RedisCache } from "../../src/redis/redisCache.js";
import type { RedisEngine } from "../../src/redis/redisEngine.js";
import { RedisRateBudgets } from "../../src/redis/redisRateBudgets.js";
import { RedisRelay } from "../../src/redis/redisRelay.js";
import { RedisTokens } from "../../src/redis/redisTokens.js";
import { engineOf, fileRedis } from "./support.js";

const TOPIC = "desk/orders";
const wish = { fence: undefined, mayLead: true, leaseMs: 60_000, topics: ["t"], wantMs: 60_000 };

const cacheOver = (engine: RedisEngine) =>
  new RedisCache({
    engine,
    memory: new AnswerMemory(systemClock, { maxEntries: 100, maxBytes: 1_000_000 }),
    userOf: () => "user",
    now: () => systemClock.now(),
  });

/** What is there of one replica. */
async function replicaOf(url: string) {
  const engine = await engineOf(url);
  const budgets = new RedisRateBudgets(engine);
  return {
    engine,
    budgets,
    slots: leaseOf(budgets),
    cache: cacheOver(engine),
    tokens: new RedisTokens(engine),
    relay: new RedisRelay(engine),
  };
}

describeUnless(noRedis, "a Redis that comes back with an older snapshot", () => {
  const server = fileRedis();

  it("is a new one: nothing that has changed since is granted, served or forgotten", { timeout: 30_000 }, async () => {
    const [one, other] = [await replicaOf(server.url), await replicaOf(server.url)];
    one.slots.want(100);
    await eventually(() => one.slots.lease.slots() === 10);
    expect(await lookUp(one.cache, TOPIC, "a")).toBeUndefined();
    keep(one.cache, TOPIC, "a", { ...answer(one.cache, TOPIC, "old"), requestedAt: systemClock.now() });
    await eventually(() => one.cache.peek(TOPIC, "a") !== undefined);
    await one.cache.settled();
    const { fence: first } = await one.relay.lead("g", wish);
    await server.run("SAVE");

    one.cache.drop([TOPIC]);
    await one.cache.settled();
    one.tokens.announce({ revoked: ["token"], added: [], denied: [] });
    await eventually(() => other.tokens.isRevoked("token"));
    await one.relay.release("g", first);
    const { fence: second } = await other.relay.lead("g", wish);
    one.slots.want(0);
    await eventually(() => one.slots.lease.slots() <= 1);
    other.slots.want(100);
    await eventually(() => other.slots.lease.slots() >= 9);

    let most = 0;
    const isBack = () => {
      most = Math.max(most, one.slots.lease.slots() + other.slots.lease.slots());
      return one.engine.isUp && other.engine.isUp;
    };
    await server.restart();
    one.slots.want(100);
    await eventually(isBack);
    const late = await replicaOf(server.url);
    await eventually(() => isBack() && late.tokens.isRevoked("token"));
    expect(await lookUp(late.cache, TOPIC, "a")).toBeUndefined();
    // The lease that it gave up is there again, and good for nothing: it gets another one.
    expect(await late.relay.publish("g", "t", { fence: second, seq: 1, text: "late" })).toBe(false);
    expect((await one.relay.lead("g", wish)).fence).toBeGreaterThan(second);
    // Until everything that was granted has ended and rested, and after that.
    await eventually(() => isBack() && one.slots.lease.slots() >= 3 && other.slots.lease.slots() <= 7);
    expect(most).toBeLessThanOrEqual(10);
    for (const { budgets } of [one, other, late]) await budgets.close();
  });
});
