import { describe, expect, it } from "vitest";
import { classicContracts, instrument, instruments } from "../src/instrument.js";
import { refused } from "./support/refused.js";

const UNIFIED_FUTURES = {
  symbol: "BTCUSDT",
  category: "USDT-FUTURES",
  baseCoin: "BTC",
  quoteCoin: "USDT",
  buyLimitPriceRatio: "0.05",
  sellLimitPriceRatio: "0.04",
  feeRateUpRatio: "0.005",
  makerFeeRate: "0.0002",
  takerFeeRate: "0.0006",
  openCostUpRatio: "0.01",
  minOrderQty: "0.0001",
  maxOrderQty: "1200",
  pricePrecision: "1",
  quantityPrecision: "4",
  quotePrecision: "",
  priceMultiplier: "0.5",
  quantityMultiplier: "0.0001",
  type: "perpetual",
  minOrderAmount: "5",
  maxSymbolOrderNum: "200",
  maxProductOrderNum: "400",
  maxPositionNum: "150",
  status: "online",
  offTime: "-1",
  limitOpenTime: "-1",
  deliveryTime: "",
  deliveryStartTime: "",
  deliveryPeriod: "",
  launchTime: null,
  fundInterval: "8",
  minLeverage: "1",
  maxLeverage: "125",
  maintainTime: "",
  maxMarketOrderQty: "220",
  isRwa: "NO",
};

const CONTRACT = {
  symbol: "BTCUSDT",
  baseCoin: "BTC",
  quoteCoin: "USDT",
  buyLimitPriceRatio: "0.05",
  sellLimitPriceRatio: "0.04",
  feeRateUpRatio: "0.005",
  makerFeeRate: "0.0002",
  takerFeeRate: "0.0006",
  openCostUpRatio: "0.01",
  supportMarginCoins: ["USDT"],
  minTradeNum: "0.0001",
  priceEndStep: "5",
  volumePlace: "4",
  pricePlace: "1",
  sizeMultiplier: "0.0001",
  symbolType: "perpetual",
  minTradeUSDT: "5",
  maxSymbolOrderNum: "200",
  maxProductOrderNum: "400",
  maxPositionNum: "150",
  symbolStatus: "normal",
  offTime: "-1",
  limitOpenTime: "-1",
  deliveryTime: "",
  deliveryStartTime: "",
  deliveryPeriod: "",
  launchTime: "",
  fundInterval: "8",
  minLever: "1",
  maxLever: "125",
  posLimit: "0.1",
  maintainTime: "",
  maxMarketOrderQty: "220",
  maxOrderQty: "1200",
  isRwa: "NO",
};

describe("instruments", () => {
  it("read a v2 contract as v3's record, apart from what only v2 sends", () => {
    const unified = instrument.decode(UNIFIED_FUTURES);
    expect(instrument.decode(CONTRACT)).toEqual({
      ...unified,
      statusRaw: "normal",
      supportMarginCoins: ["USDT"],
      posLimit: "0.1",
    });
    expect(unified).toMatchObject({
      status: "online",
      type: "perpetual",
      assetClass: null,
      priceMultiplier: "0.5",
      quotePrecision: null,
      offTime: null,
      launchTime: null,
      maxLeverage: "125",
      isRwa: false,
      supportMarginCoins: null,
    });
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

  it("are served under both paths", () => {
    expect([instruments.path, ...(instruments.aliases ?? [])]).toEqual([
      "/api/v3/market/instruments",
      "/api/v3/public/instruments",
    ]);
  });

  it("are requested by any of the five categories, contracts by product type", () => {
    for (const category of ["SPOT", "MARGIN", "USDT-FUTURES", "COIN-FUTURES", "USDC-FUTURES"] as const)
      expect(refused(instruments, { category })).toEqual([]);
    expect(refused(instruments, { category: "OPTIONS" as never })).toEqual(["category"]);
    expect(refused(classicContracts, { productType: "SPOT" as never })).toEqual(["productType"]);
    expect(refused(classicContracts, { productType: "USDC-FUTURES", symbol: "BTCPERP" })).toEqual([]);
  });
});
