import { describe, expect, it } from "vitest";
import { violations } from "../src/endpoint.js";
import { classicFuturesFillHistory, classicFuturesFills, classicSpotFills, fills } from "../src/fill.js";
import { withCategory } from "../src/trading.js";

const NOW = 1_767_225_600_000;
const DAY = 86_400_000;

const UNIFIED = {
  execId: "1391230000000000301",
  execLinkId: "1391230000000000300",
  orderId: "1391230000000000200",
  clientOid: "tv-0001",
  category: "USDT-FUTURES",
  symbol: "BTCUSDT",
  orderType: "limit",
  side: "buy",
  execPrice: "64000",
  execQty: "0.02",
  execValue: "1280",
  tradeScope: "maker",
  tradeSide: "buy_single",
  feeDetail: [{ feeCoin: "USDT", fee: "0.256" }],
  createdTime: "1767225600100",
  updatedTime: "1767225600101",
  execPnl: "0",
};

const SPOT = {
  userId: "8800112233",
  symbol: "BTCUSDT",
  orderId: "1391230000000000700",
  tradeId: "1391230000000000701",
  orderType: "limit",
  side: "buy",
  priceAvg: "64000",
  size: "0.02",
  amount: "1280",
  feeDetail: { deduction: "no", feeCoin: "BTC", totalDeductionFee: "", totalFee: "-0.00002" },
  tradeScope: "maker",
  cTime: "1767225600100",
  uTime: "1767225600101",
};

const FUTURES = {
  tradeId: "1391230000000000801",
  symbol: "BTCUSDT",
  orderId: "1391230000000000800",
  price: "64000",
  baseVolume: "0.02",
  feeDetail: [{ deduction: "no", feeCoin: "USDT", totalDeductionFee: "0", totalFee: "-0.256" }],
  side: "buy",
  quoteVolume: "1280",
  profit: "0",
  enterPointSource: "api",
  tradeSide: "buy_single",
  posMode: "one_way_mode",
  tradeScope: "taker",
  cTime: "1767225600100",
};

const unifiedFill = (changes: object) => fills.data.decode({ list: [{ ...UNIFIED, ...changes }], cursor: "1" }).list[0];
const futuresFill = (changes: object) =>
  classicFuturesFills.data.decode({ fillList: [{ ...FUTURES, ...changes }], endId: "1" }).list[0];

describe("a unified fill", () => {
  it("reads every part", () => {
    expect(unifiedFill({})).toEqual({
      execId: "1391230000000000301",
      execLinkId: "1391230000000000300",
      orderId: "1391230000000000200",
      clientOid: "tv-0001",
      category: "USDT-FUTURES",
      categoryRaw: "USDT-FUTURES",
      symbol: "BTCUSDT",
      orderType: "limit",
      orderTypeRaw: "limit",
      side: "buy",
      sideRaw: "buy",
      posSide: null,
      posSideRaw: null,
      holdMode: null,
      holdModeRaw: null,
      tradeSide: "buy_single",
      tradeSideRaw: "buy_single",
      price: "64000",
      qty: "0.02",
      value: "1280",
      tradeScope: "maker",
      tradeScopeRaw: "maker",
      fees: [{ coin: "USDT", amount: "0.256", deduction: null }],
      realisedPnl: "0",
      isRPI: null,
      enterPointSource: null,
      createdTime: 1_767_225_600_100,
      updatedTime: 1_767_225_600_101,
    });
  });

  it.each([
    ["T", "taker"],
    ["M", "maker"],
    ["marker", "maker"],
    ["taker", "taker"],
    ["broker", "UNKNOWN"],
  ])("reads the scope %s as %s", (raw, tradeScope) => {
    expect(unifiedFill({ tradeScope: raw })).toMatchObject({ tradeScope, tradeScopeRaw: raw });
  });

  it("reads a push: misspelt id, its own word for the time, a net side", () => {
    const { execId, createdTime, ...push } = UNIFIED;
    const wire = { ...push, execld: "7", execTime: "1767225600100", holdSide: "net", isRPI: "no" };
    expect(fills.data.decode({ list: [wire] }).list[0]).toMatchObject({
      execId: "7",
      createdTime: 1_767_225_600_100,
      posSide: null,
      isRPI: false,
    });
  });

  it("comes in a page that may be null throughout", () => {
    expect(fills.data.decode({ list: null, cursor: null })).toEqual({ list: [], cursor: null });
  });
});

