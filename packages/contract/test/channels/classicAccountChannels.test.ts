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
import samples from "../samples/classicAccountChannels.json" with { type: "json" };
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
  const ORDER = samples["pushed Classic spot orders"];

  it("read as orders, totals apart from the last fill, fees positive when paid", () => {
    expect(spotOrder(ORDER)).toMatchObject(samples["read as orders, totals apart from the last fill, fees positive when paid"]);
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
  const ORDER = samples["pushed Classic futures orders"];

  it("read as orders of their category", () => {
    expect(futuresOrder(ORDER)).toMatchObject(samples["read as orders of their category"]);
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
  const FILL = samples["pushed Classic fills"];
  const futuresFill = (data: object) => pushed(classicFuturesFillChannel, USDT_FUTURES, frame("USDT-FUTURES", "fill", [data]));

  it("of futures read as fills, negative fees as paid", () => {
    expect(futuresFill(FILL)).toMatchObject(samples["of futures read as fills, negative fees as paid"]);
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
    const data = samples["of spot read as fills, positive fees as paid, the misspelt maker included: sent"];
    expect(pushed(classicSpotFillChannel, {}, frame("SPOT", "fill", [data]))).toMatchObject(
      samples["of spot read as fills, positive fees as paid, the misspelt maker included"],
    );
  });
});

describe("pushed Classic balances", () => {
  it("of spot read as spot balances", () => {
    const data = [
      { coin: "USDT", available: "8714.1", frozen: "1285.9", locked: "0", limitAvailable: "0", uTime: "1767225600100" },
    ];
    expect(pushed(classicSpotAccountChannel, {}, frame("SPOT", "account", data))).toEqual([
      samples["of spot read as spot balances"],
    ]);
  });

  it("of futures read as the figures that are pushed", () => {
    const data = samples["of futures read as the figures that are pushed: sent"];
    expect(pushed(classicFuturesAccountChannel, USDT_FUTURES, frame("USDT-FUTURES", "account", data))).toMatchObject(
      samples["of futures read as the figures that are pushed"],
    );
  });
});

describe("pushed Classic positions", () => {
  it("read as positions of their category", () => {
    const data = samples["read as positions of their category: sent"];
    expect(pushed(classicPositionsChannel, USDT_FUTURES, frame("USDT-FUTURES", "positions", data))).toMatchObject(
      samples["read as positions of their category"],
    );
  });
});

describe("pushed Classic spot orders that wait for a trigger", () => {
  const ORDER = samples["pushed Classic spot orders that wait for a trigger"];
  const read = (changes: object) =>
    pushed(classicSpotTriggerOrdersChannel, {}, frame("SPOT", "orders-algo", [{ ...ORDER, ...changes }]))[0];

  it("are orders of spot with a trigger", () => {
    expect(read({})).toMatchObject(samples["are orders of spot with a trigger"]);
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
  const PLAN = samples["pushed Classic plan orders"];

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
