import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inCapitals, isNamed } from "../src/letterCase.js";

describe("a name in capitals", () => {
  it.each([
    ["btcUsdt", "BTCUSDT"],
    ["龙虾usdt", "龙虾USDT"],
    ["жukusdt", "ЖUKUSDT"],
    ["ßusdt", "ßUSDT"],
    ["ſol", "ſOL"],
    ["µusdt", "µUSDT"],
    ["🦞x", "🦞X"],
  ])("of %s is %s", (name, expected) => {
    expect(inCapitals(name)).toBe(expected);
  });

  it("never makes one name of two that differ in more than letter case", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (name) => {
        const capitals = inCapitals(name);
        expect(inCapitals(capitals)).toBe(capitals);
        expect(capitals.toLowerCase()).toBe(name.toLowerCase());
        expect([...capitals].length).toBe([...name].length);
      }),
    );
  });

  it("matches a given name in any letter case, and matches every name if none is given", () => {
    expect([isNamed("BTC", "btc"), isNamed("BTC", undefined), isNamed("BTC", "ETH")]).toEqual([true, true, false]);
  });
});
