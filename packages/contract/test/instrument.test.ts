import { describe, expect, it } from "vitest";
import { instrument } from "../src/instrument.js";
import samples from "./samples/instrument.json" with { type: "json" };

const { UNIFIED_FUTURES, CONTRACT } = samples;

describe("instruments", () => {
  it("read a v2 contract as v3's record, apart from what only v2 sends", () => {
    const unified = instrument.decode(UNIFIED_FUTURES);
    expect(instrument.decode(CONTRACT)).toEqual({
      ...unified,
      statusRaw: "normal",
      supportMarginCoins: ["USDT"],
      posLimit: "0.1",
    });
    expect(unified).toMatchObject(samples["read a v2 contract as v3's record, apart from what only v2 sends"]);
  });

  it.each([
    ["1", "1", "0.1"],
    ["5", "3", "0.005"],
    ["1", "0", "1"],
    ["10", "0", "10"],
    ["1", "10", "0.0000000001"],
  ])("count v2's tick size exactly: %s in units of %s decimals is %s", (priceEndStep, pricePlace, tick) => {
    expect(instrument.decode({ ...CONTRACT, priceEndStep, pricePlace }).priceMultiplier).toBe(tick);
  });

  it("distinguish the contract type from the asset class under either key", () => {
    const { type: _, ...older } = UNIFIED_FUTURES;
    expect(instrument.decode({ ...older, symbolType: "delivery" })).toMatchObject({
      type: "delivery",
      typeRaw: "delivery",
      assetClass: null,
      assetClassRaw: null,
    });
    expect(instrument.decode({ ...UNIFIED_FUTURES, symbolType: "crypto" })).toMatchObject({
      type: "perpetual",
      assetClass: "crypto",
      assetClassRaw: "crypto",
    });
    expect(instrument.decode({ ...older, symbolType: "stock" })).toMatchObject({ type: null, assetClass: "stock" });
    expect(instrument.decode({ ...older, symbolType: "weather" })).toMatchObject({
      assetClass: "UNKNOWN",
      assetClassRaw: "weather",
    });
  });

  it.each([
    ["normal", "online"],
    ["off", "offline"],
    ["restrictedAPI", "restricted_api"],
    ["limit_close", "limit_close"],
    ["maintain", "maintain"],
    ["surprise", "UNKNOWN"],
  ])("read the status %s as %s", (status, expected) => {
    expect(instrument.decode({ ...UNIFIED_FUTURES, status }).status).toBe(expected);
  });

  it("read spot and margin, where most fields are empty", () => {
    const bare = { symbol: "BTCUSDT", category: "MARGIN", baseCoin: "BTC", quoteCoin: "USDT", status: "online" };
    expect(instrument.decode({ ...bare, maxOrderQty: "", minOrderQty: "", areaSymbol: "no" })).toMatchObject({
      maxOrderQty: null,
      type: null,
      priceMultiplier: null,
      isRegional: false,
    });
    expect(
      instrument.decode({ ...bare, isIsolatedBaseBorrowable: "YES", isIsolatedQuotedBorrowable: "NO", maxCrossedLeverage: "3" }),
    ).toMatchObject({ isIsolatedBaseBorrowable: true, isIsolatedQuoteBorrowable: false, maxCrossedLeverage: "3" });
  });
});
