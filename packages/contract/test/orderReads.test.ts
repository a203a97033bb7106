import { describe, expect, it } from "vitest";
import { classicCancelFuturesOrder } from "../src/classicFuturesOrderWrites.js";
import { classicCancelSpotOrder, classicReplaceSpotOrder } from "../src/classicSpotOrderWrites.js";
import { violations } from "../src/endpoint.js";
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
import { cancelOrder } from "../src/orderWrites.js";

const NOW = 1_767_225_600_000;

const DAY = 86_400_000;

describe("order windows", () => {
  const unified = { category: "SPOT" } as const;

  it("reach 90 days back in the unified history", () => {
    expect(violations(orderHistory, { ...unified, startTime: NOW - 90 * DAY, endTime: NOW - 60 * DAY }, NOW)).toEqual([]);
    expect(violations(orderHistory, { ...unified, startTime: NOW - 90 * DAY - 1, endTime: NOW - 61 * DAY }, NOW)).toMatchObject([
      { parameter: "startTime", problem: "too old" },
    ]);
  });

  it("span 30 days in the unified history", () => {
    expect(violations(orderHistory, { ...unified, startTime: NOW - 30 * DAY, endTime: NOW }, NOW)).toEqual([]);
    expect(violations(orderHistory, { ...unified, startTime: NOW - 30 * DAY - 1, endTime: NOW }, NOW)).toMatchObject([
      { parameter: "startTime", problem: "range" },
    ]);
  });

  it("reach 90 days back in the Classic histories", () => {
    expect(violations(classicSpotOrderHistory, { startTime: NOW - 90 * DAY }, NOW)).toEqual([]);
    expect(violations(classicSpotOrderHistory, { startTime: NOW - 90 * DAY - 1 }, NOW)).toMatchObject([{ problem: "too old" }]);
    const productType = "USDT-FUTURES";
    expect(violations(classicFuturesOrderHistory, { productType, startTime: NOW - 90 * DAY }, NOW)).toEqual([]);
    expect(violations(classicFuturesOrderHistory, { productType, startTime: NOW - 90 * DAY - 1 }, NOW)).toMatchObject([
      { problem: "too old" },
    ]);
  });

  it("span three months among open Classic futures orders", () => {
    const productType = "USDT-FUTURES";
    const endTime = Date.UTC(2026, 4, 31);
    expect(violations(classicFuturesOpenOrders, { productType, startTime: Date.UTC(2026, 1, 28), endTime }, endTime)).toEqual([]);
    expect(
      violations(classicFuturesOpenOrders, { productType, startTime: Date.UTC(2026, 1, 28) - 1, endTime }, endTime),
    ).toMatchObject([{ problem: "range" }]);
  });

  it("hold at most 100 rows a page", () => {
    expect(violations(openOrders, { limit: 100 }, NOW)).toEqual([]);
    expect(violations(openOrders, { limit: 101 }, NOW)).toMatchObject([{ parameter: "limit", problem: "not allowed" }]);
    expect(violations(classicSpotOpenOrders, { limit: 100 }, NOW)).toEqual([]);
    expect(violations(classicSpotOpenOrders, { limit: 101 }, NOW)).toMatchObject([
      { parameter: "limit", problem: "not allowed" },
    ]);
  });
});

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
