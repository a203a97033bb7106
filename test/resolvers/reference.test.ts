import { describe, expect, it } from "vitest";
import { sharedGraph } from "./support/sharedGraph.js";

const live = sharedGraph({ hasPast: false });

const AMOUNT = expect.stringMatching(/^\d+(\.\d+)?$/);

describe("reference data", () => {
  it("shows a spot symbol with its rules", async () => {
    const { data } = await live.answer(`{ spotSymbol(symbol: "BTCUSDT") {
      id symbol baseCoin quoteCoin status statusRaw maxOpenOrders isRegional offTime openTime
      fees { maker taker } precision { price quantity quote } orderSize { min max minUsdt } priceLimits { buy sell }
    } }`);
    expect(data.spotSymbol).toEqual({
      id: expect.any(String),
      symbol: "BTCUSDT",
      baseCoin: "BTC",
      quoteCoin: "USDT",
      status: "ONLINE",
      statusRaw: "online",
      maxOpenOrders: expect.any(Number),
      isRegional: false,
      offTime: null,
      openTime: expect.toSatisfy((time: unknown) => time === null || typeof time === "string"),
      fees: { maker: AMOUNT, taker: AMOUNT },
      precision: { price: expect.any(Number), quantity: expect.any(Number), quote: expect.any(Number) },
      orderSize: { min: AMOUNT, max: AMOUNT, minUsdt: AMOUNT },
      priceLimits: { buy: AMOUNT, sell: AMOUNT },
    });
  });

  it("shows a margin pair with its rules", async () => {
    const { data } = await live.answer(`{ marginPairs(symbols: ["BTCUSDT"]) {
      symbol baseCoin quoteCoin status statusRaw userMinBorrow
      fees { maker taker } precision { price quantity quote } orderSize { min max minUsdt }
      maxLeverage { crossed isolated } riskRatios { warning liquidation } borrowable { isIsolatedBaseBorrowable isIsolatedQuoteBorrowable isCrossBorrowable }
    } }`);
    expect(data.marginPairs).toEqual([
      {
        symbol: "BTCUSDT",
        baseCoin: "BTC",
        quoteCoin: "USDT",
        status: "TRADABLE",
        statusRaw: "1",
        userMinBorrow: AMOUNT,
        fees: { maker: AMOUNT, taker: AMOUNT },
        precision: { price: expect.any(Number), quantity: expect.any(Number), quote: null },
        orderSize: { min: AMOUNT, max: AMOUNT, minUsdt: AMOUNT },
        maxLeverage: { crossed: AMOUNT, isolated: AMOUNT },
        riskRatios: { warning: AMOUNT, liquidation: AMOUNT },
        borrowable: { isIsolatedBaseBorrowable: true, isIsolatedQuoteBorrowable: true, isCrossBorrowable: true },
      },
    ]);
  });

  it("shows discount tiers that join without a gap, the top one without an end", async () => {
    const { data } = await live.answer(
      '{ discountRates(coins: ["btc"]) { coin userLimit totalLimit tiers { tier minAmount maxAmount discountRate } } }',
    );
    const [{ coin, tiers }] = data.discountRates;
    expect(coin).toBe("BTC");
    expect(tiers.map(({ tier }: { tier: number }) => tier)).toEqual(tiers.map((_: unknown, at: number) => at + 1));
    expect(tiers.slice(1).map(({ minAmount }: { minAmount: string }) => minAmount)).toEqual(
      tiers.slice(0, -1).map(({ maxAmount }: { maxAmount: string }) => maxAmount),
    );
    expect(tiers.at(-1).maxAmount).toBeNull();
  });

  it("groups the fund flow by investor, all twelve figures of it", async () => {
    const flow = "{ buyVolume sellVolume buyRatio sellRatio }";
    const { data, calls } = await live.answer(
      `{ spotFundFlow(symbol: "BTCUSDT", period: HOUR_1) { whale ${flow} dolphin ${flow} fish ${flow} } }`,
    );
    expect(calls).toEqual(["spotFundFlow"]);
    const figures = { buyVolume: AMOUNT, sellVolume: AMOUNT, buyRatio: AMOUNT, sellRatio: AMOUNT };
    expect(data.spotFundFlow).toEqual({ whale: figures, dolphin: figures, fish: figures });
  });

  it.each(["MINUTES_15", "MINUTES_30", "HOUR_1", "HOURS_2", "HOURS_4", "DAY_1"])(
    "takes the fund flow period %s",
    async (period) => {
      await live.answer(`{ spotFundFlow(symbol: "BTCUSDT", period: ${period}) { fish { buyRatio } } }`);
    },
  );

  it("answers all lookups of pairs with one call, in any letter case", async () => {
    live.exchange.reader.drop(undefined, ["spotSymbols"]);
    const { data, calls } = await live.run(`{
      all: spotSymbols { symbol }
      some: spotSymbols(symbols: ["ethusdt", "BTCUSDT", "NONESUCH"]) { symbol }
      one: spotSymbol(symbol: "solusdt") { symbol }
      none: spotSymbol(symbol: "NONESUCH") { symbol }
      nothing: spotSymbols(symbols: []) { symbol }
    }`);
    expect(data.all.length).toBeGreaterThanOrEqual(12);
    expect(data.some.map(({ symbol }: { symbol: string }) => symbol).toSorted()).toEqual(["BTCUSDT", "ETHUSDT"]);
    expect([data.one, data.none, data.nothing]).toEqual([{ symbol: "SOLUSDT" }, null, []]);
    expect(calls).toEqual(["spotSymbols"]);
  });

  it("accepts at most a thousand names", async () => {
    const document = "query ($symbols: [String!]) { spotSymbols(symbols: $symbols) { symbol } }";
    const names = Array.from({ length: 1_001 }, (_, at) => `X${at}`);
    expect((await live.run(document, { symbols: names.slice(1) })).errors).toEqual([]);
    const { errors } = await live.run(document, { symbols: names });
    expect(errors.map((error) => [error.message, error.extensions.code])).toEqual([
      ["symbols must not have more than 1000 entries", "BAD_USER_INPUT"],
    ]);
  });
});
