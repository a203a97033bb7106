import { describe, expect, it } from "vitest";
import {
  classicFuturesOpenOrders,
  classicFuturesOrderDetail,
  classicFuturesOrderHistory,
  classicSpotOpenOrders,
  classicSpotOrderHistory,
  classicSpotOrderInfo,
  openOrders,
  orderHistory,
  orderInfo,
} from "../src/orderReads.js";
import { withCategory } from "../src/trading.js";
import samples from "./samples/order.json" with { type: "json" };
import { everyRow } from "./support/everyRow.js";

const { UNIFIED, SPOT, SPOT_OPEN, FUTURES } = samples;

const futuresOrder = (changes: Partial<Record<keyof typeof FUTURES, unknown>>) =>
  everyRow(classicFuturesOpenOrders.data.decode({ entrustedList: [{ ...FUTURES, ...changes }], endId: "1" }).list)[0];
const spotOrder = (changes: object) => classicSpotOrderHistory.data.decode([{ ...SPOT, ...changes }]).list[0];
const unifiedOrder = (changes: object) => orderInfo.data.decode({ ...UNIFIED, ...changes });

describe("a unified order", () => {
  it("reads every part of a page", () => {
    expect(openOrders.data.decode({ list: [UNIFIED], cursor: "1391230000000000200" })).toEqual(
      samples["reads every part of a page"],
    );
  });

  it("has the reason and kind of its end, and its cost", () => {
    const wire = {
      orderStatus: "cancelled",
      cancelReason: "post_only_fill_cancel",
      execType: "normal",
      feeDetail: [{ feeCoin: "USDT", fee: "0.256" }],
    };
    expect(unifiedOrder(wire)).toMatchObject({
      status: "cancelled",
      cancelReason: "post_only_fill_cancel",
      execType: "normal",
      fees: [{ coin: "USDT", amount: "0.256", deduction: null }],
    });
  });

  it("gives a spot market buy its quote amount and no quantity, and no position", () => {
    const wire = samples["gives a spot market buy its quote amount and no quantity, and no position: sent"];
    expect(unifiedOrder(wire)).toMatchObject({
      category: "SPOT",
      price: null,
      qty: null,
      quoteQty: "1280",
      posSide: null,
      holdMode: null,
      isReduceOnly: null,
    });
  });

  it.each([
    ["live", "new"],
    ["init", "new"],
    ["new", "new"],
    ["partially_filled", "partially_filled"],
    ["filled", "filled"],
    ["canceled", "cancelled"],
    ["partially_fill", "partially_filled"],
    ["reject", "cancelled"],
    ["cancelled", "cancelled"],
    ["frozen", "UNKNOWN"],
  ])("reads the state %s as %s and keeps the exchange's word", (raw, orderStatus) => {
    expect(unifiedOrder({ orderStatus: raw })).toMatchObject({ status: orderStatus, statusRaw: raw });
  });

  it("reads a push: lower-case category, net side, other keys, no fill yet", () => {
    const { posSide, ...push } = UNIFIED;
    const wire = {
      ...push,
      category: "usdt-futures",
      holdSide: "net",
      feeDetail: [],
      amount: "",
      takeprofit: "70000",
      totalProfit: "1.5",
    };
    expect(orderInfo.data.decode(wire)).toMatchObject({
      category: "USDT-FUTURES",
      categoryRaw: "usdt-futures",
      posSide: null,
      posSideRaw: "net",
      fees: [],
      takeProfit: "70000",
      realisedPnl: "1.5",
    });
  });

  it.each([{ list: [], cursor: null }, { list: null, cursor: null }, null, ""])("reads %j as the empty page", (wire) => {
    expect(openOrders.data.decode(wire)).toEqual({ list: [], cursor: null });
    expect(orderHistory.data.decode(wire)).toEqual({ list: [], cursor: null });
  });
});

