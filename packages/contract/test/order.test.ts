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
import { everyRow } from "./support/everyRow.js";

const UNIFIED = {
  orderId: "1391230000000000200",
  clientOid: "tv-0001",
  category: "USDT-FUTURES",
  symbol: "BTCUSDT",
  orderType: "limit",
  side: "buy",
  price: "64000",
  qty: "0.02",
  amount: "0",
  cumExecQty: "0",
  cumExecValue: "0",
  avgPrice: "0",
  timeInForce: "gtc",
  orderStatus: "new",
  posSide: "long",
  holdMode: "one_way_mode",
  reduceOnly: "NO",
  stpMode: "none",
  feeDetail: [{ feeCoin: "", fee: "" }],
  marginMode: "crossed",
  createdTime: "1767225599000",
  updatedTime: "1767225599004",
};

const SPOT = {
  userId: "8800112233",
  symbol: "BTCUSDT",
  orderId: "1391230000000000700",
  clientOid: "sp-0001",
  price: "64000.0000000000000000",
  size: "0.0200000000000000",
  orderType: "limit",
  side: "buy",
  status: "filled",
  priceAvg: "63999.5",
  baseVolume: "0.0200000000000000",
  quoteVolume: "1279.99",
  enterPointSource: "API",
  feeDetail: '{"BTC":{"deduction":false,"feeCoinCode":"BTC","totalDeductionFee":0,"totalFee":-0.00002},"newFees":{"t":-0.00002}}',
  orderSource: "normal",
  cancelReason: "",
  cTime: "1767225590000",
  uTime: "1767225600100",
};

const SPOT_OPEN = {
  userId: "8800112233",
  symbol: "BTCUSDT",
  orderId: "1391230000000000710",
  clientOid: "sp-0002",
  priceAvg: "60000",
  size: "0.01",
  orderType: "limit",
  side: "buy",
  status: "live",
  basePrice: "0",
  baseVolume: "0",
  quoteVolume: "0",
  enterPointSource: "API",
  orderSource: "normal",
  presetTakeProfitPrice: "70000",
  executeTakeProfitPrice: "69900",
  presetStopLossPrice: "50000",
  executeStopLossPrice: "",
  cTime: "1767225601",
  uTime: "1767225601",
  tpslType: "normal",
  triggerPrice: null,
};

const FUTURES = {
  symbol: "BTCUSDT",
  size: "0.02",
  orderId: "1391230000000000800",
  clientOid: "mx-0001",
  baseVolume: "0",
  fee: "",
  price: "64000",
  priceAvg: "",
  status: "live",
  side: "buy",
  force: "gtc",
  totalProfits: "",
  posSide: "net",
  marginCoin: "USDT",
  quoteVolume: "0",
  leverage: "20",
  marginMode: "cross",
  reduceOnly: "NO",
  enterPointSource: "API",
  tradeSide: "buy_single",
  newTradeSide: "",
  posMode: "one_way_mode",
  orderType: "limit",
  orderSource: "normal",
  cTime: "1767225590000",
  uTime: "1767225590000",
  presetStopSurplusPrice: "70000",
  presetStopSurplusType: "mark_price",
  presetStopSurplusExecutePrice: "0",
  presetStopLossPrice: "",
};

const futuresOrder = (changes: Partial<Record<keyof typeof FUTURES, unknown>>) =>
  everyRow(classicFuturesOpenOrders.data.decode({ entrustedList: [{ ...FUTURES, ...changes }], endId: "1" }).list)[0];
const spotOrder = (changes: object) => classicSpotOrderHistory.data.decode([{ ...SPOT, ...changes }]).list[0];
const unifiedOrder = (changes: object) => orderInfo.data.decode({ ...UNIFIED, ...changes });

describe("a unified order", () => {
  it("reads every part of a page", () => {
    expect(openOrders.data.decode({ list: [UNIFIED], cursor: "1391230000000000200" })).toEqual({
      cursor: "1391230000000000200",
      list: [
        {
          orderId: "1391230000000000200",
          clientOid: "tv-0001",
          category: "USDT-FUTURES",
          categoryRaw: "USDT-FUTURES",
          symbol: "BTCUSDT",
          orderType: "limit",
          orderTypeRaw: "limit",
          side: "buy",
          sideRaw: "buy",
          price: "64000",
          qty: "0.02",
          quoteQty: null,
          cumExecQty: "0",
          cumExecValue: "0",
          avgPrice: null,
          timeInForce: "gtc",
          timeInForceRaw: "gtc",
          status: "new",
          statusRaw: "new",
          posSide: "long",
          posSideRaw: "long",
          holdMode: "one_way_mode",
          holdModeRaw: "one_way_mode",
          tradeSide: null,
          tradeSideRaw: null,
          isReduceOnly: false,
          fees: [],
          stpMode: "none",
          stpModeRaw: "none",
          cancelReason: null,
          cancelReasonRaw: null,
          execType: null,
          execTypeRaw: null,
          marginMode: "crossed",
          marginModeRaw: "crossed",
          marginCoin: null,
          leverage: null,
          realisedPnl: null,
          takeProfit: null,
          stopLoss: null,
          tpTriggerBy: null,
          tpTriggerByRaw: null,
          slTriggerBy: null,
          slTriggerByRaw: null,
          tpOrderType: null,
          tpOrderTypeRaw: null,
          slOrderType: null,
          slOrderTypeRaw: null,
          tpLimitPrice: null,
          slLimitPrice: null,
          tpslType: null,
          tpslTypeRaw: null,
          triggerPrice: null,
          positionAvgPrice: null,
          liquidationPrice: null,
          delegateType: null,
          orderSource: null,
          enterPointSource: null,
          newTradeSide: null,
          createdTime: 1_767_225_599_000,
          updatedTime: 1_767_225_599_004,
        },
      ],
    });
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
    const wire = {
      category: "SPOT",
      orderType: "market",
      price: "0",
      qty: "0",
      amount: "1280",
      posSide: "",
      holdMode: "",
      reduceOnly: "",
    };
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
    expect(spotOrder({})).toMatchObject({
      category: "SPOT",
      categoryRaw: "SPOT",
      price: "64000",
      qty: "0.02",
      quoteQty: null,
      cumExecQty: "0.02",
      cumExecValue: "1279.99",
      avgPrice: "63999.5",
      status: "filled",
      posSide: null,
      holdMode: null,
      fees: [{ coin: "BTC", amount: "0.00002", deduction: null }],
      cancelReason: null,
      enterPointSource: "API",
      orderSource: "normal",
      createdTime: 1_767_225_590_000,
      updatedTime: 1_767_225_600_100,
    });
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
    expect(list[0]).toMatchObject({
      takeProfit: "70000",
      tpOrderType: "limit",
      tpLimitPrice: "69900",
      stopLoss: "50000",
      slOrderType: "market",
      slLimitPrice: null,
      tpslType: "normal",
      triggerPrice: null,
      createdTime: 1_767_225_601_000,
    });
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
    expect(order).toMatchObject({
      price: "64000",
      qty: "0.02",
      avgPrice: null,
      status: "new",
      side: "buy",
      posSide: null,
      posSideRaw: "net",
      holdMode: "one_way_mode",
      tradeSide: "buy_single",
      marginMode: "crossed",
      marginModeRaw: "cross",
      marginCoin: "USDT",
      leverage: "20",
      isReduceOnly: false,
      realisedPnl: null,
      fees: null,
      takeProfit: "70000",
      tpTriggerBy: "mark",
      tpOrderType: "market",
      tpLimitPrice: null,
      stopLoss: null,
      slOrderType: null,
    });
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
