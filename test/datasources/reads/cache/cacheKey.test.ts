import { loanDebts, loanHistory } from "@exchange-graph/contract/loan";
import { discountRates } from "@exchange-graph/contract/market";
import { describe, expect, it } from "vitest";
import { cacheKey, topicKey } from "../../../../src/datasources/reads/cache/cacheStore.js";

describe("a cache key", () => {
  it("differs for equal calls of two accounts", () => {
    expect(cacheKey(loanDebts, "main", {})).not.toBe(cacheKey(loanDebts, "classic", {}));
  });

  it("cannot be built for an account's data without the account", () => {
    expect(() => cacheKey(loanDebts, undefined, {})).toThrow("loanDebts is an account's data and needs its account");
  });

  it("is the same for all accounts if the data is public", () => {
    expect(cacheKey(discountRates, "main", {})).toBe(cacheKey(discountRates, undefined, {}));
  });

  it("differs for values that are equal once joined", () => {
    const key = (orderId: string, loanCoin: string) => cacheKey(loanHistory, "main", { orderId, loanCoin });
    expect(key("1&loanCoin=A", "B")).not.toBe(key("1", "A&loanCoin=B"));
  });

  it("belongs to its topic", () => {
    expect(cacheKey(loanDebts, "main", {}).startsWith(`${topicKey("loanDebts", "main")}?`)).toBe(true);
  });
});
