import { describe, expect, it } from "vitest";
import { classicFuturesAccountChannel, classicSpotAccountChannel } from "../../src/channels/account.js";
import { classicFuturesFillChannel, classicSpotFillChannel } from "../../src/channels/fill.js";
import {
  classicFuturesOrdersChannel,
  classicSpotOrdersChannel,
  classicSpotTriggerOrdersChannel,
} from "../../src/channels/order.js";
import { classicPlanOrdersChannel } from "../../src/channels/plan.js";
import { classicPositionsChannel } from "../../src/channels/position.js";
import { pushed } from "./support/pushed.js";

const USDT_FUTURES = { category: "USDT-FUTURES" } as const;
const frame = (instType: string, channel: string, data: unknown) => ({
  action: "snapshot",
  arg: { instType, channel, instId: "default" },
  data,
  ts: 1_767_225_600_105,
});
const spotOrder = (data: object) => pushed(classicSpotOrdersChannel, {}, frame("SPOT", "orders", [data]));
const futuresOrder = (data: object) => pushed(classicFuturesOrdersChannel, USDT_FUTURES, frame("USDT-FUTURES", "orders", [data]));

describe("pushed Classic spot orders", () => {
  const ORDER = {
    instId: "BTCUSDT",
    orderId: "1391230000000000700",
    clientOid: "sp-0001",
    price: "64000.00",
    size: "0.0200",
    newSize: "0.0200",
    orderType: "limit",
    force: "gtc",
    side: "buy",
    fillPrice: "64000.00",
    tradeId: "1391230000000000701",
    baseVolume: "0.0080",
    fillTime: "1767225600100",
    fillFee: "-0.000008",
    fillFeeCoin: "BTC",
    tradeScope: "M",
    accBaseVolume: "0.0180",
    priceAvg: "64000.00",
    status: "partially_filled",
    cTime: "1767225590000",
    uTime: "1767225600101",
    stpMode: "none",
    feeDetail: [{ feeCoin: "BTC", fee: "-0.000018" }],
    enterPointSource: "API",
  };

  it("read as orders, totals apart from the last fill, fees positive when paid", () => {
    expect(spotOrder(ORDER)).toMatchObject([
      {
        category: "SPOT",
        symbol: "BTCUSDT",
        qty: "0.02",
        quoteQty: null,
        cumExecQty: "0.018",
        cumExecValue: "1152",
        avgPrice: "64000",
        status: "partially_filled",
        timeInForce: "gtc",
        fees: [{ coin: "BTC", amount: "0.000018", deduction: null }],
        lastFill: {
          execId: "1391230000000000701",
          price: "64000",
          qty: "0.008",
          fees: [{ coin: "BTC", amount: "0.000008", deduction: null }],
          tradeScope: "maker",
          tradeScopeRaw: "M",
          createdTime: 1_767_225_600_100,
        },
      },
    ]);
  });

  it("have no last fill before the first one", () => {
    const { fillPrice, tradeId, baseVolume, fillTime, fillFee, fillFeeCoin, tradeScope, ...unfilled } = ORDER;
    expect(spotOrder({ ...unfilled, accBaseVolume: "0", priceAvg: "", status: "live", feeDetail: [] })).toMatchObject([
      { lastFill: null, avgPrice: null, cumExecQty: "0", cumExecValue: "0", status: "new", fees: [] },
    ]);
  });

  it("count a market buy in quote coin", () => {
    const { price, ...market } = { ...ORDER, orderType: "market", size: "1280", newSize: "1280" };
    expect(spotOrder(market)).toMatchObject([{ price: null, qty: null, quoteQty: "1280" }]);
    expect(spotOrder({ ...market, newSize: "", size: "", notional: "1280" })).toMatchObject([{ qty: null, quoteQty: "1280" }]);
  });

  it("take the reliable one of two sizes", () => {
    expect(spotOrder({ ...ORDER, size: "1280", newSize: "0.02" })).toMatchObject([{ qty: "0.02", quoteQty: null }]);
  });
});

