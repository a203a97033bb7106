import { type Coin, coins } from "@exchange-graph/contract/coin";
import type { Row } from "@exchange-graph/contract/rows";
import { describe, expect, it } from "vitest";
import { brokenByCoin } from "../../../../src/datasources/writes/rules/withdrawalRules.js";

const chain = (name: string, more: object = {}) => ({
  ...{ chain: name, needTag: "false", withdrawable: "true", minWithdrawAmount: "2", withdrawStep: "0", withdrawMinScale: "6" },
  ...more,
});
const LIST = [
  { coin: "USDT", chains: [chain("TRC20"), chain("ERC20", { minWithdrawAmount: "10", withdrawStep: "5" })] },
  { coin: "XRP", chains: [chain("Ripple", { needTag: "true" })] },
  { coin: "BGB", chains: [] },
];
const listed = (wire: unknown = LIST): readonly Row<Coin>[] => coins.data.decode(wire, []);
const ORDER = { coin: "USDT", dest: "on_chain", amount: "20" } as const;

describe("a withdrawal", () => {
  it.each([
    ["over the main chain", {}],
    ["over a chain in any letter case", { coin: "usdt", chain: "erc20" }],
    ["with a tag that its chain needs", { coin: "XRP", tag: "7" }],
    ["to another user, of a coin without a chain", { coin: "BGB", dest: "internal_transfer" }],
    ["to another user, of less than a chain's minimum", { dest: "internal_transfer", amount: "0.0000001" }],
  ] as const)("is not refused %s", (_, more) => {
    expect(brokenByCoin(listed(), { ...ORDER, ...more })).toEqual([]);
  });

  it.each([
    ["a coin that is not listed", { coin: "NOSUCH" }, "coin", "must be a coin that the exchange lists, such as USDT"],
    ["a coin without a chain", { coin: "BGB" }, "coin", "must be a coin with a chain: BGB cannot be withdrawn to one"],
    ["another coin's chain", { chain: "Ripple" }, "chain", "must be a chain of USDT: TRC20, ERC20"],
    ["a missing tag", { coin: "XRP" }, "tag", "must be given: addresses of Ripple have one"],
    ["less than the minimum", { amount: "1.5" }, "amount", "must be at least 2 over TRC20; the nearest is 2"],
    ["no multiple of the step", { chain: "ERC20", amount: "12" }, "amount", "must be a multiple of 5; the nearest is 10"],
    ["too many decimals", { amount: "2.0000001" }, "amount", "must be a multiple of 0.000001; the nearest is 2"],
  ] as const)("is refused with %s", (_, more, argument, rule) => {
    expect(brokenByCoin(listed(), { ...ORDER, ...more })).toEqual([{ argument, rule }]);
  });

  it("is left to the exchange where its list, or a row that may be the one, cannot be read", () => {
    expect(brokenByCoin([], { ...ORDER, coin: "NOSUCH" })).toEqual([]);
    const unnamed = listed([...LIST, { chains: [] }]);
    expect(brokenByCoin(unnamed, { ...ORDER, coin: "NOSUCH" })).toEqual([]);
    const oddChain = listed([{ coin: "USDT", chains: [{ needTag: "false" }, chain("TRC20")] }]);
    expect(brokenByCoin(oddChain, { ...ORDER, chain: "SOL" })).toEqual([]);
  });

  it("over a chain that is closed is left to the exchange, because that changes within minutes", () => {
    const closed = listed([{ coin: "USDT", chains: [chain("TRC20", { withdrawable: "false" })] }]);
    expect(brokenByCoin(closed, ORDER)).toEqual([]);
  });
});
