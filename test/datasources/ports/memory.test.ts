import { ManualClock, systemClock } from "@exchange-graph/contract/clock";
import { describe } from "vitest";
import { MemoryCache } from "../../../src/datasources/cache/memoryCache.js";
import { MemoryOrderRates } from "../../../src/datasources/ports/memoryOrderRates.js";
import { MemoryQuotas } from "../../../src/datasources/ports/memoryQuotas.js";
import { MemoryRateBudgets } from "../../../src/datasources/ports/memoryRateBudgets.js";
import { MemoryTokens } from "../../../src/datasources/ports/memoryTokens.js";
import { cacheContract } from "./cacheContract.js";
import { orderRateContract } from "./orderRateContract.js";
import { quotaContract } from "./quotaContract.js";
import { rateBudgetContract } from "./rateBudgetContract.js";
import { tokenContract } from "./tokenContract.js";

describe("in this process's memory", () => {
  const clock = new ManualClock(1_000_000);
  rateBudgetContract(async () => new MemoryRateBudgets());
  cacheContract(async () => new MemoryCache(clock, { maxEntries: 100, maxBytes: 1_000_000 }));
  orderRateContract(async () => new MemoryOrderRates(() => clock.now()));
  quotaContract(async () => new MemoryQuotas(clock));
  tokenContract(async () => new MemoryTokens(systemClock));
});
