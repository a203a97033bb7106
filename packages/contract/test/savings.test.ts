import { describe, expect, it } from "vitest";
import {
  redemption,
  redemptionResult,
  savingsAssets,
  savingsHolding,
  savingsProduct,
  savingsRecord,
  savingsRedeem,
} from "../src/savings.js";
import samples from "./samples/savings.json" with { type: "json" };
import { refused } from "./support/refused.js";

const NOW = Date.UTC(2026, 4, 31, 12);
const THREE_MONTHS_AGO = Date.UTC(2026, 1, 28, 12);

const PRODUCT = samples.PRODUCT;

const HOLDING = samples.HOLDING;

const TIER = { tier: 0, minAmount: "0", maxAmount: "300", apy: "0.09" };

describe("savings", () => {
  it("leave null what a flexible product does not have", () => {
    expect(savingsProduct.decode(PRODUCT)).toMatchObject({
      period: null,
      canRedeemEarly: null,
      settleMethod: null,
      settleMethodRaw: null,
    });
    expect(savingsHolding.decode(HOLDING)).toMatchObject({ orderId: null, period: null, holdDays: null, canRedeemEarly: null });
  });

  it("name the tiers alike on a product and on a holding", () => {
    expect(savingsProduct.decode(PRODUCT).apyTiers).toEqual([TIER]);
    expect(savingsHolding.decode(HOLDING).apyTiers).toEqual([TIER]);
  });

  it.each([
    ["advanceRedeem", "Yes", true],
    ["allowRedemption", "No", false],
  ])("find the early redemption under %s", (key, wire, expected) => {
    const { allowRedemption: _, ...rest } = HOLDING;
    expect(savingsHolding.decode({ ...rest, [key]: wire }).canRedeemEarly).toBe(expected);
  });

  it("read both words for a holding that runs as one", () => {
    expect(savingsHolding.decode(HOLDING).status).toBe("in_progress");
    expect(savingsHolding.decode({ ...HOLDING, status: "in_progress" }).status).toBe("in_progress");
    expect(savingsHolding.decode({ ...HOLDING, status: "in_redemption" }).status).toBe("in_redemption");
  });

  it("name coins and time in a record as everywhere else", () => {
    const wire = samples["name coins and time in a record as everywhere else: sent"];
    expect(savingsRecord.decode(wire)).toEqual(samples["name coins and time in a record as everywhere else"]);
  });

  it("keep a redemption's status as the exchange sent it, even if it is an amount", () => {
    expect(redemption.decode({ orderId: "1", status: "2000.000000" })).toEqual({ orderId: "1", status: "2000.000000" });
    expect(redemption.decode({ orderId: "1" })).toEqual({ orderId: "1", status: null });
  });

  it("say how a redemption ended, and why", () => {
    expect(redemptionResult.decode({ result: "fail", msg: "closed" })).toMatchObject({ result: "fail", message: "closed" });
  });
});

describe("what savings are asked for by", () => {
  const REDEEM = { productId: "9001", periodType: "flexible", amount: "10" } as const;

  it("needs product, kind and amount for a redemption, and no holding", () => {
    expect(refused(savingsRedeem, REDEEM)).toEqual([]);
    expect(refused(savingsRedeem, { ...REDEEM, orderId: "77" })).toEqual([]);
    expect(refused(savingsRedeem, {} as never)).toEqual(["productId", "periodType", "amount"]);
  });

  it("takes flexible and fixed, and no other kind", () => {
    expect(refused(savingsRedeem, { ...REDEEM, periodType: "fixed" })).toEqual([]);
    expect(refused(savingsRedeem, { ...REDEEM, periodType: "daily" as "fixed" })).toEqual(["periodType"]);
  });

  it.each(["0", "0.00", "-1", "1e3", "", "ten"])("redeems no amount of %o", (amount) => {
    expect(refused(savingsRedeem, { ...REDEEM, amount })).toEqual(["amount"]);
  });

  it("spans three months of holdings, and not a millisecond more", () => {
    const asked = { periodType: "fixed", endTime: NOW } as const;
    expect(refused(savingsAssets, { ...asked, startTime: THREE_MONTHS_AGO }, NOW)).toEqual([]);
    expect(refused(savingsAssets, { ...asked, startTime: THREE_MONTHS_AGO - 1 }, NOW)).toEqual(["startTime"]);
  });

  it("takes pages of 1 to 100, and twenty by default", () => {
    expect(savingsAssets.parameters.limit.fallback).toBe(20);
    expect(refused(savingsAssets, { periodType: "fixed", limit: 100 })).toEqual([]);
    expect(refused(savingsAssets, { periodType: "fixed", limit: 101 })).toEqual(["limit"]);
    expect(refused(savingsAssets, { periodType: "fixed", limit: 0 })).toEqual(["limit"]);
  });
});
