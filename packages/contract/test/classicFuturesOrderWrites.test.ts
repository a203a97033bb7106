import { describe, expect, it } from "vitest";
import { classicModifyFuturesOrder, classicPlaceFuturesOrder } from "../src/classicFuturesOrderWrites.js";
import { encoded, type ParametersOf, violations } from "../src/endpoint.js";

const NOW = 1_767_225_600_000;

describe("placing a Classic futures order", () => {
  const ORDER: ParametersOf<typeof classicPlaceFuturesOrder> = {
    symbol: "BTCUSDT",
    productType: "USDT-FUTURES",
    marginMode: "crossed",
    marginCoin: "USDT",
    clientOid: "mx-0001",
    side: "buy",
    orderType: "limit",
    price: "64000",
    size: "0.02",
  };
  const broken = (changes: Partial<typeof ORDER>) => violations(classicPlaceFuturesOrder, { ...ORDER, ...changes }, NOW);

  it("goes out with the product type in lower case and YES or NO in capitals", () => {
    expect(broken({ reduceOnly: "yes" })).toEqual([]);
    expect(encoded(classicPlaceFuturesOrder, { ...ORDER, reduceOnly: "yes" })).toEqual({
      ...ORDER,
      productType: "usdt-futures",
      reduceOnly: "YES",
    });
  });

  it("needs a price for a limit order and none for a market order", () => {
    expect(broken({ price: undefined })).toMatchObject([{ parameter: "price", problem: "combination" }]);
    expect(broken({ orderType: "market", price: undefined })).toEqual([]);
  });
});

describe("changing a Classic futures order", () => {
  const CHANGE = { symbol: "BTCUSDT", productType: "USDT-FUTURES", orderId: "1", newClientOid: "mx-0002" } as const;
  const broken = (changes: object) => violations(classicModifyFuturesOrder, { ...CHANGE, ...changes }, NOW);

  it("gives size and price together", () => {
    expect(broken({ newSize: "1", newPrice: "1" })).toEqual([]);
    expect(broken({ newPrice: "1" })).toMatchObject([{ parameter: "newSize", problem: "combination" }]);
    expect(broken({ newSize: "1" })).toMatchObject([{ parameter: "newPrice", problem: "combination" }]);
    expect(broken({ newPresetStopLossPrice: "1" })).toEqual([]);
  });

  it("sends the product type in capitals", () => {
    expect(encoded(classicModifyFuturesOrder, CHANGE)).toMatchObject({ productType: "USDT-FUTURES" });
  });
});