describe("a Classic spot fill", () => {
  it("speaks the unified vocabulary", () => {
    const page = classicSpotFills.data.decode([SPOT]);
    expect(page.cursor).toBe(SPOT.tradeId);
    expect(page.list[0]).toMatchObject({
      category: "SPOT",
      categoryRaw: "SPOT",
      execId: SPOT.tradeId,
      price: "64000",
      qty: "0.02",
      value: "1280",
      fees: [{ coin: "BTC", amount: "0.00002", deduction: null }],
      createdTime: 1_767_225_600_100,
      updatedTime: 1_767_225_600_101,
    });
    expect(Object.keys(page.list[0] ?? {}).sort()).toEqual(Object.keys(unifiedFill({}) ?? {}).sort());
  });
});

describe("a Classic futures fill", () => {
  it("has the unified values once the call's category is added", () => {
    const fill = withCategory("USDC-FUTURES", futuresFill({}) ?? {});
    expect(fill).toMatchObject({
      category: "USDC-FUTURES",
      categoryRaw: "USDC-FUTURES",
      execId: FUTURES.tradeId,
      orderType: null,
      price: "64000",
      qty: "0.02",
      value: "1280",
      realisedPnl: "0",
      holdMode: "one_way_mode",
      fees: [{ coin: "USDT", amount: "0.256", deduction: null }],
      createdTime: 1_767_225_600_100,
      updatedTime: 1_767_225_600_100,
    });
    expect(Object.keys(fill).sort()).toEqual(Object.keys(unifiedFill({}) ?? {}).sort());
  });

  it.each([
    ["buy", "open", "long", "buy"],
    ["buy", "close", "long", "sell"],
    ["sell", "open", "short", "sell"],
    ["sell", "close", "short", "buy"],
    ["sell", "burst_close_long", "long", "sell"],
    ["buy", "delivery_close_short", "short", "buy"],
  ])("in hedge mode, %s + %s belongs to a %s position and was executed as %s", (side, tradeSide, posSide, executed) => {
    expect(futuresFill({ posMode: "hedge_mode", side, tradeSide })).toMatchObject({ posSide, side: executed, sideRaw: side });
  });

  it("keeps its side in one-way mode", () => {
    expect(futuresFill({ side: "sell", tradeSide: "sell_single" })).toMatchObject({ side: "sell", posSide: null });
  });

  it("comes in a page that may be null throughout", () => {
    expect(classicFuturesFillHistory.data.decode({ fillList: null, endId: null })).toEqual({ list: [], cursor: null });
  });
});

describe("fill windows", () => {
  const productType = "USDT-FUTURES";

  it("reach 90 days back and span 30 on unified accounts", () => {
    expect(violations(fills, { startTime: NOW - 90 * DAY, endTime: NOW - 60 * DAY }, NOW)).toEqual([]);
    expect(violations(fills, { startTime: NOW - 90 * DAY - 1, endTime: NOW - 61 * DAY }, NOW)).toMatchObject([
      { problem: "too old" },
    ]);
    expect(violations(fills, { startTime: NOW - 30 * DAY - 1, endTime: NOW }, NOW)).toMatchObject([{ problem: "range" }]);
  });

  it("span 90 days on Classic spot", () => {
    expect(violations(classicSpotFills, { startTime: NOW - 90 * DAY, endTime: NOW }, NOW)).toEqual([]);
    expect(violations(classicSpotFills, { startTime: NOW - 90 * DAY - 1, endTime: NOW }, NOW)).toMatchObject([
      { problem: "range" },
    ]);
  });

  it("span one week in the Classic futures history", () => {
    expect(violations(classicFuturesFillHistory, { productType, startTime: NOW - 7 * DAY, endTime: NOW }, NOW)).toEqual([]);
    expect(violations(classicFuturesFillHistory, { productType, startTime: NOW - 7 * DAY - 1, endTime: NOW }, NOW)).toMatchObject(
      [{ parameter: "startTime", problem: "range" }],
    );
  });
});
