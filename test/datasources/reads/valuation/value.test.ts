import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { notionalOf, sumOf, valueAt } from "../../../../src/datasources/reads/valuation/value.js";

describe("a value", () => {
  it("is exact to the last digit, where a binary float is not", () => {
    expect(valueAt("0.1", "0.2")).toBe("0.02");
    expect(valueAt("123456789.000000000000000001", "98765.4321")).toBe("12193263111263.5269000000000987654321");
  });

  it("is unknown without a price, and then counts as nothing in a sum", () => {
    expect(valueAt("5", null)).toBeNull();
    expect(sumOf(["0.1", null, "0.2", "-0.05"])).toBe("0.25");
    expect(sumOf([])).toBe("0");
  });

  it("does not depend on the order of a sum", () => {
    const amount = fc
      .tuple(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), fc.nat(9))
      .map(([digits, fraction]) => `${digits}.${fraction}`);
    fc.assert(
      fc.property(fc.array(amount), (amounts) => {
        expect(sumOf(amounts)).toBe(sumOf([...amounts].reverse()));
      }),
    );
  });
});

describe("a position's notional", () => {
  it("is its quantity at the mark price, positive for a short one too", () => {
    expect(notionalOf({ qty: "0.02", markPrice: "64250.5" })).toBe("1285.01");
    expect(notionalOf({ qty: "-0.02", markPrice: "64250.5" })).toBe("1285.01");
  });

  it("is unknown without a mark price", () => {
    expect(notionalOf({ qty: "0.02", markPrice: null })).toBeNull();
  });
});
