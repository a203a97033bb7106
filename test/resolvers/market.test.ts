import { exact } from "@exchange-graph/contract/decimal";
import { describe, expect, it } from "vitest";
import type { Result } from "./support/liveGraph.js";
import { AMOUNT, sharedGraph, TIME } from "./support/sharedGraph.js";

const live = sharedGraph({ hasPast: false });

/** The reads from the exchange or the cache, including repeated ones. */
const listsIn = (reads: Result["reads"]): readonly string[] => reads.map(({ endpoint }) => endpoint).sort();

describe("instruments", () => {
  it.each([
    ["SPOT", "BTCUSDT"],
    ["MARGIN", "BTCUSDT"],
    ["USDT_FUTURES", "BTCUSDT"],
    ["USDC_FUTURES", "BTCPERP"],
    ["COIN_FUTURES", "BTCUSD"],
  ])("are listed in %s, %s among them, and joined with their tickers for one call", async (category, symbol) => {
    const { data, calls } = await live.answer(
      `query ($category: ProductCategoryInput!, $symbol: String!) {
        instruments(category: $category) { symbol ticker { symbol lastPrice } }
        instrument(category: $category, symbol: $symbol) { id category symbol baseCoin quoteCoin status statusRaw type }
      }`,
      { category, symbol },
    );
    expect(data.instrument).toMatchObject({ category, symbol, baseCoin: "BTC", status: "ONLINE", statusRaw: "online" });
    const listed = data.instruments.map((row: { symbol: string }) => row.symbol);
    expect(listed).toContain(symbol);
    for (const { symbol: of, ticker } of data.instruments) if (ticker !== null) expect(ticker.symbol).toBe(of);
    expect(calls.filter((call) => call === "tickers").length).toBeLessThanOrEqual(1);
    expect(calls.filter((call) => call === "instruments").length).toBeLessThanOrEqual(1);
  });

  it("show the rules of a futures contract", async () => {
    const { data } = await live.answer(`{ instrument(category: USDT_FUTURES, symbol: "btcusdt") {
      symbol type typeRaw assetClass priceMultiplier feeRateUpRatio openCostUpRatio maxSymbolOrderNum maxProductOrderNum maxPositionNum
      posLimit fundInterval supportMarginCoins launchTime offTime limitOpenTime maintainTime isRegional userMinBorrow isRealWorldAsset
      fees { maker taker } precision { price quantity quote } orderSize { min max maxMarket minAmount step } priceLimits { buy sell }
      leverage { min max } maxLeverage { crossed } riskRatios { warning } borrowable { isIsolatedBaseBorrowable } delivery { time }
    } }`);
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

  it.each([
    ["SPOT", "BTCUSDT", "spotSymbols", ["0.01", "0.000001"]],
    ["MARGIN", "BTCUSDT", "marginPairs", ["0.01", "0.000001"]],
    ["USDT_FUTURES", "BTCUSDT", "instruments", ["0.1", "0.0001"]],
    ["COIN_FUTURES", "BTCUSD", "instruments", ["0.1", "0.0001"]],
  ])("have fees, tick and step in %s, and every list is read once for all of them", async (category, symbol, list, steps) => {
    const { data, reads } = await live.answer(
      `query ($category: ProductCategoryInput!) { instruments(category: $category) {
        symbol priceMultiplier orderSize { step } fees { maker taker } posLimit supportMarginCoins
      } }`,
      { category },
    );
    const contracts = category.endsWith("FUTURES") ? ["classicContracts"] : [];
    expect(listsIn(reads)).toEqual([...new Set(["instruments", list, ...contracts])].sort());
    for (const row of data.instruments)
      expect(row).toMatchObject({ priceMultiplier: AMOUNT, fees: { maker: AMOUNT, taker: AMOUNT } });
    const one = data.instruments.find((row: { symbol: string }) => row.symbol === symbol);
    expect([one.priceMultiplier, one.orderSize.step]).toEqual(steps);
    const contractFields = { posLimit: AMOUNT, supportMarginCoins: [category === "COIN_FUTURES" ? "BTC" : "USDT"] };
    expect(one).toMatchObject(contracts.length === 0 ? { posLimit: null, supportMarginCoins: null } : contractFields);
  });
});

describe("tickers", () => {
  it("show a futures symbol's last 24 hours", async () => {
    const { data } = await live.answer(`{ ticker(category: USDT_FUTURES, symbol: "BTCUSDT") {
      category symbol lastPrice openPrice24h highPrice24h lowPrice24h change24h volume24h turnover24h bid1Price bid1Qty ask1Price
      ask1Qty indexPrice markPrice fundingRate openInterest deliveryStartTime deliveryTime deliveryStatus deliveryStatusRaw time
      instrument { symbol category }
    } }`);
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

  it("of margin are its pairs at the prices of spot, from the same call", async () => {
    const { data, reads } = await live.run(
      `{ all: tickers(category: MARGIN) { category symbol lastPrice } pairs: instruments(category: MARGIN) { symbol }
        some: tickers(category: MARGIN, symbols: ["btcusdt", "SHIBUSDT"]) { id category symbol }
        margin: ticker(category: MARGIN, symbol: "btcusdt") { id category lastPrice }
        none: ticker(category: MARGIN, symbol: "SHIBUSDT") { symbol }
        spot: ticker(category: SPOT, symbol: "BTCUSDT") { id category lastPrice } }`,
    );
    const pairs = data.pairs.map(({ symbol }: { symbol: string }) => symbol);
    expect(pairs.length).toBeGreaterThan(5);
    expect(data.all.map(({ symbol }: { symbol: string }) => symbol).sort()).toEqual([...pairs].sort());
    expect(new Set(data.all.map(({ category }: { category: string }) => category))).toEqual(new Set(["MARGIN"]));
    expect(data.some).toEqual([{ id: data.margin.id, category: "MARGIN", symbol: "BTCUSDT" }]);
    expect(data.margin).toMatchObject({ category: "MARGIN", lastPrice: data.spot.lastPrice });
    expect(data.none).toBeNull();
    expect(data.margin.id).not.toBe(data.spot.id);
    expect(listsIn(reads)).toEqual(["instruments", "tickers"]);
    const again = await live.run("query ($id: ID!) { node(id: $id) { ... on Ticker { category symbol } } }", {
      id: data.margin.id,
    });
    expect(again.data.node).toEqual({ category: "MARGIN", symbol: "BTCUSDT" });
  });

  it.each([
    ["SPOT", null, ["classicSpotTickers"]],
    ["MARGIN", null, ["classicSpotTickers", "instruments"]],
    ["USDT_FUTURES", "BTCUSDT", ["classicFuturesTickers", "fundingRates"]],
    ["COIN_FUTURES", "BTCUSD", ["classicFuturesTickers", "fundingRates"]],
  ])("are joined with midnight's price and funding in %s, with one call for each list", async (category, perpetual, lists) => {
    const { data, reads } = await live.answer(
      `query ($category: ProductCategoryInput!) { tickers(category: $category) {
        symbol lastPrice openUtc changeUtc24h turnover24h turnover24hUsdt nextFundingTime fundingRate deliveryPrice deliveryTime
      } }`,
      { category },
    );
    expect(listsIn(reads)).toEqual([...lists, "tickers"].sort());
    for (const row of data.tickers) {
      expect(row).toMatchObject({ openUtc: AMOUNT, changeUtc24h: AMOUNT, turnover24hUsdt: AMOUNT, deliveryPrice: null });
      if (row.symbol.endsWith("USDT")) expect(row.turnover24hUsdt).toBe(row.turnover24h);
      const change = exact(row.lastPrice).minus(row.openUtc).div(row.openUtc).round(5, 0);
      expect(row.changeUtc24h).toBe(change.toFixed());
      const funded = perpetual !== null && row.deliveryTime === null;
      expect(row.nextFundingTime, row.symbol).toEqual(funded ? TIME : null);
    }
    if (perpetual !== null) expect(data.tickers.map(({ symbol }: { symbol: string }) => symbol)).toContain(perpetual);
  });

  it("are read alone where nothing of that is selected", async () => {
    expect((await live.run("{ tickers(category: USDT_FUTURES) { symbol fundingRate } }")).calls).toEqual(["tickers"]);
  });

  it("are null for unquoted symbols, and omit what is not requested", async () => {
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
    const { data } = await live.answer(BOOK, { depth });
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
});

describe("candles", () => {
  const CANDLES = `query ($category: ProductCategoryInput = SPOT, $interval: CandleInterval = HOUR_1, $price: CandlePrice, $first: Int) {
    candles(category: $category, symbol: "BTCUSDT", interval: $interval, price: $price, first: $first) {
      startTime open high low close volume turnover
    }
  }`;
  const HOUR = 3_600_000;

  it("come oldest first, one per interval, the running one last", async () => {
    const { data } = await live.answer(CANDLES, { first: 5 });
    const starts = data.candles.map(({ startTime }: { startTime: string }) => Date.parse(startTime));
    expect(starts).toHaveLength(5);
    expect(starts.at(-1)).toBe(Math.floor(live.now() / HOUR) * HOUR);
    for (const [at, start] of starts.slice(1).entries()) expect(start - starts[at]).toBe(HOUR);
    for (const { open, high, low, close } of data.candles) {
      for (const price of [open, close]) expect(exact(low).lte(price) && exact(price).lte(high)).toBe(true);
    }
  });

  it.each(["MINUTE_1", "MINUTES_15", "HOURS_4", "DAY_1", "DAY_1_UTC", "WEEK_1", "MONTH_1"])(
    "take the interval %s",
    async (interval) => {
      const { data } = await live.answer(CANDLES, { interval, first: 2 });
      expect(data.candles).toHaveLength(2);
    },
  );

  it.each(["MARKET", "MARK", "INDEX"])("follow the %s price of futures", async (price) => {
    expect((await live.run(CANDLES, { category: "USDT_FUTURES", price, first: 2 })).errors).toEqual([]);
  });
});

describe("trades", () => {
  const TRADES =
    'query ($first: Int) { trades(category: USDT_FUTURES, symbol: "BTCUSDT", first: $first) { execId execLinkId price qty side sideRaw time isRPI } }';

  it.each([1, 100])("come newest first, %s of them", async (first) => {
    const { data } = await live.answer(TRADES, { first });
    expect(data.trades).toHaveLength(first);
    const times = data.trades.map(({ time }: { time: string }) => time);
    expect(times).toEqual(times.toSorted().reverse());
    expect(data.trades[0]).toMatchObject({ price: AMOUNT, qty: AMOUNT, side: expect.stringMatching(/^(BUY|SELL)$/) });
  });
});

describe("funding and tiers", () => {
  it("list the latest settlements, as many as requested", async () => {
    const { data, calls } = await live.answer(`{
      history: fundingHistory(category: USDT_FUTURES, symbol: "btcusdt", first: 3) { fundingRate time }
      all: fundingHistory(category: USDT_FUTURES, symbol: "BTCUSDT") { time }
      ticker(category: USDT_FUTURES, symbol: "BTCUSDT") { nextFundingTime }
    }`);
    expect(data.history).toEqual(new Array(3).fill({ fundingRate: AMOUNT, time: TIME }));
    const next = Date.parse(data.ticker.nextFundingTime);
    const hours = data.history.map(({ time }: { time: string }) => (next - Date.parse(time)) / 3_600_000);
    expect(hours).toEqual([8, 16, 24]);
    expect(data.all).toHaveLength(100);
    expect(calls.filter((call) => call === "fundingHistory")).toHaveLength(2);
  });

  it("show what leverage a position of which value may have", async () => {
    const { data } = await live.answer(
      '{ positionTiers(category: USDT_FUTURES, symbol: "BTCUSDT") { tier minValue maxValue leverage maintenanceMarginRate } }',
    );
    expect(data.positionTiers[0]).toEqual({
      tier: 1,
      minValue: "0",
      maxValue: "150000",
      leverage: "150",
      maintenanceMarginRate: "0.004",
    });
    for (const [at, tier] of data.positionTiers.slice(1).entries()) expect(tier.minValue).toBe(data.positionTiers[at].maxValue);
  });

  it.each(["fundingHistory", "positionTiers"])("refuse a symbol that is not listed: %s", async (field) => {
    const { errors } = await live.run(`{ ${field}(category: USDT_FUTURES, symbol: "nosuch") { __typename } }`);
    expect(errors.map(({ message, path }) => [message, path])).toEqual([
      ["symbol must be a symbol of USDT_FUTURES; there is no NOSUCH", [field]],
    ]);
  });
});
