import { systemClock } from "@exchange-graph/contract/clock";
import { beforeEach, describe } from "vitest";
import { RedisCache } from "../../../packages/replicas/src/redis/redisCache.js";
import { RedisEventLog } from "../../../packages/replicas/src/redis/redisEventLog.js";
import { RedisOrderRates } from "../../../packages/replicas/src/redis/redisOrderRates.js";
import { RedisQuotas } from "../../../packages/replicas/src/redis/redisQuotas.js";
import { RedisRateBudgets } from "../../../packages/replicas/src/redis/redisRateBudgets.js";
import { RedisRelay } from "../../../packages/replicas/src/redis/redisRelay.js";
import { RedisTokens } from "../../../packages/replicas/src/redis/redisTokens.js";
import { commandContract } from "../../../packages/replicas/test/redis/commandContract.js";
import { engineOf } from "../../../packages/replicas/test/redis/support.js";
import { relayContract } from "../../../packages/replicas/test/relay/relayContract.js";
import { AnswerMemory } from "../../../src/datasources/reads/cache/memoryCache.js";
import { quotaContract } from "../../access/quotas/quotaContract.js";
import { tokenContract } from "../../access/tokens/tokenContract.js";
import { rateBudgetContract } from "../../datasources/calls/scheduler/rateBudgetContract.js";
import { cacheContract } from "../../datasources/reads/cache/cacheContract.js";
import { eventLogContract } from "../../datasources/streams/resumption/eventLogContract.js";
import { orderRateContract } from "../../datasources/writes/limits/orderRateContract.js";
import { RedisError } from "./commands.js";
import { plainOf, simulatedConnect } from "./connect.js";
import { RedisServer } from "./server.js";

/** Young servers teach their replicas nothing yet: this one has been there for longer. */
const AGE_MS = 60_000;

describe("the simulation's Redis", () => {
  let server: RedisServer;
  let ahead = 0;
  beforeEach(() => {
    ahead = 0;
    server = new RedisServer(() => systemClock.now() + ahead);
  });
  const engine = async () => {
    const direct = { out: queueMicrotask, back: queueMicrotask };
    const connect = simulatedConnect({ server, pipe: () => direct, whenKilled: () => undefined });
    const opened = await engineOf("redis://simulated", undefined, undefined, undefined, connect);
    ahead += AGE_MS;
    return opened;
  };

  commandContract(async (...words) => {
    try {
      return plainOf(server.execute(words));
    } catch (error) {
      if (error instanceof RedisError) throw new Error(error.message);
      throw error;
    }
  });
  cacheContract(
    async () =>
      new RedisCache({
        engine: await engine(),
        memory: new AnswerMemory(systemClock, { maxEntries: 1_000, maxBytes: 10_000_000 }),
        userOf: (owner) => `user-of-${owner}`,
        now: () => systemClock.now(),
      }),
  );
  orderRateContract(async () => new RedisOrderRates(await engine()));
  quotaContract(async () => new RedisQuotas(await engine()));
  tokenContract(async () => new RedisTokens(await engine()));
  rateBudgetContract(async () => new RedisRateBudgets(await engine()));
  eventLogContract(
    "a log",
    async () => new RedisEventLog(await engine()),
    (ms) => {
      ahead += ms;
    },
  );
  relayContract("a relay", async () => ({
    stores: [new RedisRelay(await engine()), new RedisRelay(await engine())],
    pass: async (ms) => {
      ahead += ms;
    },
  }));
});