describe("pushed Classic futures orders", () => {
  const ORDER = {
    instId: "BTCUSDT",
    orderId: "1391230000000000800",
    clientOid: "mx-0001",
    price: "64000",
    size: "0.02",
    posMode: "one_way_mode",
    posSide: "net",
    tradeSide: "buy_single",
    side: "buy",
    orderType: "limit",
    force: "gtc",
    status: "live",
    cancelReason: "",
    leverage: "20",
    marginMode: "crossed",
    marginCoin: "USDT",
    reduceOnly: "no",
    notionalUsd: "1280",
    accBaseVolume: "0",
    totalProfits: "0",
    feeDetail: [{ feeCoin: "USDT", fee: "0.00000000" }],
    presetStopSurplusPrice: "66000",
    presetStopSurplusType: "mark_price",
    presetStopSurplusExecutePrice: "",
    presetStopLossPrice: "",
    stpMode: "none",
    enterPointSource: "API",
    cTime: "1767225590000",
    uTime: "1767225590000",
  };

  it("read as orders of their category", () => {
    expect(futuresOrder(ORDER)).toMatchObject([
      {
        category: "USDT-FUTURES",
        symbol: "BTCUSDT",
        holdMode: "one_way_mode",
        posSide: null,
        side: "buy",
        qty: "0.02",
        status: "new",
        leverage: "20",
        marginCoin: "USDT",
        takeProfit: "66000",
        tpTriggerBy: "mark",
        tpOrderType: "market",
        stopLoss: null,
        slOrderType: null,
        lastFill: null,
      },
    ]);
  });

  it("spell a cancellation with one l", () => {
    expect(futuresOrder({ ...ORDER, status: "canceled" })).toMatchObject([{ status: "cancelled", statusRaw: "canceled" }]);
  });

  it.each([
    ["buy", "long", "close", "sell"],
    ["sell", "long", "close", "sell"],
    ["buy", "short", "open", "sell"],
    ["buy", "long", "open", "buy"],
  ])("in hedge mode: %s of a %s position to %s it is a %s", (side, posSide, tradeSide, executed) => {
    expect(futuresOrder({ ...ORDER, posMode: "hedge_mode", posSide, tradeSide, side })).toMatchObject([
      { side: executed, sideRaw: side, posSide },
    ]);
  });
});

describe("pushed Classic fills", () => {
  const FILL = {
    orderId: "1391230000000000800",
    clientOid: "mx-0001",
    tradeId: "1391230000000000801",
    symbol: "BTCUSDT",
    side: "buy",
    orderType: "limit",
    posMode: "one_way_mode",
    price: "64000",
    baseVolume: "0.02",
    quoteVolume: "1280",
    profit: "0",
    tradeSide: "buy_single",
    tradeScope: "maker",
    feeDetail: [{ feeCoin: "USDT", deduction: "no", totalDeductionFee: "0", totalFee: "-0.256" }],
    cTime: "1767225600100",
    uTime: "1767225600100",
  };
  const futuresFill = (data: object) => pushed(classicFuturesFillChannel, USDT_FUTURES, frame("USDT-FUTURES", "fill", [data]));

  it("of futures read as fills, negative fees as paid", () => {
    expect(futuresFill(FILL)).toMatchObject([
      {
        category: "USDT-FUTURES",
        execId: "1391230000000000801",
        price: "64000",
        qty: "0.02",
        value: "1280",
        posSide: null,
        fees: [{ coin: "USDT", amount: "0.256", deduction: null }],
      },
    ]);
  });

  it.each([
    ["sell", "close", "long"],
    ["buy", "close", "short"],
    ["buy", "open", "long"],
    ["sell", "open", "short"],
  ])("of futures in hedge mode: a %s to %s is about a %s position", (side, tradeSide, posSide) => {
    expect(futuresFill({ ...FILL, posMode: "hedge_mode", side, tradeSide })).toMatchObject([{ side, posSide }]);
  });

  it("of spot read as fills, positive fees as paid, the misspelt maker included", () => {
    const data = {
      orderId: "1391230000000000700",
      tradeId: "1391230000000000701",
      symbol: "BTCUSDT",
      orderType: "limit",
      side: "buy",
      priceAvg: "64000",
      size: "0.02",
      amount: "1280",
      tradeScope: "marker",
      feeDetail: [{ feeCoin: "BTC", deduction: "no", totalDeductionFee: "0", totalFee: "0.00002" }],
      cTime: "1767225600100",
      uTime: "1767225600101",
    };
    expect(pushed(classicSpotFillChannel, {}, frame("SPOT", "fill", [data]))).toMatchObject([
      {
        category: "SPOT",
        price: "64000",
        qty: "0.02",
        value: "1280",
        tradeScope: "maker",
        fees: [{ coin: "BTC", amount: "0.00002", deduction: null }],
        updatedTime: 1_767_225_600_101,
      },
    ]);
  });
});

