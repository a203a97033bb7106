import type { Ticker } from "@exchange-graph/contract/ticker";
import { describe, expect, it } from "vitest";
import type { SymbolRules } from "../../../../src/datasources/reads/queries/instruments.js";
import { brokenBy, type OrderNumbers } from "../../../../src/datasources/writes/rules/orderRules.js";

const RULES: SymbolRules = {
  symbol: "BTCUSDT",
  baseCoin: "BTC",
  quoteCoin: "USDT",
  priceStep: "0.5",
  qtyStep: "0.001",
  quoteStep: "0.01",
  minQty: "0.002",
  maxQty: "100",
  maxMarketQty: "10",
  minValue: "5",
  buyBand: "0.05",
  sellBand: "0.1",
  minLeverage: null,
  maxLeverage: null,
  marginCoins: [],
};
const LIMIT: OrderNumbers = { side: "buy", isMarket: false, closes: false, qty: "0.01", price: "1000" };

const prices = (lastPrice: string | null, more: Partial<Ticker> = {}): Ticker => ({
  ...{ symbol: "BTCUSDT", lastPrice, markPrice: null, indexPrice: null, bid1Price: null, ask1Price: null },
  ...{ openPrice24h: null, highPrice24h: null, lowPrice24h: null, change24h: null, volume24h: null, turnover24h: null },
  ...{ bid1Qty: null, ask1Qty: null, fundingRate: null, openInterest: null, deliveryStartTime: null, deliveryTime: null },
  ...{ deliveryStatus: null, deliveryStatusRaw: null, time: 0 },
  ...{ nextFundingTime: null, openUtc: null, changeUtc24h: null, turnover24hUsdt: null, deliveryPrice: null },
  ...more,
});

const says = (order: Partial<OrderNumbers>, rules: Partial<SymbolRules> = {}, ticker: Ticker | null = prices("1000")) =>
  brokenBy({ ...LIMIT, ...order }, { ...RULES, ...rules }, ticker).map(({ argument, rule }) => `${argument} ${rule}`);

describe("an order's numbers", () => {
  it("break nothing on the grid and at every bound", () => {
    for (const order of [
      {},
      { qty: "0.005" },
      { qty: "100" },
      { price: "1050" },
      { side: "sell", price: "900" },
      { qty: "10", isMarket: true },
      { qty: "0.002", isMarket: true },
      { triggers: { "takeProfit.triggerPrice": "9999.5" } },
    ] as const)
      expect(says(order)).toEqual([]);
  });

  it.each([
    [{ qty: "0.0106" }, "qty must be a multiple of 0.001; the nearest is 0.011"],
    [{ qty: "0.0104" }, "qty must be a multiple of 0.001; the nearest is 0.01"],
    [{ qty: "0.001", price: "9000" }, "qty must be at least 0.002; the nearest is 0.002"],
    [{ qty: "0.004" }, "qty must be worth at least 5 USDT at this price; the nearest is 0.005"],
    [{ qty: "0.0000001" }, "qty must be a multiple of 0.001; the nearest is 0.005"],
    [{ qty: "100.001" }, "qty must be at most 100; the nearest is 100"],
    [{ qty: "10.001", isMarket: true }, "qty must be at most 10; the nearest is 10"],
    [{ price: "1000.3" }, "price must be a multiple of 0.5; the nearest is 1000.5"],
    [{ price: "1050.5" }, "price must be at most 5 % above the market; the nearest is 1050"],
    [{ price: "2000.1" }, "price must be a multiple of 0.5; the nearest is 1050"],
    [{ side: "sell", price: "899.5" }, "price must be at most 10 % below the market; the nearest is 900"],
    [{ triggers: { "stopLoss.limitPrice": "1.1" } }, "stopLoss.limitPrice must be a multiple of 0.5; the nearest is 1"],
    [{ triggers: { triggerPrice: "0.1" } }, "triggerPrice must be a multiple of 0.5; the nearest is 0.5"],
  ] as const)("are refused with the nearest that would do: %o", (order, sentence) => {
    const ticker = "price" in order && order.price === "9000" ? null : prices("1000");
    expect(says(order, {}, ticker)).toEqual([sentence]);
  });

  it.each([
    [{ quoteQty: "4.99" }, ["quoteQty must be worth at least 5 USDT; the nearest is 5"]],
    [{ quoteQty: "5.001" }, ["quoteQty must be a multiple of 0.01; the nearest is 5"]],
    [{ quoteQty: "5" }, []],
  ])("in quote coin have their own grid and bound: %o", (order, sentences) => {
    expect(says({ ...order, qty: undefined, price: undefined, isMarket: true })).toEqual(sentences);
  });

  it("may be as small as they like where they close something", () => {
    expect(says({ qty: "0.003", closes: true })).toEqual([]);
    expect(says({ qty: "0.003" })).toHaveLength(1);
  });

  it("are measured from the most permissive of the market's prices", () => {
    expect(says({ price: "1060" }, {}, prices("1000", { markPrice: "1010" }))).toEqual([]);
    expect(says({ price: "1060" }, {}, prices("1000", { ask1Price: "1009" }))).toHaveLength(1);
    expect(says({ side: "sell", price: "870" }, {}, prices("1000", { indexPrice: "966" }))).toEqual([]);
  });

  it("require what the exchange documents, and nothing else", () => {
    const none = { priceStep: null, qtyStep: null, minQty: null, maxQty: null, minValue: null, buyBand: null };
    expect(says({ qty: "0.0000001", price: "99999.123" }, none)).toEqual([]);
    expect(says({ price: "9000" }, {}, null)).toEqual([]);
    expect(says({ price: "9000" }, {}, prices(null))).toEqual([]);
    expect(says({ price: "9000" }, {}, prices("0"))).toEqual([]);
  });

  it("are exact to the last digit", () => {
    expect(says({ qty: "0.01", price: "1000" }, { priceStep: "0.000000000000000001" }, null)).toEqual([]);
    expect(says({ price: "1000.000000000000000001" }, {}, null)).toEqual([
      "price must be a multiple of 0.5; the nearest is 1000",
    ]);
  });
});
