import { EventEmitter } from "node:events";
import { performance } from "node:perf_hooks";
import { systemClock } from "@exchange-graph/contract/clock";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { denialOfId } from "../../../../src/access/jwt/denyList.js";
import { ConnectionQuota } from "../../../../src/access/quotas/connectionQuota.js";
import { AnswerMemory } from "../../../../src/datasources/reads/cache/memoryCache.js";
import { spendAll } from "../../../../test/access/quotas/quotaContract.js";
import { answer, keep, lookUp } from "../../../../test/datasources/reads/cache/cacheContract.js";
import { eventually } from "../../../../test/support/eventually.js";
import { describeUnless } from "../../../../test/support/missing.js";
import { noRedis } from "../../../../test/support/redisServer.js";
import { tcpProxy } from "../../../../test/support/tcpProxy.js";
import { RedisCache } from "../../src/redis/redisCache.js";
import type { RedisEngine } from "../../src/redis/redisEngine.js";
import { RedisOpenConnections } from "../../src/redis/redisOpenConnections.js";
import { RedisOrderRates } from "../../src/redis/redisOrderRates.js";
import { RedisQuotas } from "../../src/redis/redisQuotas.js";
import { RedisTokens } from "../../src/redis/redisTokens.js";
import { engineOf, fileRedis } from "./support.js";

const cacheOver = (engine: RedisEngine, userOf = (owner: string) => `user-of-${owner}`) =>
  new RedisCache({
    engine,
    memory: new AnswerMemory(systemClock, { maxEntries: 1_000, maxBytes: 10_000_000 }),
    userOf,
    now: () => systemClock.now(),
  });

const now = (store: RedisCache, topic: string, value: unknown) => ({
  ...answer(store, topic, value),
  requestedAt: systemClock.now(),
});