describe("pushed Classic balances", () => {
  it("of spot read as spot balances", () => {
    const data = [
      { coin: "USDT", available: "8714.1", frozen: "1285.9", locked: "0", limitAvailable: "0", uTime: "1767225600100" },
    ];
    expect(pushed(classicSpotAccountChannel, {}, frame("SPOT", "account", data))).toEqual([
      {
        coin: "USDT",
        available: "8714.1",
        frozen: "1285.9",
        locked: "0",
        limitAvailable: "0",
        updatedTime: 1_767_225_600_100,
      },
    ]);
  });

  it("of futures read as the figures that are pushed", () => {
    const data = [
      {
        marginCoin: "USDT",
        frozen: "0.5",
        available: "9935.494",
        maxOpenPosAvailable: "9935.4",
        maxTransferOut: "9935.3",
        equity: "10004.744",
        usdtEquity: "10004.7",
        crossedRiskRate: "0.00051",
        unrealizedPL: "",
        unionTotalMargin: "0",
        unionAvailable: "0",
        unionMm: "0",
        assetsMode: "single",
      },
    ];
    expect(pushed(classicFuturesAccountChannel, USDT_FUTURES, frame("USDT-FUTURES", "account", data))).toMatchObject([
      {
        category: "USDT-FUTURES",
        marginCoin: "USDT",
        locked: "0.5",
        crossedMaxAvailable: "9935.4",
        equity: "10004.744",
        unrealisedPnl: null,
        assetMode: "single",
      },
    ]);
  });
});

describe("pushed Classic positions", () => {
  it("read as positions of their category", () => {
    const data = [
      {
        posId: "1391230000000000900",
        instId: "BTCUSDT",
        marginCoin: "USDT",
        marginSize: "64",
        marginMode: "crossed",
        holdSide: "long",
        posMode: "one_way_mode",
        total: "0.02",
        available: "0.02",
        frozen: "0",
        openPriceAvg: "64000",
        leverage: 20,
        achievedProfits: "0",
        unrealizedPL: "5",
        unrealizedPLR: "0.078125",
        liquidationPrice: "0",
        keepMarginRate: "0.004",
        marginRate: "0.00051",
        cTime: "1767225600100",
        breakEvenPrice: "64051.2",
        totalFee: "",
        deductedFee: "0.256",
        markPrice: "64250",
        uTime: "1767225600102",
        assetMode: "single",
        autoMargin: "off",
      },
    ];
    expect(pushed(classicPositionsChannel, USDT_FUTURES, frame("USDT-FUTURES", "positions", data))).toMatchObject([
      {
        category: "USDT-FUTURES",
        symbol: "BTCUSDT",
        posSide: "long",
        qty: "0.02",
        leverage: "20",
        margin: "64",
        marginRatio: "0.00051",
        openFee: "0.256",
        liquidationPrice: null,
        hasAutoMargin: false,
      },
    ]);
  });
});

