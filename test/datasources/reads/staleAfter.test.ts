import { endpointNamed, endpoints } from "@exchange-graph/contract";
import { describe, expect, it } from "vitest";
import { staleAfter } from "../../../src/datasources/reads/staleAfter.js";

const writes = endpoints.filter(({ method }) => method === "POST");
const serves = (name: string) => endpointNamed(name)?.serves;

describe("what a write makes stale", () => {
  it("is written down for every write, and for nothing else", () => {
    expect([...staleAfter.keys()].sort()).toEqual(writes.map(({ name }) => name).sort());
  });

  it.each(writes.map(({ name }) => name))("is what an account can read, after %s", (name) => {
    const stale = staleAfter.get(name) ?? [];
    expect(stale).not.toEqual([]);
    expect(new Set(stale).size).toBe(stale.length);
    for (const read of stale) expect(endpointNamed(read)).toMatchObject({ method: "GET", access: "private" });
  });

  it("is of the write's own API version, where the write has one", () => {
    const modeChanges = ["upgradeAccount", "switchAccount"];
    for (const { name, serves: apiVersion } of writes) {
      if (apiVersion === "BOTH" || modeChanges.includes(name)) continue;
      for (const read of staleAfter.get(name) ?? []) expect([apiVersion, "BOTH"]).toContain(serves(read));
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
      expect(staleAfter.get(name)?.filter((read) => balances.includes(read))).not.toEqual([]);
    }
  });
});
