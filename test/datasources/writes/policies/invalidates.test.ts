import { endpointNamed, endpoints } from "@exchange-graph/contract";
import { describe, expect, it } from "vitest";
import { policyOf, WRITE_POLICIES } from "../../../../src/datasources/writes/policies/index.js";

/** A call with several writes invalidates what each of them does. */
const batches = new Set(
  WRITE_POLICIES.flatMap(({ endpoint, batch }) =>
    batch === undefined || batch.endpoint.name === endpoint.name ? [] : [batch.endpoint.name],
  ),
);
/** Those that the gateway sends: an account's mode is changed by its upgrade alone. */
const writes = endpoints.filter(({ method, name }) => method === "POST" && name !== "switchAccount" && !batches.has(name));
/** Those that change nothing that can be read. */
const silent = new Set(["countdownCancelAll"]);
const staleAfter = (name: string) => policyOf(name)?.invalidates.map((read) => read.name) ?? [];
const serves = (name: string) => endpointNamed(name)?.serves;

describe("what a write invalidates", () => {
  it("is declared by the policy that every write has, and nothing else", () => {
    expect(WRITE_POLICIES.map(({ endpoint }) => endpoint.name).sort()).toEqual(writes.map(({ name }) => name).sort());
  });

  it.each(writes.map(({ name }) => name))("is what an account can read, after %s", (name) => {
    const stale = staleAfter(name);
    expect(stale.length > 0).toBe(!silent.has(name));
    expect(new Set(stale).size).toBe(stale.length);
    for (const read of stale) expect(endpointNamed(read)).toMatchObject({ method: "GET", access: "private" });
  });

  it("is of the write's own API version, where the write has one", () => {
    for (const { name, serves: apiVersion } of writes) {
      if (apiVersion === "BOTH" || policyOf(name)?.changes === "accountMode") continue;
      for (const read of staleAfter(name)) expect([apiVersion, "BOTH"]).toContain(serves(read));
    }
  });

  it("holds the balances after everything that moves coins", () => {
    const balancesOf = {
      UNIFIED: ["unifiedAssets"],
      CLASSIC: ["classicSpotAssets", "futuresAccounts"],
      BOTH: ["unifiedAssets", "classicSpotAssets"],
    };
    for (const name of ["placeOrder", "classicPlaceSpotOrder", "classicPlaceFuturesOrder", "savingsRedeem", "convertTrade"]) {
      const balances = balancesOf[serves(name) ?? "BOTH"];
      expect(staleAfter(name).filter((read) => balances.includes(read))).not.toEqual([]);
    }
  });
});