describe("pushed Classic spot orders that wait for a trigger", () => {
  const ORDER = {
    instId: "BTCUSDT",
    orderId: "1391230000000001100",
    clientOid: "1391230000000001100",
    triggerPrice: "62000",
    triggerType: "fill_price",
    planType: "amount",
    price: "61900",
    executePrice: "0",
    size: "0.02",
    orderType: "limit",
    side: "sell",
    status: "live",
    enterPointSource: "api",
    stpMode: "none",
    cTime: "1767225605000",
    uTime: "1767225605000",
  };
  const read = (changes: object) =>
    pushed(classicSpotTriggerOrdersChannel, {}, frame("SPOT", "orders-algo", [{ ...ORDER, ...changes }]))[0];

  it("are orders of spot with a trigger", () => {
    expect(read({})).toMatchObject({
      category: "SPOT",
      symbol: "BTCUSDT",
      tpslType: "tpsl",
      triggerPrice: "62000",
      price: "61900",
      qty: "0.02",
      quoteQty: null,
      status: "new",
      cumExecQty: "0",
      lastFill: null,
    });
    expect(read({ executePrice: "61800" })).toMatchObject({ price: "61800" });
  });

  it.each([
    [{ planType: "total" }, null, "0.02"],
    [{ planType: "TOTAL" }, null, "0.02"],
    [{ planType: "other" }, "0.02", null],
    [{ planType: "other", orderType: "market", side: "buy" }, null, "0.02"],
    [{ planType: "", orderType: "market", side: "buy" }, null, "0.02"],
    [{ planType: "", orderType: "market", side: "sell" }, "0.02", null],
  ])("count in the coin that they say, or that follows: %o", (changes, qty, quoteQty) => {
    expect(read(changes)).toMatchObject({ qty, quoteQty });
  });

  it.each([
    ["not_trigger", "new"],
    ["executing", "triggered"],
    ["executed", "triggered"],
    ["fail_execute", "cancelled"],
    ["cancelled", "cancelled"],
    ["later", "UNKNOWN"],
  ])("are %s where the graph says %s", (status, orderStatus) => {
    expect(read({ status })).toMatchObject({ status: orderStatus, statusRaw: status });
  });
});

describe("pushed Classic plan orders", () => {
  const PLAN = {
    instId: "BTCUSDT",
    orderId: "1391230000000001000",
    clientOid: "sl-0001",
    triggerPrice: "62000",
    triggerType: "mark_price",
    triggerTime: "",
    planType: "sl",
    price: "0",
    executePrice: "0",
    size: "0.02",
    actualSize: "0",
    orderType: "market",
    side: "sell",
    tradeSide: "sell_single",
    posSide: "long",
    marginCoin: "USDT",
    status: "live",
    posMode: "one_way_mode",
    enterPointSource: "api",
    stopLossTriggerPrice: "62000",
    stopLossTriggerType: "mark_price",
    stopLossPrice: "0",
    stpMode: "none",
    cTime: "1767225605000",
    uTime: "1767225605000",
  };

  it.each([
    ["pl", "normal_plan"],
    ["tp", "profit_plan"],
    ["sl", "loss_plan"],
    ["ptp", "pos_profit"],
    ["psl", "pos_loss"],
    ["track", "track_plan"],
    ["mtpsl", "moving_plan"],
    ["later", "UNKNOWN"],
  ])("say %s where REST says %s", (planType, named) => {
    expect(
      pushed(classicPlanOrdersChannel, USDT_FUTURES, frame("USDT-FUTURES", "orders-algo", [{ ...PLAN, planType }])),
    ).toMatchObject([
      {
        category: "USDT-FUTURES",
        symbol: "BTCUSDT",
        planType: named,
        planTypeRaw: named === "UNKNOWN" ? planType : named,
        status: "live",
        stopLoss: "62000",
      },
    ]);
  });

  it("give the limit price of a take-profit or stop-loss under a shorter key", () => {
    const data = [{ ...PLAN, planType: "tp", stopSurplusTriggerPrice: "66000", stopSurplusPrice: "65990" }];
    expect(pushed(classicPlanOrdersChannel, USDT_FUTURES, frame("USDT-FUTURES", "orders-algo", data))).toMatchObject([
      { takeProfit: "66000", tpLimitPrice: "65990", tpOrderType: "limit" },
    ]);
  });
});
