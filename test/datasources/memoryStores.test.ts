import { ManualClock, systemClock } from "@exchange-graph/contract/clock";
import { describe } from "vitest";
import { memoryQuotas } from "../../src/access/quotas/quotaStore.js";
import { MemoryTokens } from "../../src/access/tokens/tokenStore.js";
import { MemoryRateBudgets } from "../../src/datasources/calls/scheduler/rateBudgetStore.js";
import { MemoryCache } from "../../src/datasources/reads/cache/memoryCache.js";
import { MemoryOrderRates } from "../../src/datasources/writes/limits/orderRates.js";
import { quotaContract } from "../access/quotas/quotaContract.js";
import { tokenContract } from "../access/tokens/tokenContract.js";
import { rateBudgetContract } from "./calls/scheduler/rateBudgetContract.js";
import { cacheContract } from "./reads/cache/cacheContract.js";
import { orderRateContract } from "./writes/limits/orderRateContract.js";

describe("in this process's memory", () => {
  const clock = new ManualClock(1_000_000);
  rateBudgetContract(async () => new MemoryRateBudgets());
  cacheContract(async () => new MemoryCache(clock, { maxEntries: 100, maxBytes: 1_000_000 }));
  orderRateContract(async () => new MemoryOrderRates(() => clock.now()));
  quotaContract(async () => memoryQuotas(clock));
  tokenContract(async () => new MemoryTokens(systemClock));
});