describe("a Classic spot order", () => {
  it("speaks the unified vocabulary", () => {
    expect(spotOrder({})).toMatchObject(samples["speaks the unified vocabulary"]);
  });

  it("has the same fields as a unified order, and no others", () => {
    expect(Object.keys(spotOrder({}) ?? {}).sort()).toEqual(Object.keys(unifiedOrder({})).sort());
  });

  it("counts a market buy in quote coin, and a market sell in base coin", () => {
    const market = { orderType: "market", price: "0", size: "1280" };
    expect(spotOrder({ ...market, side: "buy" })).toMatchObject({ price: null, qty: null, quoteQty: "1280" });
    expect(spotOrder({ ...market, side: "sell" })).toMatchObject({ price: null, qty: "1280", quoteQty: null });
  });

  it("has its limit price in priceAvg and its fill price in basePrice while it is open", () => {
    const { list, cursor } = classicSpotOpenOrders.data.decode([SPOT_OPEN, { ...SPOT_OPEN, orderId: "7", basePrice: "59999" }]);
    expect(list).toMatchObject([
      { price: "60000", avgPrice: null, status: "new", statusRaw: "live", fees: null },
      { price: "60000", avgPrice: "59999" },
    ]);
    expect(cursor).toBe("7");
  });

  it("decodes take-profit and stop-loss with their order types, and times in seconds as milliseconds", () => {
    const { list } = classicSpotOpenOrders.data.decode([SPOT_OPEN]);
    expect(list[0]).toMatchObject(
      samples["decodes take-profit and stop-loss with their order types, and times in seconds as milliseconds"],
    );
  });

  it("pages by its last row, and not at all without one", () => {
    expect(classicSpotOrderHistory.data.decode([SPOT]).cursor).toBe(SPOT.orderId);
    expect(classicSpotOrderHistory.data.decode([])).toEqual({ list: [], cursor: null });
  });

  it("is looked up as a list of one, or of none", () => {
    expect(classicSpotOrderInfo.data.decode([SPOT])).toMatchObject({ orderId: SPOT.orderId });
    expect(classicSpotOrderInfo.data.decode([])).toBeNull();
  });
});

describe("a Classic futures order", () => {
  it("speaks the unified vocabulary, but for the category", () => {
    const order = futuresOrder({});
    expect(order).toMatchObject(samples["speaks the unified vocabulary, but for the category"]);
    expect(order).not.toHaveProperty("category");
  });

  it("has the same fields as a unified order once the call's category is put back", () => {
    const order = withCategory("COIN-FUTURES", futuresOrder({}) ?? {});
    expect(order).toMatchObject({ category: "COIN-FUTURES", categoryRaw: "COIN-FUTURES" });
    expect(Object.keys(order).sort()).toEqual(Object.keys(unifiedOrder({})).sort());
  });

  it("pays its one fee in margin coin", () => {
    expect(futuresOrder({ fee: "-0.256" })?.fees).toEqual([{ coin: "USDT", amount: "0.256", deduction: null }]);
  });

  it.each([
    ["buy", "open", "long", "buy"],
    ["buy", "close", "long", "sell"],
    ["sell", "open", "short", "sell"],
    ["sell", "close", "short", "buy"],
    // A forced closing names the side that it closes; what was executed does not depend on how `side` is meant.
    ["sell", "burst_close_long", "long", "sell"],
    ["buy", "reduce_close_short", "short", "buy"],
  ])("in hedge mode, %s + %s on a %s position was executed as %s", (side, tradeSide, posSide, executed) => {
    expect(futuresOrder({ posMode: "hedge_mode", side, tradeSide, posSide })).toMatchObject({
      side: executed,
      sideRaw: side,
      posSide,
    });
  });

  it.each(["buy", "sell"])("keeps its side in one-way mode: %s", (side) => {
    expect(futuresOrder({ side, tradeSide: `${side}_single` })?.side).toBe(side);
  });

  it("keeps the second word for what it does to a position, which has no list", () => {
    expect(futuresOrder({ newTradeSide: "open_long" })?.newTradeSide).toBe("open_long");
    expect(futuresOrder({ newTradeSide: null })?.newTradeSide).toBeNull();
  });

  it("spells its state `canceled`, and under `state` in the detail", () => {
    const { status, ...detail } = FUTURES;
    expect(classicFuturesOrderDetail.data.decode({ ...detail, state: "canceled", cancelReason: "normal_cancel" })).toMatchObject({
      status: "cancelled",
      statusRaw: "canceled",
      cancelReason: "normal_cancel",
    });
  });

  it("comes in a page that may be null throughout", () => {
    expect(classicFuturesOrderHistory.data.decode({ entrustedList: null, endId: null })).toEqual({ list: [], cursor: null });
    expect(classicFuturesOrderHistory.data.decode({ entrustedList: [FUTURES], endId: "9" })).toMatchObject({
      list: [{ orderId: FUTURES.orderId }],
      cursor: "9",
    });
  });
});
