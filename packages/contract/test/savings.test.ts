import { describe, expect, it } from "vitest";
import { redemption, redemptionResult, savingsHolding, savingsProduct, savingsRecord } from "../src/savings.js";
import samples from "./samples/savings.json" with { type: "json" };

const { PRODUCT, HOLDING } = samples;

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
