import { beforeEach, describe, expect, it } from "vitest";
import { RequestReads } from "../../../../src/datasources/index.js";
import { exchangeOver } from "../../../support/exchangeOver.js";
import { scriptedExchange } from "../../../support/scriptedExchange.js";
import { startedForEach } from "../../../support/started.js";

const TICKERS = "/api/v3/market/tickers";
const INSTRUMENTS = "/api/v3/market/instruments";
const SPOT_SYMBOLS = "/api/v2/spot/public/symbols";

const tickerOf = (symbol: string, lastPrice: string) => ({ symbol, lastPrice, ts: "1767225600000" });
const instrumentOf = (symbol: string) => ({ symbol, baseCoin: "BTC", quoteCoin: "USDT", status: "online" });

describe("the loaders of a request", () => {
  const upstream = startedForEach(scriptedExchange);
  const exchange = startedForEach(async () => exchangeOver(upstream.url));
  let reads: RequestReads;
  beforeEach(() => {
    reads = new RequestReads(exchange);
    upstream.on(TICKERS, ({ query }) => ({
      data:
        query.get("category") === "SPOT"
          ? [tickerOf("BTCUSDT", "64000"), tickerOf("ETHUSDT", "3000.5"), tickerOf("NEWUSDT", "0"), tickerOf("QUIETUSDT", "")]
          : Array.from({ length: 50 }, (_, at) => tickerOf(`C${at}USDT`, String(at + 1))),
    }));
    upstream.on(INSTRUMENTS, ({ query }) => ({ data: [instrumentOf(`IN-${query.get("category")}`)] }));
    upstream.on(SPOT_SYMBOLS, { data: [] });
  });

  it("join fifty positions to their tickers with one call", async () => {
    const symbols = Array.from({ length: 50 }, (_, at) => `C${at}USDT`);
    const first = await Promise.all(symbols.map((symbol) => reads.loaders.ticker("USDT-FUTURES", symbol)));
    expect(first.map((ticker) => ticker?.lastPrice)).toEqual(symbols.map((_, at) => String(at + 1)));
    await reads.loaders.ticker("USDT-FUTURES", "C7USDT");
    expect(upstream.callsOf(TICKERS).map(({ target }) => target)).toEqual([`${TICKERS}?category=USDT-FUTURES`]);
  });

  it("say under which category a row was listed, each category by itself", async () => {
    const found = await Promise.all(
      (["SPOT", "MARGIN", "COIN-FUTURES"] as const).map((category) => reads.loaders.instrument(category, `in-${category}`)),
    );
    expect(found.map((row) => row?.category)).toEqual(["SPOT", "MARGIN", "COIN-FUTURES"]);
    expect(upstream.callsOf(INSTRUMENTS)).toHaveLength(3);
  });

  it("quote margin pairs as spot, with spot's one call", async () => {
    upstream.on(INSTRUMENTS, { data: [instrumentOf("BTCUSDT")] });
    const { loaders } = reads;
    const [margin, spot, none, market] = await Promise.all([
      loaders.ticker("MARGIN", "btcusdt"),
      loaders.ticker("SPOT", "BTCUSDT"),
      loaders.ticker("MARGIN", "ETHUSDT"),
      loaders.marketTicker("MARGIN", "ETHUSDT"),
      loaders.usdtPrice("ETH"),
    ]);
    expect(margin).toEqual({ ...spot, category: "MARGIN" });
    expect(spot?.category).toBe("SPOT");
    expect([none, market?.lastPrice]).toEqual([null, "3000.5"]);
    expect(upstream.callsOf(TICKERS)).toHaveLength(1);
    expect(upstream.callsOf(INSTRUMENTS).map(({ target }) => target)).toEqual([`${INSTRUMENTS}?category=MARGIN`]);
  });

  it.each([
    ["btc", "64000"],
    ["ETH", "3000.5"],
    ["USDT", "1"],
    ["USDC", null],
    ["NEW", null],
    ["QUIET", null],
  ])("price %s at %s USDT", async (coin, price) => {
    expect(await reads.loaders.usdtPrice(coin)).toBe(price);
  });

  it("price USDT without an upstream call", async () => {
    await reads.loaders.usdtPrice("USDT");
    expect(upstream.calls).toEqual([]);
  });

  it("know nothing of a category that the exchange has just invented", async () => {
    expect(await reads.loaders.instrument("UNKNOWN", "BTCUSDT")).toBeNull();
    expect(await reads.loaders.ticker("UNKNOWN", "BTCUSDT")).toBeNull();
    expect(upstream.calls).toEqual([]);
  });

  it("answer null for what is not listed, and an error where the list cannot be read", async () => {
    expect(await reads.loaders.spotSymbol("NOPEUSDT")).toBeNull();
    upstream.on(TICKERS, { code: "40034", msg: "Parameter category does not exist" });
    await expect(new RequestReads(exchange).loaders.ticker("USDC-FUTURES", "BTCPERP")).rejects.toThrow("40034");
  });
});
