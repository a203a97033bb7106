import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { Scheduler } from "../../../../src/datasources/calls/index.js";
import { leaseOf } from "../../../../test/datasources/calls/scheduler/rateBudgetContract.js";
import { eventually } from "../../../../test/support/eventually.js";
import { describeUnless } from "../../../../test/support/missing.js";
import { noRedis } from "../../../../test/support/redisServer.js";
import { RedisRateBudgets } from "../../src/redis/redisRateBudgets.js";
import { RENEW_MS } from "../../src/redis/slotScript.js";
import { engineOf, fileRedis } from "./support.js";

/** Three renewals of every lease: a count that is only passed through does not stay for as long. */
const STEADY_MS = 3 * RENEW_MS;

/** Waits until a condition holds, and has held without a break for three renewals. */
async function steadily(holds: () => boolean): Promise<void> {
  let since: number | undefined;
  await eventually(() => {
    if (holds()) since ??= performance.now();
    else since = undefined;
    return since !== undefined && performance.now() - since >= STEADY_MS;
  });
}

describeUnless(noRedis, "rate budgets in Redis", () => {
  const server = fileRedis();

  const replica = async (url = server.url) => {
    const engine = await engineOf(url);
    const store = new RedisRateBudgets(engine);
    return { engine, store };
  };

  it("are divided among replicas by demand, and in sum are never more than the limit", async () => {
    const three = await Promise.all([replica(), replica(), replica()]);
    const leases = three.map(({ store }) => leaseOf(store));
    let most = 0;
    const sum = () => {
      const all = leases.reduce((slots, { lease }) => slots + lease.slots(), 0);
      most = Math.max(most, all);
      return all;
    };
    for (const one of leases) one.want(100);
    await steadily(() => sum() === 10 && leases.every(({ lease }) => lease.slots() >= 3));
    leases[0]?.want(0);
    leases[1]?.want(1);
    await steadily(() => sum() > 0 && (leases[2]?.lease.slots() ?? 0) >= 5);
    expect(most).toBe(10);
    await Promise.all(three.map(({ store }) => store.close()));
  });

  describe("of a Redis that is new", () => {
    const address = { endpoint: "(all)", counter: "IP", limit: 500, windowMs: 5_000 };
    /** Less than a lease and a rest, after which slots are granted whoever is missing; 3 s where nothing else keeps the machine busy. */
    const UNTRUSTED_MS = 5_000;
    const granted = async (stores: readonly RedisRateBudgets[]) => {
      const start = performance.now();
      const leases = stores.map((store) => leaseOf(store, address));
      for (const { want } of leases) want(1);
      await eventually(() => leases.every(({ lease }) => lease.slots() > 0));
      return performance.now() - start;
    };

    it("are granted at once to replicas that are new as well, whatever the window", async () => {
      await server.run("FLUSHALL");
      const two = await Promise.all([replica(), replica()]);
      expect(await granted(two.map(({ store }) => store))).toBeLessThan(UNTRUSTED_MS);
      await Promise.all(two.map(({ store }) => store.close()));
    });

    it("are granted as soon as the replicas of the former one have all reported theirs", async () => {
      const two = await Promise.all([replica(), replica()]);
      await eventually(() => two.every(({ engine }) => engine.replicas === 2));
      await server.restart();
      await eventually(() => two.every(({ engine }) => engine.isUp));
      expect(await granted(two.map(({ store }) => store))).toBeLessThan(UNTRUSTED_MS);
      await Promise.all(two.map(({ store }) => store.close()));
    });

    it("are not granted for a lease and a rest while a replica of the former one is missing", async () => {
      const two = await Promise.all([replica(), replica()]);
      await eventually(() => two.every(({ engine }) => engine.replicas === 2));
      const [one, other] = two;
      const epoch = one?.engine.epoch;
      server.pause();
      await other?.engine.close();
      await server.restart();
      await eventually(() => one?.engine.isUp === true && one.engine.epoch !== epoch);
      expect(await granted(one === undefined ? [] : [one.store])).toBeGreaterThan(UNTRUSTED_MS);
      await one?.store.close();
    });
  });

  it("of an address are shared behind that address alone, and those of an account by all", async () => {
    const apart = async () => {
      const engine = await engineOf(server.url, undefined, "elsewhere");
      return { engine, store: new RedisRateBudgets(engine) };
    };
    const [one, beside, elsewhere] = [await replica(), await replica(), await apart()];
    const address = { endpoint: "tickers", counter: "IP", limit: 10, windowMs: 50 };
    const ofAddress = [one, beside, elsewhere].map(({ store }) => leaseOf(store, address));
    const ofAccount = [one, beside, elsewhere].map(({ store }) => leaseOf(store));
    for (const { want } of [...ofAddress, ...ofAccount]) want(100);
    const slots = (leases: typeof ofAddress) => leases.map(({ lease }) => lease.slots());
    await steadily(() => slots(ofAddress).join() === "5,5,10" && slots(ofAccount).every((count) => count >= 3));
    expect(slots(ofAccount).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(10);
    await Promise.all([one, beside, elsewhere].map(({ store }) => store.close()));
  });

  it("keeps a slot for the cancels of every replica, under any load of one of them", async () => {
    const [one, other] = [await replica(), await replica()];
    const busy = leaseOf(one.store);
    busy.use.isForCancels = true;
    busy.want(100);
    await steadily(() => busy.lease.slots() === 9);
    const cancels = leaseOf(other.store);
    cancels.use.isForCancels = true;
    cancels.want(1);
    await eventually(() => cancels.lease.slots() >= 1);
    expect(busy.lease.slots() + cancels.lease.slots()).toBeLessThanOrEqual(10);
    for (const { store } of [one, other]) await store.close();
  });

  it("keeps that slot also from a replica that sends no cancels itself, once another one has", async () => {
    const [one, other] = [await replica(), await replica()];
    const cancels = leaseOf(one.store);
    cancels.use.isForCancels = true;
    cancels.want(1);
    await eventually(() => cancels.lease.slots() >= 1);
    cancels.use.isForCancels = false;
    cancels.lease.release();
    await eventually(() => cancels.lease.slots() === 0);
    const busy = leaseOf(other.store);
    busy.want(100);
    await steadily(() => busy.lease.slots() === 9);
    for (const { store } of [one, other]) await store.close();
  });

  it("of a counter with fewer slots than replicas go to each of them in turn, and to the one that waits", async () => {
    const replicas = [await replica(), await replica(), await replica()];
    const leases = replicas.map(({ store }) =>
      leaseOf(store, { endpoint: "countdown", counter: "desk", limit: 1, windowMs: 20 }),
    );
    for (const { use, want } of leases) {
      use.isForCancels = true;
      want(1);
    }
    const served = new Set<number>();
    await eventually(() => {
      const having = leases.flatMap(({ lease }, at) => (lease.slots() > 0 ? [at] : []));
      expect(having.length).toBeLessThanOrEqual(1);
      for (const at of having) served.add(at);
      return served.size === leases.length;
    });
    const [one, ...others] = leases;
    for (const { want } of others) want(0);
    await steadily(() => one?.lease.slots() === 1);
    for (const { store } of replicas) await store.close();
  });

  it("of a counter that has turned out to be another one rest for the replicas that do not know it yet", async () => {
    const rate = { limit: 1, windowMs: 500, per: "UID" } as const;
    const schedulers = await Promise.all(
      [0, 1].map(async () => {
        const { engine, store } = await replica();
        return new Scheduler(engine.clock, { store });
      }),
    );
    const [knowing, other] = schedulers;
    const permitOf = (scheduler: Scheduler | undefined) =>
      scheduler?.acquire("spotAssets", "key", rate, "read", Date.now() + 60_000);
    const permit = await permitOf(knowing);
    permit?.settle();
    const answeredAt = performance.now();
    knowing?.merge("key", "user");
    await permitOf(other);
    expect(performance.now() - answeredAt).toBeGreaterThan(rate.windowMs);
    await Promise.all(schedulers.map((scheduler) => scheduler.close()));
  });
});
