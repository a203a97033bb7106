import { describe, expect, it } from "vitest";
import { classicFuturesFillHistory, classicFuturesFills, classicSpotFills, fills } from "../src/fill.js";
import { withCategory } from "../src/trading.js";
import samples from "./samples/fill.json" with { type: "json" };

const { UNIFIED, SPOT, FUTURES } = samples;

const unifiedFill = (changes: object) => fills.data.decode({ list: [{ ...UNIFIED, ...changes }], cursor: "1" }).list[0];
const futuresFill = (changes: object) =>
  classicFuturesFills.data.decode({ fillList: [{ ...FUTURES, ...changes }], endId: "1" }).list[0];

describe("a unified fill", () => {
  it("reads every part", () => {
    expect(unifiedFill({})).toEqual(samples["reads every part"]);
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
