import { describe, expect, it } from "vitest";
import { accountChannel } from "../../src/channels/account.js";
import { fillChannel } from "../../src/channels/fill.js";
import { orderChannel } from "../../src/channels/order.js";
import { strategyOrderChannel } from "../../src/channels/plan.js";
import { positionChannel } from "../../src/channels/position.js";
import { pushed } from "./support/pushed.js";

const frame = (topic: string, data: unknown, action = "snapshot") => ({
  action,
  arg: { instType: "UTA", topic },
  data,
  ts: 1_767_225_600_105,
});

const ORDER = {
  category: "usdt-futures",
  symbol: "BTCUSDT",
  orderId: "1391230000000000200",
  clientOid: "tv-0001",
  price: "64000.0",
  qty: "0.0200",
  amount: "0",
  holdMode: "one_way_mode",
  holdSide: "net",
  tradeSide: "buy_single",
  orderType: "limit",
  timeInForce: "gtc",
  side: "buy",
  marginMode: "crossed",
  marginCoin: "USDT",
  reduceOnly: "no",
  cumExecQty: "0.0200",
  cumExecValue: "1280.0000",
  avgPrice: "64000.0",
  totalProfit: "0",
  orderStatus: "filled",
  cancelReason: "",
  leverage: "20",
  feeDetail: [{ feeCoin: "USDT", fee: "0.256" }],
  createdTime: "1767225599000",
  updatedTime: "1767225600100",
  stpMode: "none",
};

describe("pushed orders of a unified account", () => {
  it("read as the orders that are read over REST", () => {
    expect(pushed(orderChannel, {}, frame("order", [ORDER]))).toMatchObject([
      {
        category: "USDT-FUTURES",
        categoryRaw: "USDT-FUTURES",
        orderId: "1391230000000000200",
        posSide: null,
        posSideRaw: "net",
        tradeSide: "buy_single",
        qty: "0.02",
        quoteQty: null,
        status: "filled",
        isReduceOnly: false,
        fees: [{ coin: "USDT", amount: "0.256", deduction: null }],
        leverage: "20",
        realisedPnl: "0",
        cancelReason: null,
        updatedTime: 1_767_225_600_100,
        lastFill: null,
      },
    ]);
  });

  it.each(["live", "new"])("take %s for the same state", (orderStatus) => {
    const data = [{ ...ORDER, orderStatus, feeDetail: [], cumExecQty: "0", avgPrice: "0" }];
    expect(pushed(orderChannel, {}, frame("order", data))).toMatchObject([
      { status: "new", statusRaw: orderStatus, fees: [], avgPrice: null },
    ]);
  });

  it("read the take-profit and stop-loss however they are spelt", () => {
    const data = [{ ...ORDER, takeprofit: "66000", stoploss: "62000", slTriggerBy: "mark" }];
    expect(pushed(orderChannel, {}, frame("order", data))).toMatchObject([
      { takeProfit: "66000", stopLoss: "62000", slTriggerBy: "mark" },
    ]);
  });
});

describe("pushed fills of a unified account", () => {
  it.each(["USDT-FUTURES", "usdt-futures"])("read as fills, their category %s", (category) => {
    const data = [
      {
        symbol: "BTCUSDT",
        orderType: "limit",
        updatedTime: "1767225600101",
        side: "buy",
        orderId: "1391230000000000200",
        execPnl: "0",
        feeDetail: [{ feeCoin: "USDT", fee: "0.256" }],
        execTime: "1767225600100",
        tradeScope: "maker",
        tradeSide: "buy_single",
        execId: "1391230000000000301",
        execLinkId: "1391230000000000300",
        execPrice: "64000.0",
        holdSide: "net",
        execValue: "1280.0000",
        category,
        execQty: "0.0200",
        clientOid: "tv-0001",
        isRPI: "no",
      },
    ];
    expect(pushed(fillChannel, {}, frame("fill", data))).toMatchObject([
      {
        category: "USDT-FUTURES",
        execId: "1391230000000000301",
        fees: [{ coin: "USDT", amount: "0.256", deduction: null }],
        createdTime: 1_767_225_600_100,
        updatedTime: 1_767_225_600_101,
        isRPI: false,
      },
    ]);
  });
});

