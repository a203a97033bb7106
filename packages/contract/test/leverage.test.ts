import { describe, expect, it } from "vitest";
import { classicSetHoldMode, classicSetLeverage, setHoldMode, setLeverage } from "../src/leverage.js";
import samples from "./samples/leverage.json" with { type: "json" };
import { refused } from "./support/refused.js";

const classic = { symbol: "BTCUSDT", productType: "USDT-FUTURES", marginCoin: "USDT" } as const;

describe("leverage of a unified account", () => {
  it("needs the symbol for futures", () => {
    expect(refused(setLeverage, { category: "USDT-FUTURES", leverage: "10", symbol: "BTCUSDT" })).toEqual([]);
    expect(refused(setLeverage, { category: "USDT-FUTURES", leverage: "10", coin: "BTC" })).toEqual(["symbol"]);
  });

  it("needs the coin for margin", () => {
    expect(refused(setLeverage, { category: "MARGIN", leverage: "3", coin: "BTC" })).toEqual([]);
    expect(refused(setLeverage, { category: "MARGIN", leverage: "3", symbol: "BTCUSDT" })).toEqual(["coin"]);
  });
});

describe("leverage of a Classic account", () => {
  it.each(["leverage", "longLeverage", "shortLeverage"])("can be set by %s alone", (name) => {
    expect(refused(classicSetLeverage, { ...classic, [name]: "5" })).toEqual([]);
  });

  it("must be given somehow", () => {
    expect(refused(classicSetLeverage, classic)).toEqual(["leverage"]);
  });

  it("reads its misspelt key, numbers, and margin modes in v2's words", () => {
    const wire = samples["reads its misspelt key, numbers, and margin modes in v2's words: sent"];
    expect(classicSetLeverage.data.decode(wire)).toEqual({
      symbol: "BTCUSDT",
      marginCoin: "USDT",
      longLeverage: "20",
      shortLeverage: "25",
      crossedMarginLeverage: "20",
      marginMode: "crossed",
      marginModeRaw: "cross",
    });
  });
});

describe("modes", () => {
  it("of positions are one-way and hedge, in both API versions", () => {
    for (const mode of ["one_way_mode", "hedge_mode"] as const) {
      expect(refused(setHoldMode, { holdMode: mode })).toEqual([]);
      expect(refused(classicSetHoldMode, { productType: "USDT-FUTURES", posMode: mode })).toEqual([]);
    }
    expect(refused(setHoldMode, { holdMode: "both_sides" as never })).toEqual(["holdMode"]);
    expect(classicSetHoldMode.data.decode({ posMode: "hedge_mode" })).toEqual({
      holdMode: "hedge_mode",
      holdModeRaw: "hedge_mode",
    });
  });

  it.each(["success", "", null, true])("of a unified account are acknowledged by %j", (wire) => {
    expect(setHoldMode.data.decode(wire)).toBeNull();
  });
});
