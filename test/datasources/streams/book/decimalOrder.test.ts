import { exact } from "@exchange-graph/contract/decimal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareDecimals } from "../../../../src/datasources/streams/book/decimalOrder.js";

const digits = fc.stringMatching(/^\d{1,22}$/);
const decimalText = fc.oneof(
  digits,
  fc.tuple(digits, digits).map(([whole, fraction]) => `${whole}.${fraction}`),
  fc.constantFrom("0", "00", "0.000", "1", "1.0", "01.00", "10", "9.9999999999999999999", "64250.10", "64250.1"),
);

describe("the order of decimal texts", () => {
  it("is that of the numbers, to the last of any number of digits", () => {
    fc.assert(
      fc.property(decimalText, decimalText, (a, b) => {
        expect(Math.sign(compareDecimals(a, b))).toBe(exact(a).cmp(exact(b)));
      }),
      { numRuns: 5_000 },
    );
  });

  it("distinguishes numbers that are equal as binary floats", () => {
    expect(compareDecimals("9007199254740993.1", "9007199254740993.2")).toBeLessThan(0);
  });
});