describe("the pushed unified account", () => {
  it("reads as its assets, spellings of the push included", () => {
    const data = [
      {
        unrealisedPnL: "5",
        totalEquity: "10004.74",
        positionMgnRatio: "0.0005",
        mmr: "5.14",
        effEquity: "10004.74",
        imr: "64.25",
        mgnRatio: "0.00051",
        bonus: "1",
        coin: [
          {
            debts: "2",
            balance: "9999.744",
            available: "10004.744",
            borrow: "1",
            locked: "0",
            equity: "10004.744",
            coin: "USDT",
            usdValue: "10004.74",
          },
        ],
      },
    ];
    expect(pushed(accountChannel, {}, frame("account", data))).toMatchObject([
      {
        equityUsd: "10004.74",
        unrealisedPnlUsd: "5",
        initialMarginUsd: "64.25",
        bonusUsd: "1",
        equityUsdt: null,
        assets: [
          {
            coin: "USDT",
            equity: "10004.744",
            valueUsd: "10004.74",
            balance: "9999.744",
            available: "10004.744",
            debt: "2",
            borrowed: "1",
            locked: "0",
          },
        ],
      },
    ]);
  });
});

describe("pushed positions of a unified account", () => {
  const POSITION = {
    symbol: "BTCUSDT",
    leverage: "20",
    openFeeTotal: "-0.256",
    mmr: "0.004",
    breakEvenPrice: "64051.2",
    available: "0.02",
    liqPrice: "0",
    marginMode: "crossed",
    unrealisedPnl: "5",
    markPrice: "64250",
    createdTime: "1767225600100",
    avgPrice: "64000",
    totalFundingFee: "0",
    updatedTime: "1767225600102",
    marginCoin: "USDT",
    frozen: "0",
    profitRate: "0.077821011673",
    closeFeeTotal: "0",
    marginSize: "64.25",
    curRealisedPnl: "0",
    size: "0.02",
    positionStatus: "opening",
    posSide: "long",
    holdMode: "one_way_mode",
    cashDividend: "0",
  };

  it("read as positions, spellings of the push included", () => {
    expect(pushed(positionChannel, {}, frame("position", [POSITION], "update"))).toMatchObject([
      {
        category: "USDT-FUTURES",
        symbol: "BTCUSDT",
        qty: "0.02",
        margin: "64.25",
        liquidationPrice: null,
        totalFunding: "0",
        openFee: "0.256",
        status: "normal",
        statusRaw: "normal",
      },
    ]);
  });

  it("leave figures empty once they have ended", () => {
    const empty = { openFeeTotal: "", mmr: "", breakEvenPrice: "", liqPrice: "", profitRate: "", closeFeeTotal: "" };
    const ended = { ...POSITION, ...empty, size: "0", available: "0", avgPrice: "0", marginSize: "0", positionStatus: "ended" };
    expect(pushed(positionChannel, {}, frame("position", [ended], "update"))).toMatchObject([
      { status: "ended", qty: "0", avgPrice: null, maintenanceMarginRate: null, breakEvenPrice: null },
    ]);
  });

  it.each([
    ["USDT", "USDT-FUTURES"],
    ["USDC", "USDC-FUTURES"],
    ["BTC", "COIN-FUTURES"],
  ])("are of the category that is settled in %s: %s", (marginCoin, category) => {
    expect(pushed(positionChannel, {}, frame("position", [{ ...POSITION, marginCoin }], "update"))).toMatchObject([{ category }]);
  });

  it("are an empty list when the account is flat", () => {
    expect(pushed(positionChannel, {}, frame("position", []))).toEqual([]);
  });
});

describe("pushed strategy orders", () => {
  it("read as plan orders", () => {
    const data = [
      {
        category: "usdt-futures",
        symbol: "BTCUSDT",
        orderId: "1391230000000001000",
        clientOid: "sl-0001",
        qty: "0.02",
        side: "sell",
        posSide: "long",
        type: "tpsl",
        status: "live",
        triggerType: "",
        takeProfit: "66000",
        stopLoss: "",
        tpOrderType: "market",
        createdTime: "1767225605000",
        updatedTime: "1767225605000",
      },
    ];
    expect(pushed(strategyOrderChannel, {}, frame("strategy-order", data))).toMatchObject([
      {
        category: "USDT-FUTURES",
        planType: "tpsl",
        status: "live",
        takeProfit: "66000",
        stopLoss: null,
        tpOrderType: "market",
      },
    ]);
  });
});
