import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distanceToLiquidation, loanToValue } from "../../../src/datasources/valuation/loanRisk.js";
import { exact, plain } from "../../../src/decimal.js";

const loan = { loanAmount: "6000", interestAmount: "500", pledgeAmount: "0.2", forceRate: "83" };
const prices = { loanCoin: "1", pledgeCoin: "50000" };

describe("a loan's loan-to-value", () => {
  it("is debt with interest over collateral, in percent", () => {
    expect(loanToValue(loan, prices)).toBe("65");
    expect(loanToValue({ ...loan, interestAmount: "500.123456" }, prices)).toBe("65.0012");
  });

  it("prices both coins", () => {
    expect(loanToValue({ ...loan, loanAmount: "1.5", interestAmount: "0" }, { loanCoin: "3000", pledgeCoin: "50000" })).toBe(
      "45",
    );
  });

  it.each([
    [loan, { ...prices, loanCoin: null }],
    [loan, { ...prices, pledgeCoin: null }],
    [{ ...loan, pledgeAmount: "0" }, prices],
  ])("is unknown without both prices and collateral (%#)", (known, given) => {
    expect(loanToValue(known, given)).toBeNull();
    expect(distanceToLiquidation(known, given)).toBeNull();
  });
});

describe("a loan's distance to liquidation", () => {
  it("is how far the collateral may fall, in percent", () => {
    // At 83 % the collateral is worth 6500 / 0.83 = 7831.325…, which is 21.6867… % below 10000.
    expect(distanceToLiquidation(loan, prices)).toBe("21.6867");
  });

  it("is negative once the rate has been passed", () => {
    expect(distanceToLiquidation(loan, { ...prices, pledgeCoin: "39000" })).toBe("-0.4016");
  });

  it("is unknown where the exchange sets no rate", () => {
    expect(distanceToLiquidation({ ...loan, forceRate: "0" }, prices)).toBeNull();
  });

  it("ends where the loan-to-value is the force rate, whatever the amounts", () => {
    const cents = fc.integer({ min: 1_000, max: 1_000_000_000 }).map((value) => plain(exact(`${value}e-2`)));
    fc.assert(
      fc.property(cents, cents, cents, fc.integer({ min: 50, max: 95 }), (loanAmount, pledgeAmount, price, force) => {
        const any = { loanAmount, interestAmount: "0", pledgeAmount, forceRate: String(force) };
        const distance = distanceToLiquidation(any, { loanCoin: "1", pledgeCoin: price }) ?? "";
        const fallen = exact(price).times(exact("1").minus(exact(distance).div(exact("100"))));
        const then = exact(loanToValue(any, { loanCoin: "1", pledgeCoin: plain(fallen) }) ?? "");
        // Both figures are cut off after four decimals, relative to what they are.
        const tolerance = exact(String(force))
          .times(exact("0.000002"))
          .times(exact("1").plus(exact(price).div(fallen)))
          .plus(exact("0.0002"));
        expect(
          then
            .minus(exact(String(force)))
            .abs()
            .lte(tolerance),
        ).toBe(true);
      }),
    );
  });
});
