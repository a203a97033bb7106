import { describe, expect, it } from "vitest";
import { encoded, type ParametersOf, violations } from "../src/endpoint.js";
import { modifyOrder, placeOrder } from "../src/orderWrites.js";

const NOW = 1_767_225_600_000;

describe("placing a unified order", () => {
  const ORDER: ParametersOf<typeof placeOrder> = {
    category: "USDT-FUTURES",
    symbol: "BTCUSDT",
    clientOid: "tv-0001",
    side: "buy",
    posSide: "long",
    orderType: "limit",
    price: "64000",
    qty: "0.02",
    timeInForce: "gtc",
  };
  const broken = (changes: Partial<typeof ORDER>) => violations(placeOrder, { ...ORDER, ...changes }, NOW);

  it("goes out as the interface spells it", () => {
    expect(broken({})).toEqual([]);
    expect(encoded(placeOrder, ORDER)).toEqual(ORDER);
  });

  it("needs a price for a limit order and none for a market order", () => {
    expect(broken({ price: undefined })).toMatchObject([{ parameter: "price", problem: "combination" }]);
    expect(broken({ orderType: "market", price: undefined })).toEqual([]);
  });

  it("takes a clientOid of 32 characters of its alphabet, not 33, no other sign", () => {
    expect(broken({ clientOid: "a.Z:/9_-".repeat(4) })).toEqual([]);
    expect(broken({ clientOid: "a".repeat(33) })).toMatchObject([{ parameter: "clientOid" }]);
    expect(broken({ clientOid: "a#b" })).toMatchObject([{ parameter: "clientOid" }]);
    expect(broken({ clientOid: "" })).toMatchObject([{ parameter: "clientOid" }]);
  });

  it("takes take-profit and stop-loss in futures categories only", () => {
    for (const category of ["USDT-FUTURES", "COIN-FUTURES", "USDC-FUTURES"] as const) {
      expect(broken({ category, takeProfit: "70000", stopLoss: "60000" })).toEqual([]);
    }
    for (const category of ["SPOT", "MARGIN"] as const) {
      expect(broken({ category, takeProfit: "70000" })).toMatchObject([{ parameter: "takeProfit", problem: "combination" }]);
      expect(broken({ category, stopLoss: "60000" })).toMatchObject([{ parameter: "stopLoss", problem: "combination" }]);
    }
  });

  it("acknowledges, and may do so without an order id", () => {
    expect(placeOrder.data.decode({ orderId: "1", clientOid: "a" })).toEqual({ orderId: "1", clientOid: "a" });
    expect(placeOrder.data.decode({ orderId: null, clientOid: "a" })).toEqual({ orderId: null, clientOid: "a" });
  });
});

describe("changing a unified order", () => {
  const ID = { orderId: "1" };

  it("needs something to change", () => {
    expect(violations(modifyOrder, ID, NOW)).toMatchObject([{ parameter: "qty", problem: "combination" }]);
    expect(violations(modifyOrder, { ...ID, autoCancel: "yes" }, NOW)).toHaveLength(1);
    for (const change of [{ qty: "1" }, { price: "1" }, { takeProfit: "1" }, { stopLoss: "1" }]) {
      expect(violations(modifyOrder, { ...ID, ...change }, NOW)).toEqual([]);
    }
  });

  it("names the order", () => {
    expect(violations(modifyOrder, { qty: "1" }, NOW)).toMatchObject([{ parameter: "orderId", problem: "combination" }]);
  });
});
