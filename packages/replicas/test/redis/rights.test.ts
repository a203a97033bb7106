import { systemClock } from "@exchange-graph/contract/clock";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { AnswerMemory } from "../../../../src/datasources/reads/cache/memoryCache.js";
import { quotaContract } from "../../../../test/access/quotas/quotaContract.js";
import { tokenContract } from "../../../../test/access/tokens/tokenContract.js";
import { rateBudgetContract } from "../../../../test/datasources/calls/scheduler/rateBudgetContract.js";
import { cacheContract } from "../../../../test/datasources/reads/cache/cacheContract.js";
import { eventLogContract } from "../../../../test/datasources/streams/resumption/eventLogContract.js";
import { orderRateContract } from "../../../../test/datasources/writes/limits/orderRateContract.js";
import { eventually } from "../../../../test/support/eventually.js";
import { describeUnless } from "../../../../test/support/missing.js";
import { codeOf } from "../../../../test/support/pages.js";
import { age, noRedis, type RedisServer, redisServer } from "../../../../test/support/redisServer.js";
import { RedisCache } from "../../src/redis/redisCache.js";
import { RedisEventLog } from "../../src/redis/redisEventLog.js";
import { RedisOpenConnections } from "../../src/redis/redisOpenConnections.js";
import { RedisOrderRates } from "../../src/redis/redisOrderRates.js";
import { RedisQuotas } from "../../src/redis/redisQuotas.js";
import { RedisRateBudgets } from "../../src/redis/redisRateBudgets.js";
import { RedisRelay } from "../../src/redis/redisRelay.js";
import { RedisTokens } from "../../src/redis/redisTokens.js";
import { relayContract } from "../relay/relayContract.js";
import { engineOf } from "./support.js";

/** The documented command that creates the user, for the realm of the tests. */
const SET_USER = (codeOf("redisUser")[0] ?? "").replaceAll("{eg:live}", "{eg:test}").trim().split(/\s+/);
const USER = "exchange-graph";
const COMMANDS = SET_USER.filter((word) => word.startsWith("+")).map((word) => word.slice(1));

describeUnless(noRedis, "a Redis user with the documented rights", () => {
  let server: RedisServer;
  let url: string;
  beforeAll(async () => {
    server = await redisServer();
    url = server.url.replace("redis://", `redis://${USER}:password@`);
  });
  afterAll(() => server.close());
  afterEach(async () => {
    await server.run("FLUSHALL");
    await server.run(...SET_USER);
    await age(server, "test");
  });
  beforeAll(async () => void (await server.run(...SET_USER)));

  describe("suffices for", () => {
    const open = () => engineOf(url);
    cacheContract(async () => {
      const memory = new AnswerMemory(systemClock, { maxEntries: 1_000, maxBytes: 10_000_000 });
      return new RedisCache({ engine: await open(), memory, userOf: (owner) => owner, now: () => systemClock.now() });
    });
    eventLogContract("the log of events", async () => new RedisEventLog(await open()));
    orderRateContract(async () => new RedisOrderRates(await open()));
    quotaContract(async () => new RedisQuotas(await open()));
    rateBudgetContract(async () => new RedisRateBudgets(await open()));
    tokenContract(async () => new RedisTokens(await open()));
    relayContract("the relay of streams", async () => ({
      stores: [new RedisRelay(await open()), new RedisRelay(await open())],
      pass: async (ms) => void (await new Promise<void>((over) => systemClock.after(ms, over))),
    }));

    it("connections of a client, counted at two replicas", async () => {
      const [one, other] = [new RedisOpenConnections(await open()), new RedisOpenConnections(await open())];
      expect(await one.take("desk", 1, 1)).toBe(true);
      expect(await other.take("desk", 1, 1)).toBe(false);
    });
  });

  /** Why a start fails. It serves where Redis does not answer within a second, as on a busy machine: then again. */
  const refusal = () => engineOf(url).then(() => "it serves", String);

  it("does not suffice without any one of its commands: the start fails, and names it", async () => {
    for (const command of COMMANDS) {
      await server.run("ACL", "SETUSER", USER, `-${command}`);
      // A script that cannot read a subcommand's result names the command.
      await expect.poll(refusal, { message: command }).toMatch(new RegExp(`\\(NOPERM .*\\b${command.split("|")[0]}`));
      await server.run("ACL", "SETUSER", USER, `+${command}`);
    }
  });

  it.each([
    ["keys", "resetkeys"],
    ["channels", "resetchannels"],
  ])("does not suffice without its %s", async (_, taken) => {
    await server.run("ACL", "SETUSER", USER, taken);
    await expect.poll(refusal).toMatch(/its user lacks .*NOPERM/);
  });

  it("that loses a right, or whose password changes, is what the engine names as its trouble, until it is given back", async () => {
    const engine = await engineOf(url);
    await server.run("ACL", "SETUSER", USER, "-zrange");
    await eventually(() => engine.trouble === "its user lacks rights to commands, keys or channels (NOPERM zrange)");
    await server.run("ACL", "SETUSER", USER, "+zrange");
    await eventually(() => engine.isUp && engine.trouble === undefined);
    await server.run("ACL", "SETUSER", USER, "resetpass", ">another");
    await server.run("CLIENT", "KILL", "USER", USER);
    await eventually(() => engine.trouble === "it refuses the user or the password (WRONGPASS)");
    await expect.poll(refusal).toContain("it refuses the user or the password (WRONGPASS)");
    await server.run("ACL", "SETUSER", USER, ">password");
    await eventually(() => engine.isUp);
  });
});
