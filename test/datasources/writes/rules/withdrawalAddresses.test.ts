import { describe, expect, it } from "vitest";
import type { Fault } from "../../../../src/datasources/errors/fault.js";
import {
  type AllowedAddress,
  refuseElsewhere,
  type WithdrawalRule,
} from "../../../../src/datasources/writes/rules/withdrawalRules.js";

const OURS = { dest: "on_chain", address: "TQ4cold" } as const;
const withdrawal = { account: "desk", coin: "USDT", chain: "trc20", ...OURS };

function codeOf(rule: WithdrawalRule, more: Partial<AllowedAddress> = {}): string | undefined {
  try {
    refuseElsewhere(rule, { ...withdrawal, ...more } as typeof withdrawal);
    return undefined;
  } catch (error) {
    return (error as Fault).code;
  }
}

describe("a withdrawal", () => {
  it("may go to any address if the rule says so, and to none if the list is empty", () => {
    expect([codeOf("anywhere"), codeOf([])]).toEqual([undefined, "FORBIDDEN"]);
  });

  it("may go to any address of the list", () => {
    expect(codeOf([{ ...OURS, address: "other" }, OURS])).toBeUndefined();
  });

  it.each<[string, Partial<AllowedAddress>]>([
    ["another address", { address: "TQ4colds" }],
    ["an address that differs in the case of a letter", { address: "tQ4cold" }],
    ["a part of an address", { address: "TQ4col" }],
    ["no address", { address: "" }],
    ["a user of the exchange by the name of the address", { dest: "internal_transfer" }],
    ["the address with a tag, which is another place", { tag: "77" }],
  ])("may not go to %s", (_, more) => {
    expect(codeOf([OURS], more)).toBe("FORBIDDEN");
  });

  it.each<[string, Partial<AllowedAddress>, Partial<AllowedAddress>]>([
    ["the account", { account: "desk" }, { account: "other" }],
    ["the coin", { coin: "USDT" }, { coin: "BTC" }],
    ["the chain", { chain: "trc20" }, { chain: "erc20" }],
    ["the chain, which may not be left to the exchange then", { chain: "trc20" }, { chain: undefined }],
    ["the tag", { tag: "77" }, { tag: "78" }],
    ["the tag, which may not be left out then", { tag: "77" }, { tag: undefined }],
  ])("requires %s that is listed with the address", (_, bound, other) => {
    expect(codeOf([{ ...OURS, ...bound }], bound)).toBeUndefined();
    expect(codeOf([{ ...OURS, ...bound }], other)).toBe("FORBIDDEN");
  });
});
