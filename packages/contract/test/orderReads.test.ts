import { describe, expect, it } from "vitest";
import { classicCancelFuturesOrder } from "../src/classicFuturesOrderWrites.js";
import { classicCancelSpotOrder, classicReplaceSpotOrder } from "../src/classicSpotOrderWrites.js";
import { violations } from "../src/endpoint.js";
import { classicFuturesOrderDetail, classicSpotOrderInfo, orderInfo } from "../src/orderReads.js";
import { cancelOrder } from "../src/orderWrites.js";

const NOW = 1_767_225_600_000;

describe("one order", () => {
  it("is asked for by orderId, by clientOid, or by both", () => {
    const futures = { symbol: "BTCUSDT", productType: "USDT-FUTURES" } as const;
    for (const ids of [{ orderId: "1" }, { clientOid: "a" }, { orderId: "1", clientOid: "a" }]) {
      expect(violations(orderInfo, ids, NOW)).toEqual([]);
      expect(violations(classicSpotOrderInfo, ids, NOW)).toEqual([]);
      expect(violations(classicFuturesOrderDetail, { ...futures, ...ids }, NOW)).toEqual([]);
      expect(violations(cancelOrder, ids, NOW)).toEqual([]);
      expect(violations(classicCancelFuturesOrder, { ...futures, ...ids }, NOW)).toEqual([]);
    }
  });

  it("is not asked for by neither", () => {
    const broken = [{ parameter: "orderId", problem: "combination" }];
    const futures = { symbol: "BTCUSDT", productType: "USDT-FUTURES" } as const;
    expect(violations(orderInfo, {}, NOW)).toMatchObject(broken);
    expect(violations(classicSpotOrderInfo, {}, NOW)).toMatchObject(broken);
    expect(violations(classicFuturesOrderDetail, futures, NOW)).toMatchObject(broken);
    expect(violations(cancelOrder, {}, NOW)).toMatchObject(broken);
    expect(violations(classicCancelFuturesOrder, futures, NOW)).toMatchObject(broken);
    expect(violations(classicCancelSpotOrder, { symbol: "BTCUSDT" }, NOW)).toMatchObject(broken);
    expect(violations(classicReplaceSpotOrder, { symbol: "BTCUSDT", price: "1", size: "1" }, NOW)).toMatchObject(broken);
  });
});
