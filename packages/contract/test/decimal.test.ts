import Big from "big.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  Exact,
  exact,
  hundredth,
  isDecimalText,
  isNumeral,
  isZero,
  plain,
  quotient,
  truncated,
  withoutPadding,
} from "../src/decimal.js";

const decimalText = fc.oneof(
  fc
    .tuple(fc.constantFrom("", "-"), fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.stringMatching(/^(?:\.\d{1,18})?$/))
    .map(([sign, whole, fraction]) => `${sign}${whole}${fraction}`),
  fc.constantFrom("0", "00", "-0", "0.000", "-0.0", "0.001", "-0.1", "10", "01.00"),
);

it("zero is recognised in every notation", () => {
  fc.assert(
    fc.property(decimalText, (text) => {
      expect(isZero(text)).toBe(exact(text).eq("0"));
    }),
  );
});

it("a division gives what the library's own does, at any scale and in its square root and remainder", () => {
  const library = Big();
  library.strict = true;
  [library.DP, library.RM] = [Exact.DP, Exact.RM];
  const scaled = fc.tuple(decimalText, fc.integer({ min: -40, max: 40 })).map(([text, scale]) => `${text}e${scale}`);
  fc.assert(
    fc.property(scaled, scaled, (dividend, divisor) => {
      fc.pre(!exact(divisor).eq("0"));
      expect(plain(exact(dividend).div(exact(divisor)))).toBe(new library(dividend).div(divisor).toFixed());
      expect(plain(exact(dividend).div(divisor))).toBe(plain(exact(dividend).div(exact(divisor))));
      expect(plain(exact(dividend).mod(divisor))).toBe(new library(dividend).mod(divisor).toFixed());
      expect(plain(exact(dividend).abs().sqrt())).toBe(new library(dividend).abs().sqrt().toFixed());
    }),
    { numRuns: 1_000 },
  );
  expect(() => exact("1").div("0")).toThrow(RangeError);
});

describe("text without padding", () => {
  it.each([
    ["60967.8200000000000000", "60967.82"],
    ["0.10", "0.1"],
    ["64000.000", "64000"],
    ["-0.00", "0"],
    ["-1.50", "-1.5"],
    ["100", "100"],
    ["0", "0"],
    ["0.001", "0.001"],
  ])("of %s is %s", (text, bare) => {
    expect(withoutPadding(text)).toBe(bare);
  });
});

it("a hundredth is what a division gives", () => {
  fc.assert(
    fc.property(decimalText, (text) => {
      expect(hundredth(text)).toBe(plain(exact(text).times("0.01")));
    }),
  );
});

it("a quotient to some places is the exact one cut off there, and leaves other divisions as they are", () => {
  fc.assert(
    fc.property(decimalText, decimalText, fc.integer({ min: 0, max: 12 }), (dividend, divisor, places) => {
      fc.pre(!isZero(divisor));
      const [whole, part] = [exact(dividend), exact(divisor)];
      const before = plain(whole.div(part));
      expect(plain(quotient(whole, part, places))).toBe(plain(truncated(whole.div(part), places)));
      expect(plain(whole.div(part))).toBe(before);
    }),
    { numRuns: 500 },
  );
  expect(() => quotient(exact("1"), exact("0"), 8)).toThrow();
  expect(plain(exact("1").div("3"))).toBe("0.333333333333333333333333");
});

it("numerals and decimal text are recognised by character with the same result as by a pattern", () => {
  const nearly = fc.oneof(fc.stringMatching(/^[-0-9.+e ]{0,6}$/), decimalText, fc.string({ maxLength: 4 }));
  fc.assert(
    fc.property(nearly, (text) => {
      expect([isNumeral(text), isDecimalText(text)]).toEqual([
        /^-?\d+(?:\.\d+)?$/.test(text),
        /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text),
      ]);
    }),
    { numRuns: 1_000 },
  );
});
