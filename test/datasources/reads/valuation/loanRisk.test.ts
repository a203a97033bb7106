import { exact, plain } from "@exchange-graph/contract/decimal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currentLtv, distanceTo } from "../../../../src/datasources/reads/valuation/loanRisk.js";

const loan = { loanAmount: "6000", interestAmount: "500", pledgeAmount: "0.2", liquidationLtv: "0.83" };
const prices = { loanCoin: "1", pledgeCoin: "50000" };

describe("a loan's loan-to-value", () => {
  it("is debt with interest over collateral, as a fraction", () => {
    expect(currentLtv(loan, prices)).toBe("0.65");
    expect(currentLtv({ ...loan, interestAmount: "500.123456" }, prices)).toBe("0.650012");
  });

  it("prices both coins", () => {
    expect(currentLtv({ ...loan, loanAmount: "1.5", interestAmount: "0" }, { loanCoin: "3000", pledgeCoin: "50000" })).toBe(
      "0.45",
    );
  });

  it.each([
    [loan, { ...prices, loanCoin: null }],
    [loan, { ...prices, pledgeCoin: null }],
    [{ ...loan, pledgeAmount: "0" }, prices],
  ])("is unknown without both prices and collateral (%#)", (known, given) => {
    expect(currentLtv(known, given)).toBeNull();
    expect(distanceTo("0.83", known, given)).toBeNull();
  });
});

describe("a loan's distance to liquidation", () => {
  it("is how far the collateral may fall, as a fraction", () => {
    // At 83 % the collateral is worth 6500 / 0.83 = 7831.325…, which is 21.6867… % below 10000.
    expect(distanceTo(loan.liquidationLtv, loan, prices)).toBe("0.216867");
  });

  it("is negative once the rate has been passed", () => {
    expect(distanceTo(loan.liquidationLtv, loan, { ...prices, pledgeCoin: "39000" })).toBe("-0.004016");
  });

  it("is unknown where the exchange sets no rate", () => {
    expect(distanceTo("0", loan, prices)).toBeNull();
  });

  it("ends where the loan-to-value is the force rate, for any amounts", () => {
    const cents = fc.integer({ min: 1_000, max: 1_000_000_000 }).map((value) => plain(exact(`${value}e-2`)));
    fc.assert(
      fc.property(cents, cents, cents, fc.integer({ min: 50, max: 95 }), (loanAmount, pledgeAmount, price, percent) => {
        const force = exact(`${percent}e-2`);
        const any = { loanAmount, interestAmount: "0", pledgeAmount, liquidationLtv: plain(force) };
        const distance = distanceTo(any.liquidationLtv, any, { loanCoin: "1", pledgeCoin: price }) ?? "";
        const fallen = exact(price).times(exact("1").minus(exact(distance)));
        const then = exact(currentLtv(any, { loanCoin: "1", pledgeCoin: plain(fallen) }) ?? "");
        // Both figures are cut off after six decimals, relative to what they are.
        const tolerance = force
          .times(exact("0.000002"))
          .times(exact("1").plus(exact(price).div(fallen)))
          .plus(exact("0.000002"));
        expect(then.minus(force).abs().lte(tolerance)).toBe(true);
      }),
    );
  });
});
