import { exact } from "@exchange-graph/contract/decimal";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type LiveGraph, startLiveGraph } from "./support/liveGraph.js";

let live: LiveGraph;
beforeAll(async () => {
  live = await startLiveGraph({ hasPast: false });
});
afterAll(() => live.close());
beforeEach(() => live.nextMinute());

const AMOUNT = expect.stringMatching(/^-?\d+(\.\d+)?$/);
const TIME = expect.stringMatching(/^\d{4}-.+Z$/);

describe("instruments", () => {
  it.each([
    ["SPOT", "BTCUSDT"],
    ["MARGIN", "BTCUSDT"],
    ["USDT_FUTURES", "BTCUSDT"],
    ["USDC_FUTURES", "BTCPERP"],
    ["COIN_FUTURES", "BTCUSD"],
  ])("are listed in %s, %s among them, and joined with their tickers for one call", async (category, symbol) => {
    const { data, errors, calls } = await live.run(
      `query ($category: ProductCategoryInput!, $symbol: String!) {
        instruments(category: $category) { symbol ticker { symbol lastPrice } }
        instrument(category: $category, symbol: $symbol) { id category symbol baseCoin quoteCoin status statusRaw type }
      }`,
      { category, symbol },
    );
    expect(errors).toEqual([]);
    expect(data.instrument).toMatchObject({ category, symbol, baseCoin: "BTC", status: "ONLINE", statusRaw: "online" });
    const listed = data.instruments.map((row: { symbol: string }) => row.symbol);
    expect(listed).toContain(symbol);
    for (const { symbol: of, ticker } of data.instruments) if (ticker !== null) expect(ticker.symbol).toBe(of);
    expect(calls.filter((call) => call === "tickers").length).toBeLessThanOrEqual(1);
    expect(calls.filter((call) => call === "instruments").length).toBeLessThanOrEqual(1);
  });

  it("show the rules of a futures contract", async () => {
    const { data, errors } = await live.run(`{ instrument(category: USDT_FUTURES, symbol: "btcusdt") {
      symbol type typeRaw assetClass priceMultiplier feeRateUpRatio openCostUpRatio maxSymbolOrderNum maxProductOrderNum maxPositionNum
      posLimit fundInterval supportMarginCoins launchTime offTime limitOpenTime maintainTime areaSymbol userMinBorrow isRealWorldAsset
      fees { maker taker } precision { price quantity quote } orderSize { min max maxMarket minAmount step } priceLimits { buy sell }
      leverage { min max } maxLeverage { crossed } riskRatios { warning } borrowable { isolatedBase } delivery { time }
    } }`);
    expect(errors).toEqual([]);
    expect(data.instrument).toMatchObject({
      symbol: "BTCUSDT",
      type: "PERPETUAL",
      typeRaw: "perpetual",
      priceMultiplier: AMOUNT,
      fees: { maker: "0.0002", taker: "0.0006" },
      precision: { price: 1, quantity: 4 },
      orderSize: { min: AMOUNT, max: AMOUNT, maxMarket: AMOUNT, minAmount: AMOUNT, step: AMOUNT },
      priceLimits: { buy: AMOUNT, sell: AMOUNT },
      leverage: { min: "1", max: AMOUNT },
      maxLeverage: null,
      riskRatios: null,
      delivery: null,
      offTime: null,
    });
  });

  it("show the rules of a margin pair", async () => {
    const { data } = await live.run(
      '{ instrument(category: MARGIN, symbol: "BTCUSDT") { maxLeverage { crossed isolated } riskRatios { warning liquidation } userMinBorrow leverage { max } } }',
    );
    expect(data.instrument).toEqual({
      maxLeverage: { crossed: AMOUNT, isolated: AMOUNT },
      riskRatios: { warning: AMOUNT, liquidation: AMOUNT },
      userMinBorrow: AMOUNT,
      leverage: null,
    });
  });
});

describe("tickers", () => {
  it("show a futures symbol's last 24 hours", async () => {
    const { data, errors } = await live.run(`{ ticker(category: USDT_FUTURES, symbol: "BTCUSDT") {
      category symbol lastPrice openPrice24h highPrice24h lowPrice24h change24h volume24h turnover24h bid1Price bid1Qty ask1Price
      ask1Qty indexPrice markPrice fundingRate openInterest deliveryStartTime deliveryTime deliveryStatus deliveryStatusRaw time
      instrument { symbol category }
    } }`);
    expect(errors).toEqual([]);
    const { ticker } = data;
    expect(ticker).toMatchObject({
      category: "USDT_FUTURES",
      symbol: "BTCUSDT",
      markPrice: AMOUNT,
      fundingRate: AMOUNT,
      time: TIME,
    });
    expect(ticker.instrument).toEqual({ symbol: "BTCUSDT", category: "USDT_FUTURES" });
    expect(exact(ticker.bid1Price).lt(ticker.ask1Price)).toBe(true);
    expect(exact(ticker.lowPrice24h).lte(ticker.highPrice24h)).toBe(true);
  });

  it("of margin are those of spot, from the same call", async () => {
    const { data, calls } = await live.run(
      '{ margin: ticker(category: MARGIN, symbol: "BTCUSDT") { category lastPrice } spot: ticker(category: SPOT, symbol: "BTCUSDT") { category lastPrice } }',
    );
    expect(data.margin).toEqual(data.spot);
    expect(data.spot.category).toBe("SPOT");
    expect(calls).toEqual(["tickers"]);
  });

  it("are null for what nobody quotes, and leave out what is not asked for", async () => {
    const { data } = await live.run(
      '{ none: ticker(category: SPOT, symbol: "NONESUCH") { symbol } some: tickers(category: SPOT, symbols: ["BTCUSDT", "NONESUCH"]) { symbol } }',
    );
    expect(data).toEqual({ none: null, some: [{ symbol: "BTCUSDT" }] });
  });
});

