import { describe, expect, it } from "vitest";
import { accountChannel } from "../../src/channels/account.js";
import { fillChannel } from "../../src/channels/fill.js";
import { orderChannel } from "../../src/channels/order.js";
import { strategyOrderChannel } from "../../src/channels/plan.js";
import { positionChannel } from "../../src/channels/position.js";
import samples from "../samples/unifiedAccountChannels.json" with { type: "json" };
import { pushed } from "./support/pushed.js";

const frame = (topic: string, data: unknown, action = "snapshot") => ({
  action,
  arg: { instType: "UTA", topic },
  data,
  ts: 1_767_225_600_105,
});

const ORDER = samples.ORDER;

describe("pushed orders of a unified account", () => {
  it("read as the orders that are read over REST", () => {
    expect(pushed(orderChannel, {}, frame("order", [ORDER]))).toMatchObject(
      samples["read as the orders that are read over REST"],
    );
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
    expect(pushed(fillChannel, {}, frame("fill", data))).toMatchObject([samples["read as fills, their category %s"]]);
  });
});

describe("the pushed unified account", () => {
  it("reads as its assets, spellings of the push included", () => {
    const data = samples["reads as its assets, spellings of the push included: sent"];
    expect(pushed(accountChannel, {}, frame("account", data))).toMatchObject(
      samples["reads as its assets, spellings of the push included"],
    );
  });
});

describe("pushed positions of a unified account", () => {
  const POSITION = samples["pushed positions of a unified account"];

  it("read as positions, spellings of the push included", () => {
    expect(pushed(positionChannel, {}, frame("position", [POSITION], "update"))).toMatchObject(
      samples["read as positions, spellings of the push included"],
    );
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
    const data = samples["read as plan orders: sent"];
    expect(pushed(strategyOrderChannel, {}, frame("strategy-order", data))).toMatchObject([samples["read as plan orders"]]);
  });
});
