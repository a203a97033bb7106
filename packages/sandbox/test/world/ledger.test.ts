import { exact, plain } from "@exchange-graph/contract/decimal";
import { beforeEach, describe, expect, it } from "vitest";
import { causeOf } from "../../src/world/cause.js";
import { BadPosting, houseWallet, InsufficientBalance, Ledger, type Wallet, walletOf } from "../../src/world/ledger.js";

const alice = walletOf("1", "spot");
const bob = walletOf("2", "spot");

describe("the ledger", () => {
  let now: number;
  let ledger: Ledger;
  beforeEach(() => {
    now = 1_000;
    ledger = new Ledger(() => now);
    ledger.mint(alice, "USDT", exact("100.5"));
    ledger.seal();
  });

  const shown = (wallet: Wallet, coin = "USDT") => {
    const { available, frozen, locked } = ledger.balance(wallet, coin);
    return [available, frozen, locked].map(plain);
  };

  it("moves, freezes, releases and spends to the last digit", () => {
    ledger.freeze(alice, "USDT", exact("40.000000000000000001"), "order");
    expect(shown(alice)).toEqual(["60.499999999999999999", "40.000000000000000001", "0"]);
    ledger.spend(alice, bob, "USDT", exact("40"), causeOf("transfer", "trade"));
    ledger.release(alice, "USDT", exact("0.000000000000000001"), "rest");
    expect(shown(alice)).toEqual(["60.5", "0", "0"]);
    expect(shown(bob)).toEqual(["40", "0", "0"]);
  });

  it("refuses what a bucket does not hold, names it, and changes nothing", () => {
    const before = ledger.digest();
    expect(() => ledger.move(alice, bob, "USDT", exact("100.51"), causeOf("transfer", "too much"))).toThrow(InsufficientBalance);
    expect(() => ledger.spend(alice, bob, "USDT", exact("0.1"), causeOf("transfer", "not frozen"))).toThrow(
      /holds 0 USDT frozen, not 0\.1/,
    );
    expect(() => ledger.move(bob, alice, "BTC", exact("1"), causeOf("transfer", "never held"))).toThrow(InsufficientBalance);
    expect(ledger.digest()).toBe(before);
    expect(shown(alice)).toEqual(["100.5", "0", "0"]);
  });

  it("refuses negative amounts and coins made after the world was", () => {
    expect(() => ledger.move(alice, bob, "USDT", exact("-1"), causeOf("transfer", "backwards"))).toThrow(BadPosting);
    expect(() => ledger.mint(alice, "USDT", exact("1"))).toThrow(BadPosting);
  });

  it("keeps the total of a coin whatever is posted", () => {
    ledger.move(alice, houseWallet("fees"), "USDT", exact("0.3"), causeOf("transfer", "fee"));
    ledger.transfer(
      { wallet: alice, bucket: "available" },
      { wallet: bob, bucket: "locked" },
      "USDT",
      exact("7"),
      causeOf("transfer", "gift"),
    );
    expect(plain(ledger.total("USDT"))).toBe("100.5");
    expect([...ledger.supply()].map(([coin, amount]) => [coin, plain(amount)])).toEqual([["USDT", "100.5"]]);
  });

  it("notifies its listeners of each changed wallet and coin once", () => {
    const heard: string[] = [];
    const stop = ledger.onChange((wallet, coin) => heard.push(`${wallet} ${coin}`));
    ledger.move(alice, bob, "USDT", exact("1"), causeOf("transfer", "gift"));
    ledger.freeze(bob, "USDT", exact("1"), "order");
    stop();
    ledger.release(bob, "USDT", exact("1"), "cancel");
    expect(heard).toEqual(["2/spot USDT", "1/spot USDT", "2/spot USDT"]);
  });

  it("posts nothing for an amount of zero", () => {
    const before = ledger.posted;
    ledger.freeze(alice, "USDT", exact("0.00"), "nothing");
    expect(ledger.posted).toBe(before);
  });

  it("digests equal postings equally and any difference differently", () => {
    const other = new Ledger(() => now);
    other.mint(alice, "USDT", exact("100.50"));
    expect(other.digest()).toBe(ledger.digest());
    now += 1;
    other.freeze(alice, "USDT", exact("1"), "order");
    const digest = other.digest();
    ledger.freeze(alice, "USDT", exact("1.0000000001"), "order");
    expect(ledger.digest()).not.toBe(digest);
  });
});
