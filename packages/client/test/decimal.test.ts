import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  formatDecimal,
  formatPercent,
  isDecimal,
  isOnStep,
  multiplyDecimals,
  type Rounding,
  roundToStep,
  subtractDecimals,
  trimDecimal,
} from "../src/index.js";

const SCALE = 12;
/** A decimal, and what it is in units of 10^-12. */
const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.integer({ min: 0, max: SCALE }))
  .map(([units, scale]) => {
    const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
    const point = digits.length - scale;
    const text = `${units < 0n ? "-" : ""}${digits.slice(0, point)}${scale > 0 ? `.${digits.slice(point)}` : ""}`;
    return { text, units: units * 10n ** BigInt(SCALE - scale) };
  });
const unitsOf = (text: string, scale = SCALE): bigint => {
  const [whole = "", fraction = ""] = text.split(".");
  return BigInt(whole + fraction.padEnd(scale, "0"));
};

describe("decimals", () => {
  it("add, subtract, multiply and compare as whole numbers do", () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        expect(unitsOf(addDecimals(a.text, b.text))).toBe(a.units + b.units);
        expect(unitsOf(subtractDecimals(a.text, b.text))).toBe(a.units - b.units);
        expect(unitsOf(multiplyDecimals(a.text, b.text), 2 * SCALE)).toBe(a.units * b.units);
        expect(compareDecimals(a.text, b.text)).toBe(a.units < b.units ? -1 : a.units > b.units ? 1 : 0);
      }),
    );
  });

  it("are rounded to the step on the right side, and never by a whole step", () => {
    const steps = fc.constantFrom("0.1", "0.5", "0.01", "1", "25", "0.00000005");
    const roundings = fc.constantFrom<Rounding>("down", "up", "nearest");
    fc.assert(
      fc.property(decimals, steps, roundings, ({ text, units }, step, rounding) => {
        const size = unitsOf(step);
        const rounded = unitsOf(roundToStep(text, step, rounding));
        const off = (rounded - units) * (units < 0n ? -1n : 1n);
        expect(rounded % size).toBe(0n);
        expect(isOnStep(roundToStep(text, step, rounding), step)).toBe(true);
        if (rounding === "down") expect(off <= 0n && off > -size).toBe(true);
        else if (rounding === "up") expect(off >= 0n && off < size).toBe(true);
        else expect(2n * (off < 0n ? -off : off) <= size).toBe(true);
      }),
    );
  });

  it.each([
    ["64250.125", { step: "0.01" }, "64,250.13"],
    ["-64250.125", { step: "0.01" }, "-64,250.13"],
    ["1234567", {}, "1,234,567"],
    ["0.10", {}, "0.10"],
    ["-0.004", { step: "0.01" }, "0.00"],
    ["0.004", { step: "0.01", sign: true }, "0.00"],
    ["12", { step: "0.5", sign: true }, "+12.0"],
    ["1234.5", { group: "\u202f", point: "," }, "1\u202f234,5"],
    ["9007199254740993.1", { step: "0.1" }, "9,007,199,254,740,993.1"],
    ["999.995", { step: "0.01", rounding: "down" }, "999.99"],
  ] as const)("%s with %j reads %s", (value, format, shown) => {
    expect(formatDecimal(value, format)).toBe(shown);
  });

  it.each([
    ["1.500", "1.5"],
    ["100", "100"],
    ["-0.0", "0"],
    ["0.0010", "0.001"],
    ["+5.", "5"],
  ])("%s without zeros that say nothing is %s", (value, trimmed) => {
    expect(trimDecimal(value)).toBe(trimmed);
  });

  it("are divided to as many digits as are asked for", () => {
    expect(divideDecimals("1", "3", 4)).toBe("0.3333");
    expect(divideDecimals("2", "3", 4, "nearest")).toBe("0.6667");
    expect(divideDecimals("-1", "3", 2, "up")).toBe("-0.34");
    expect(() => divideDecimals("1", "0.00", 2)).toThrow("division by zero");
  });

  it("that are fractions read as per cent", () => {
    expect(formatPercent("0.0123")).toBe("1.23 %");
    expect(formatPercent("-0.65", { step: "0.1" })).toBe("-65.0 %");
  });

  it("are those that the gateway accepts", () => {
    for (const text of ["0", "-0.50", "64250.125"]) expect(isDecimal(text), text).toBe(true);
    for (const text of ["1.", "+5", "007", "-01.5"]) expect(isDecimal(text), text).toBe(false);
  });

  it("are refused where they are none", () => {
    for (const text of ["", "1e5", "0x10", "1,000", "NaN", " 1", ".5", "--1"]) {
      expect(isDecimal(text), text).toBe(false);
      expect(() => formatDecimal(text), text).toThrow("not a decimal number");
    }
    expect(() => roundToStep("1", "0")).toThrow("a step must be greater than zero");
  });
});
