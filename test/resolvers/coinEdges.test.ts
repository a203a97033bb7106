import { describe, expect, it } from "vitest";
import { sharedGraph } from "./support/sharedGraph.js";

const live = sharedGraph();

const ask = async (document: string) => {
  const { data, calls } = await live.while(live.answer(document));
  return { data, of: (endpoint: string) => calls.filter((call) => call === endpoint).length };
};

describe("coins", () => {
  it("have loan terms, or null if they can be neither borrowed nor pledged", async () => {
    const { data } = await ask("{ coins { loanTerms { loan { coin } pledge { coin } } } }");
    const terms = data.coins.map(({ loanTerms }: { loanTerms: object | null }) => loanTerms);
    expect(terms).toContain(null);
    expect(terms).not.toContainEqual({ loan: null, pledge: null });
    expect(terms).toContainEqual({ loan: { coin: "BTC" }, pledge: { coin: "BTC" } });
  });

  it.each(["main", "classic"])(
    "are led to by the balances of %s, with one call, and lead to instruments and terms",
    async (name) => {
      const coin =
        "coinListing { coin chains { chain } instruments(category: SPOT) { baseCoin } loanTerms { loan { coin } pledge { coin } } }";
      const { data, of } = await ask(
        `{ account(name: "${name}") { balances { coin ${coin} } } loanTerms { loanCoins { coin } } }`,
      );
      const found = data.account.balances.filter(({ coinListing }: { coinListing: object | null }) => coinListing !== null);
      expect(found.length).toBeGreaterThan(2);
      const loanable = new Set(data.loanTerms.loanCoins.map((one: { coin: string }) => one.coin));
      for (const { coin, coinListing } of found) {
        expect(coinListing.coin).toBe(coin);
        expect(coinListing.loanTerms?.loan ?? null).toEqual(loanable.has(coin) ? { coin } : null);
        for (const { baseCoin } of coinListing.instruments) expect(baseCoin).toBe(coin);
      }
      expect(
        found.some(({ coinListing }: { coinListing: { instruments: object[] } }) => coinListing.instruments.length > 0),
      ).toBe(true);
      // The second account finds them in the cache.
      expect([of("coins") <= 1, of("loanCoins") <= 1]).toEqual([true, true]);
    },
  );

  it("lead to the savings products that are on offer to an account, with one call for any coins", async () => {
    const { data, of } =
      await ask(`{ coins(coins: ["USDT", "BTC"]) { coin savingsProducts(account: "classic") { coin account { name } } }
      coin(coin: "ETH") { savingsProducts(account: "nobody") { coin } }
      account(name: "classic") { earn { savings { products(filter: ALL) { coin } } } } }`);
    for (const { coin, savingsProducts } of data.coins) {
      const offered = data.account.earn.savings.products.filter((one: { coin: string }) => one.coin === coin);
      expect(offered.length).toBeGreaterThan(0);
      expect(savingsProducts).toEqual(offered.map(() => ({ coin, account: { name: "classic" } })));
    }
    expect(data.coin.savingsProducts).toEqual([]);
    expect(of("savingsProducts")).toBe(1);
  });

  it("have the open interest of any number of instruments with one call per category, and none on spot", async () => {
    const edge = "symbol openInterest { symbol }";
    const { data, of } = await ask(`{ a: instruments(category: USDT_FUTURES, symbols: ["BTCUSDT", "ETHUSDT"]) { ${edge} }
      b: instruments(category: SPOT, symbols: ["BTCUSDT"]) { ${edge} } }`);
    for (const { symbol, openInterest } of data.a) expect(openInterest).toEqual({ symbol });
    expect(data.b).toEqual([{ symbol: "BTCUSDT", openInterest: null }]);
    expect(of("openInterests")).toBe(1);
  });
});

it("instruments lead to the market data that the queries of it have, with the same calls", async () => {
  const at = 'category: USDT_FUTURES, symbol: "BTCUSDT"';
  const parts = {
    candles: ["first: 3, interval: MINUTE_1", "start close"],
    orderBook: ["depth: 5", "bids { price qty } asks { price }"],
    trades: ["first: 5", "execId price"],
    fundingHistory: ["first: 5", "time fundingRate"],
  };
  const edges = Object.entries(parts).map(([field, [args, fields]]) => `${field}(${args}) { ${fields} }`);
  const roots = Object.entries(parts).map(([field, [args, fields]]) => `${field}(${at}, ${args}) { ${fields} }`);
  const { data, of } = await ask(`{ instrument(${at}) { ${edges.join(" ")} tiers { tier leverage } } ${roots.join(" ")}
    positionTiers(${at}) { tier leverage } account(name: "main") { positions(category: USDT_FUTURES, symbol: "BTCUSDT") { tiers { tier leverage } } } }`);
  const { instrument, positionTiers, account, ...market } = data;
  expect({ ...instrument, tiers: undefined }).toEqual({ ...market, tiers: undefined });
  expect(instrument.trades).toHaveLength(5);
  expect(instrument.tiers).toEqual(positionTiers);
  expect(account.positions).toEqual([{ tiers: positionTiers }]);
  expect([of("candles"), of("orderBook"), of("publicTrades"), of("fundingHistory"), of("positionTiers")]).toEqual([
    1, 1, 1, 1, 1,
  ]);
});

it("spot symbols and margin pairs lead to their instruments and tickers, with one call for each list", async () => {
  const edge = "symbol instrument { category symbol } ticker { category symbol }";
  const { data, of } = await ask(
    `{ spotSymbols(symbols: ["BTCUSDT", "ETHUSDT"]) { ${edge} } marginPairs(symbols: ["BTCUSDT"]) { ${edge} } }`,
  );
  for (const [list, category] of [
    ["spotSymbols", "SPOT"],
    ["marginPairs", "MARGIN"],
  ] as const) {
    expect(data[list].length).toBeGreaterThan(0);
    for (const { symbol, instrument, ticker } of data[list])
      expect([instrument, ticker]).toEqual([
        { category, symbol },
        { category, symbol },
      ]);
  }
  expect(of("tickers")).toBe(1);
});