describe("order book", () => {
  const BOOK =
    'query ($depth: Int) { orderBook(category: SPOT, symbol: "BTCUSDT", depth: $depth) { category symbol asks { price qty } bids { price qty } time } }';

  it.each([
    [1, 1],
    [7, 7],
    [200, 200],
    [null, 50],
  ])("of depth %s has at most %s levels per side, best first, and does not cross", async (depth, most) => {
    const { data, errors } = await live.run(BOOK, { depth });
    expect(errors).toEqual([]);
    const { asks, bids, time, ...market } = data.orderBook;
    expect(market).toEqual({ category: "SPOT", symbol: "BTCUSDT" });
    expect(time).toEqual(TIME);
    for (const [side, sign] of [
      [asks, 1],
      [bids, -1],
    ] as const) {
      expect(side.length).toBeGreaterThan(0);
      expect(side.length).toBeLessThanOrEqual(most);
      const prices = side.map(({ price }: { price: string }) => exact(price));
      for (const [at, price] of prices.slice(1).entries()) expect(price.cmp(prices[at]) * sign).toBe(1);
    }
    expect(exact(bids[0].price).lt(asks[0].price)).toBe(true);
  });

  it.each([0, 201])("refuses a depth of %s and sends nothing", async (depth) => {
    const { data, errors } = await live.run(BOOK, { depth });
    expect(data).toEqual({ orderBook: null });
    expect(errors.map((error) => [error.message, error.extensions.code])).toEqual([
      ["depth must be a whole number from 1 to 200", "BAD_USER_INPUT"],
    ]);
    expect(live.sandbox.calls.counts()).toEqual({});
  });
});

describe("candles", () => {
  const CANDLES = `query ($category: ProductCategoryInput = SPOT, $interval: CandleInterval = HOUR_1, $price: CandlePrice, $from: DateTime, $to: DateTime, $first: Int) {
    candles(category: $category, symbol: "BTCUSDT", interval: $interval, price: $price, from: $from, to: $to, first: $first) {
      start open high low close volume turnover
    }
  }`;
  const HOUR = 3_600_000;

  it("come oldest first, one per interval, the running one last", async () => {
    const { data, errors } = await live.run(CANDLES, { first: 5 });
    expect(errors).toEqual([]);
    const starts = data.candles.map(({ start }: { start: string }) => Date.parse(start));
    expect(starts).toHaveLength(5);
    expect(starts.at(-1)).toBe(Math.floor(live.now() / HOUR) * HOUR);
    for (const [at, start] of starts.slice(1).entries()) expect(start - starts[at]).toBe(HOUR);
    for (const { open, high, low, close } of data.candles) {
      for (const price of [open, close]) expect(exact(low).lte(price) && exact(price).lte(high)).toBe(true);
    }
  });

  it("cover the stretch asked for, both ends included", async () => {
    const to = Math.floor(live.now() / HOUR) * HOUR - 10 * HOUR;
    const { data } = await live.run(CANDLES, { from: new Date(to - 3 * HOUR).toISOString(), to: new Date(to).toISOString() });
    expect(data.candles.map(({ start }: { start: string }) => (to - Date.parse(start)) / HOUR)).toEqual([3, 2, 1, 0]);
  });

  it.each(["MINUTE_1", "MINUTES_15", "HOURS_4", "DAY_1", "DAY_1_UTC", "WEEK_1", "MONTH_1"])(
    "take the interval %s",
    async (interval) => {
      const { data, errors } = await live.run(CANDLES, { interval, first: 2 });
      expect(errors).toEqual([]);
      expect(data.candles).toHaveLength(2);
    },
  );

  it.each(["MARKET", "MARK", "INDEX"])("follow the %s price of futures", async (price) => {
    expect((await live.run(CANDLES, { category: "USDT_FUTURES", price, first: 2 })).errors).toEqual([]);
  });

  it.each([1, 1_000])("take a first of %s", async (first) => {
    expect((await live.run(CANDLES, { first })).errors).toEqual([]);
  });

  it.each([
    [{ first: 0 }, "first must be a whole number from 1 to 1000"],
    [{ first: 1_001 }, "first must be a whole number from 1 to 1000"],
    [{ from: "2028-01-02T00:00:00Z", to: "2028-01-01T00:00:00Z" }, "to must not be before from"],
  ])("refuse %o and send nothing", async (variables, message) => {
    const { errors } = await live.run(CANDLES, variables);
    expect(errors.map((error) => [error.message, error.extensions.code])).toEqual([[message, "BAD_USER_INPUT"]]);
    expect(live.sandbox.calls.counts()).toEqual({});
  });
});

describe("trades", () => {
  const TRADES =
    'query ($first: Int) { trades(category: USDT_FUTURES, symbol: "BTCUSDT", first: $first) { execId execLinkId price qty side sideRaw time isRPI } }';

  it.each([1, 100])("come newest first, %s of them", async (first) => {
    const { data, errors } = await live.run(TRADES, { first });
    expect(errors).toEqual([]);
    expect(data.trades).toHaveLength(first);
    const times = data.trades.map(({ time }: { time: string }) => time);
    expect(times).toEqual(times.toSorted().reverse());
    expect(data.trades[0]).toMatchObject({ price: AMOUNT, qty: AMOUNT, side: expect.stringMatching(/^(BUY|SELL)$/) });
  });

  it.each([0, 101])("refuse a first of %s and send nothing", async (first) => {
    const { errors } = await live.run(TRADES, { first });
    expect(errors.map(({ message }) => message)).toEqual(["first must be a whole number from 1 to 100"]);
    expect(live.sandbox.calls.counts()).toEqual({});
  });
});