describeUnless(noRedis, "what replicas share in Redis", () => {
  const server = fileRedis();
  const twoCaches = async () => [cacheOver(await engineOf(server.url)), cacheOver(await engineOf(server.url))] as const;

  it("is asked without a timer of the client's own for each command", async () => {
    const engine = await engineOf(server.url);
    const timeout = vi.spyOn(AbortSignal, "timeout");
    onTestFinished(() => timeout.mockRestore());
    await new RedisOrderRates(engine).full([{ name: "account:u", most: 1 }]);
    expect(timeout).not.toHaveBeenCalled();
  });

  describe("connections of a client", () => {
    const LIMIT = 3;
    const quotas = async (count: number, url = server.url) => {
      const engines = await Promise.all(Array.from({ length: count }, () => engineOf(url)));
      return engines.map((engine) => ({ engine, quota: new ConnectionQuota(LIMIT, new RedisOpenConnections(engine)) }));
    };
    const taken = async (quota: ConnectionQuota, client = "token:a") => {
      const connection = new EventEmitter();
      const isTaken = await quota.take(client, connection);
      // A refused client disconnects at once.
      if (!isTaken) connection.emit("close");
      return isTaken ? connection : undefined;
    };

    it("are counted together, exactly, until they are closed", async () => {
      const replicas = await quotas(3);
      const all = await Promise.all([...replicas, ...replicas, ...replicas].map(({ quota }) => taken(quota)));
      const open = all.filter((connection) => connection !== undefined);
      expect(open).toHaveLength(LIMIT);
      const [one] = replicas;
      if (one === undefined) throw new Error("there are three");
      expect(await taken(one.quota, "token:b")).toBeDefined();
      open[0]?.emit("close");
      await expect.poll(async () => await taken(one.quota)).toBeDefined();
      expect(await taken(one.quota)).toBeUndefined();
    });

    it("of a stopped replica do not count after its lease has expired", async () => {
      const [one, other] = await quotas(2);
      if (one === undefined || other === undefined) throw new Error("there are two");
      for (let count = 0; count < LIMIT; count++) expect(await taken(one.quota)).toBeDefined();
      expect(await taken(other.quota)).toBeUndefined();
      await one.engine.close();
      const [key = ""] = (await server.run("KEYS", "*:open:*")) as string[];
      const [[replica = ""] = []] = [(await server.run("HKEYS", key)) as string[]];
      await server.run("HSET", key, replica, `${LIMIT}:1`);
      expect(await taken(other.quota)).toBeDefined();
    });

    it("are each replica's own while Redis does not answer, and no connection waits for that", async () => {
      const [one, other] = await quotas(2);
      if (one === undefined || other === undefined) throw new Error("there are two");
      for (let count = 0; count < LIMIT; count++) expect(await taken(one.quota)).toBeDefined();
      server.pause();
      const start = performance.now();
      expect(await taken(other.quota)).toBeDefined();
      expect(performance.now() - start).toBeLessThan(10_000);
      expect(await taken(one.quota)).toBeUndefined();
      server.resume();
    });
  });

  describe("a cached answer", () => {
    it("of one replica is found by the others, with its age and without another call", async () => {
      const [one, other] = await twoCaches();
      expect(await lookUp(one, "*/tickers", "a")).toBeUndefined();
      keep(one, "*/tickers", "a", { ...now(one, "*/tickers", { last: "1.50" }), requestedAt: systemClock.now() - 10_000 });
      const found = await other.find("*/tickers", "a", { freshMs: 60_000, staleMs: 0 }, (text) => ({
        value: JSON.parse(text) as unknown,
        isWhole: true,
      }));
      expect(found?.value).toEqual({ last: "1.50" });
      expect(systemClock.now() - (found?.requestedAt ?? 0)).toBeGreaterThanOrEqual(9_990);
      expect(other.get("*/tickers", "a")?.value).toEqual({ last: "1.50" });
    });

    it("that was dropped by one replica is served by none, once that replica says so", async () => {
      const [one, other] = await twoCaches();
      for (let round = 0; round < 50; round++) {
        for (const store of [one, other])
          if ((await lookUp(store, "desk/orders", "a")) === undefined)
            keep(store, "desk/orders", "a", now(store, "desk/orders", round));
        const before = now(other, "desk/orders", "from before");
        const fills = other.version("desk/fills");
        one.drop(["desk/fills", "desk/orders"]);
        await one.settled();
        await eventually(() => other.isDropped("desk/orders", before.version) && other.isDropped("desk/fills", fills));
        keep(other, "desk/orders", "a", before);
        expect(await lookUp(other, "desk/orders", "a")).toBeUndefined();
        other.giveUp("desk/orders", "a");
      }
    });

    it("that was dropped is served by no replica, even by one that the notice has not reached, once the write is answered", async () => {
      const line = await tcpProxy(server.url);
      onTestFinished(() => line.close());
      const [one, slow] = [cacheOver(await engineOf(server.url)), cacheOver(await engineOf(`redis://${line.host}`))];
      for (let round = 0; round < 10; round++) {
        if ((await lookUp(slow, "desk/orders", "a")) === undefined)
          keep(slow, "desk/orders", "a", now(slow, "desk/orders", round));
        expect(await lookUp(slow, "desk/orders", "a")).toBe(round);
        line.delay(round * 20);
        one.drop(["desk/orders"]);
        await one.settled();
        expect(slow.get("desk/orders", "a")).toBeUndefined();
        line.delay(0);
        expect(await lookUp(slow, "desk/orders", "a")).toBeUndefined();
        keep(slow, "desk/orders", "a", now(slow, "desk/orders", round + 1));
      }
    });

    it("is dropped by a replica with another key of the account too, which happens while keys are replaced", async () => {
      const one = cacheOver(await engineOf(server.url), () => "next-key");
      const [other, third] = [cacheOver(await engineOf(server.url)), cacheOver(await engineOf(server.url))];
      expect(await lookUp(other, "desk/orders", "a")).toBeUndefined();
      keep(other, "desk/orders", "a", now(other, "desk/orders", "old"));
      expect(await lookUp(third, "desk/orders", "a")).toBe("old");
      one.drop(["desk/orders"]);
      await one.settled();
      for (const store of [other, third]) {
        expect(store.get("desk/orders", "a")).toBeUndefined();
        expect(await lookUp(store, "desk/orders", "a")).toBeUndefined();
        store.giveUp("desk/orders", "a");
      }
    });

    it("at a replica that does not answer does not delay every write", async () => {
      const line = await tcpProxy(server.url);
      onTestFinished(() => line.close());
      const one = cacheOver(await engineOf(server.url));
      const other = cacheOver(await engineOf(`redis://${line.host}`));
      // Until a write is answered when the other replica has the notice.
      await expect
        .poll(async () => {
          keep(other, "desk/fills", "a", now(other, "desk/fills", "old"));
          one.drop(["desk/fills"]);
          await one.settled();
          return other.get("desk/fills", "a");
        })
        .toBeUndefined();
      line.freeze();
      const took: number[] = [];
      // Engines of earlier tests may still leave meanwhile, after which all replicas are waited for once more.
      for (let write = 0; write < 4; write++) {
        const start = performance.now();
        one.drop(["desk/orders"]);
        const settled = one.settled();
        expect(settled).toBeDefined();
        await settled;
        took.push(performance.now() - start);
      }
      const [first = 0, ...others] = took;
      // A write that waits takes far more than 5 ms. The first one does not if the frozen replica has been given up already.
      expect(Math.min(...others)).toBeLessThan(Math.max(first / 2, 5));
    });

    it("is requested once by all replicas together, and the others wait for it", async () => {
      const [one, other] = await twoCaches();
      expect(await lookUp(one, "*/tickers", "a")).toBeUndefined();
      const waiting = lookUp(other, "*/tickers", "a");
      keep(one, "*/tickers", "a", now(one, "*/tickers", "once"));
      expect(await waiting).toBe("once");
      expect(await lookUp(one, "*/tickers", "b")).toBeUndefined();
      const next = lookUp(other, "*/tickers", "b");
      one.giveUp("*/tickers", "b");
      expect(await next).toBeUndefined();
    });

    it("of one user is never given to another who has an account of the same name", async () => {
      const one = cacheOver(await engineOf(server.url), () => "user-1");
      const other = cacheOver(await engineOf(server.url), () => "user-2");
      expect(await lookUp(one, "main/orders", "a")).toBeUndefined();
      keep(one, "main/orders", "a", now(one, "main/orders", "of user 1"));
      expect(await lookUp(other, "main/orders", "a")).toBeUndefined();
    });

    it("in memory goes when notices may have been missed, and so does what the server had before it was emptied", async () => {
      const proxy = await tcpProxy(server.url.replace("redis:", "tcp:"));
      const engine = await engineOf(`redis://${proxy.host}`);
      const store = cacheOver(engine);
      expect(await lookUp(store, "*/tickers", "a")).toBeUndefined();
      keep(store, "*/tickers", "a", now(store, "*/tickers", "old"));
      store.drop(["*/other"]);
      await store.settled();
      proxy.cut();
      await eventually(() => !engine.isUp);
      expect(store.get("*/tickers", "a")?.value).toBe("old");
      await eventually(() => engine.isUp);
      expect(store.get("*/tickers", "a")).toBeUndefined();
      // Memory alone is asked for a moment where the server takes longer than it may.
      await expect.poll(() => lookUp(store, "*/tickers", "a"), { timeout: 5_000 }).toBe("old");
      await server.run("FLUSHALL");
      await eventually(() => !engine.isUp);
      await eventually(() => engine.isUp);
      expect(await lookUp(store, "*/tickers", "a")).toBeUndefined();
      await proxy.close();
    });

    it("comes from memory alone while the server is slow, without waiting for it each time, for at most a second without a sign that no notice was missed", async () => {
      let time = 0;
      const store = cacheOver(await engineOf(server.url, undefined, undefined, () => time));
      expect(await lookUp(store, "desk/orders", "a")).toBeUndefined();
      keep(store, "desk/orders", "a", now(store, "desk/orders", "kept"));
      // A busy machine may have taken the server for slow already: then it is not asked for a second.
      await vi.waitFor(async () => {
        time += 300;
        for (let answers = 0; answers < 2; answers++) expect(await lookUp(store, "desk/orders", "a")).toBe("kept");
        time += 250;
        const unasked = store.get("desk/orders", "a");
        time -= 250;
        expect(unasked).toBeUndefined();
      });
      server.pause();
      expect(store.get("desk/orders", "a")?.value).toBe("kept");
      time += 500;
      expect(store.get("desk/orders", "a")).toBeUndefined();
      expect(await lookUp(store, "desk/orders", "a")).toBe("kept");
      // The engine was too slow: for a moment it is not awaited.
      expect(store.get("desk/orders", "a")?.value).toBe("kept");
      time += 500;
      expect(store.get("desk/orders", "a")).toBeUndefined();
      time -= 500;
      store.drop(["desk/orders"]);
      expect(await lookUp(store, "desk/orders", "a")).toBeUndefined();
    });
  });

  it("a server that evicts keys is not used, for leases that are evicted would be granted twice", async () => {
    const engine = await engineOf(server.url);
    await server.run("CONFIG", "SET", "maxmemory", "100mb", "maxmemory-policy", "allkeys-lru");
    onTestFinished(async () => void (await server.run("CONFIG", "SET", "maxmemory", "0", "maxmemory-policy", "noeviction")));
    const evicts = "its maxmemory-policy is allkeys-lru, and must be noeviction";
    await expect(engineOf(server.url)).rejects.toThrow(evicts);
    await server.run("CLIENT", "KILL", "TYPE", "pubsub");
    await eventually(() => engine.trouble === evicts);
    await server.run("CONFIG", "SET", "maxmemory-policy", "noeviction");
    await eventually(() => engine.isUp);
    expect(engine.trouble).toBeUndefined();
  });

  it("a client's budget is one for all replicas, but for a chunk of each", async () => {
    const quotas = await Promise.all(
      [0, 1, 2].map(async () => new RedisQuotas(await engineOf(server.url)).quota("operations", 600)),
    );
    const spent = await Promise.all(quotas.map((quota) => spendAll(quota, "token:a")));
    const all = spent.reduce((sum, one) => sum + one, 0);
    expect(all).toBeGreaterThanOrEqual(600);
    expect(all).toBeLessThanOrEqual(600 + 3 * 30 + 60);
  });

  it("orders of a second are counted for all replicas together, and by each for its part while the server is gone", async () => {
    const engines = await Promise.all([0, 1, 2].map(() => engineOf(server.url)));
    await eventually(() => engines.every(({ isUp }) => isUp));
    const rates = engines.map((engine) => new RedisOrderRates(engine));
    const orders = async (each: number, most: number) => {
      const counter = { name: `account ${most}`, most };
      const asked = rates.flatMap((one) => Array.from({ length: each }, () => one.count([counter])));
      return (await Promise.all(asked)).filter((full) => full.length === 0).length;
    };
    expect(await orders(20, 10)).toBe(10);
    // All know of one another by the next beat.
    await eventually(() => engines.every(({ replicas }) => replicas === 3));
    server.pause();
    expect(await orders(20, 11)).toBe(9);
    expect(await orders(20, 2)).toBe(3);
    server.resume();
  });

  describe("a revocation", () => {
    it("reaches every replica, also one that misses the notice, one that starts later, and after the server was emptied", async () => {
      const proxy = await tcpProxy(server.url.replace("redis:", "tcp:"));
      const one = new RedisTokens(await engineOf(server.url));
      const far = new RedisTokens(await engineOf(`redis://${proxy.host}`));
      proxy.cut();
      const isDenied = (tokens: RedisTokens) => tokens.isDenied({ jti: "j", sub: "desk" });
      one.announce({ revoked: ["a"], added: [], denied: [denialOfId("j", Date.now() + 3_600_000)] });
      const start = performance.now();
      await eventually(() => far.isRevoked("a") && isDenied(far));
      // 1.5 s where nothing else keeps the machine busy.
      expect(performance.now() - start).toBeLessThan(5_000);
      const engine = await engineOf(server.url);
      const later = new RedisTokens(engine);
      await eventually(() => later.isRevoked("a") && isDenied(later));
      await server.run("FLUSHALL");
      await eventually(() => !engine.isUp);
      const last = new RedisTokens(await engineOf(server.url));
      await eventually(() => last.isRevoked("a") && isDenied(last));
      one.announce({ revoked: [], added: ["a"], denied: [] });
      await eventually(() => [far, later, last].every((tokens) => !tokens.isRevoked("a")));
      await proxy.close();
    });
  });
});
