import { describe, expect, it } from "vitest";
import { classicCancelSpotOrder, classicPlaceSpotOrder, classicReplaceSpotOrder } from "../src/classicSpotOrderWrites.js";
import { encoded, type ParametersOf, violations } from "../src/endpoint.js";

const NOW = 1_767_225_600_000;

describe("placing a Classic spot order", () => {
  const ORDER: ParametersOf<typeof classicPlaceSpotOrder> = {
    symbol: "BTCUSDT",
    side: "buy",
    orderType: "limit",
    force: "gtc",
    price: "64000",
    size: "0.02",
  };
  const broken = (changes: Partial<typeof ORDER>) => violations(classicPlaceSpotOrder, { ...ORDER, ...changes }, NOW);

  it("goes out with numbers as text", () => {
    const guarded = { ...ORDER, clientOid: "sp-0001", requestTime: NOW, receiveWindow: 5_000 };
    expect(broken(guarded)).toEqual([]);
    expect(encoded(classicPlaceSpotOrder, guarded)).toEqual({ ...guarded, requestTime: String(NOW), receiveWindow: "5000" });
  });

  it("needs a price for a limit order and none for a market order", () => {
    expect(broken({ price: undefined })).toMatchObject([{ parameter: "price", problem: "combination" }]);
    expect(broken({ orderType: "market", price: undefined })).toEqual([]);
  });

  it("needs a trigger price for a TP/SL order and none for a normal one", () => {
    expect(broken({ tpslType: "tpsl" })).toMatchObject([{ parameter: "triggerPrice", problem: "combination" }]);
    expect(broken({ tpslType: "tpsl", triggerPrice: "63000" })).toEqual([]);
    expect(broken({ tpslType: "normal" })).toEqual([]);
  });

  it.each([
    "clientOid",
    "presetTakeProfitPrice",
    "executeTakeProfitPrice",
    "presetStopLossPrice",
    "executeStopLossPrice",
  ] as const)("refuses %s on a TP/SL order and takes it on a normal one", (parameter) => {
    expect(broken({ tpslType: "tpsl", triggerPrice: "63000", [parameter]: "70000" })).toMatchObject([
      { parameter, problem: "combination" },
    ]);
    expect(broken({ tpslType: "normal", [parameter]: "70000" })).toEqual([]);
    expect(broken({ [parameter]: "70000" })).toEqual([]);
  });

  it("takes a clientOid of 64 characters, `#` and `+` included, and not 65", () => {
    expect(broken({ clientOid: "#+".repeat(32) })).toEqual([]);
    expect(broken({ clientOid: "a".repeat(65) })).toMatchObject([{ parameter: "clientOid" }]);
    expect(broken({ clientOid: "a b" })).toMatchObject([{ parameter: "clientOid" }]);
  });
});

describe("cancelling and replacing a Classic spot order", () => {
  it("needs the symbol, unless the order is a TP/SL order", () => {
    expect(violations(classicCancelSpotOrder, { orderId: "1" }, NOW)).toMatchObject([
      { parameter: "symbol", problem: "combination" },
    ]);
    expect(violations(classicCancelSpotOrder, { orderId: "1", tpslType: "normal" }, NOW)).toMatchObject([
      { parameter: "symbol" },
    ]);
    expect(violations(classicCancelSpotOrder, { orderId: "1", symbol: "BTCUSDT" }, NOW)).toEqual([]);
    expect(violations(classicCancelSpotOrder, { orderId: "1", tpslType: "tpsl" }, NOW)).toEqual([]);
  });

  it("reports a failed replacement inside a successful answer", () => {
    expect(classicReplaceSpotOrder.data.decode({ orderId: "1", clientOid: null, success: "success", msg: null })).toEqual({
      orderId: "1",
      clientOid: null,
      success: "success",
      successRaw: "success",
      msg: null,
    });
    expect(classicReplaceSpotOrder.data.decode({ orderId: null, success: "failure", msg: "too late" })).toMatchObject({
      success: "failure",
      msg: "too late",
    });
  });
});
