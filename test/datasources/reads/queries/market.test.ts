import { beforeEach, describe, expect, it } from "vitest";
import { RequestReads } from "../../../../src/datasources/index.js";
import { readInstruments } from "../../../../src/datasources/reads/queries/instruments.js";
import { readOrderBook, readTrades } from "../../../../src/datasources/reads/queries/market.js";
import { readTickers } from "../../../../src/datasources/reads/queries/tickers.js";
import { exchangeOver } from "../../../support/exchangeOver.js";
import { scriptedExchange } from "../../../support/scriptedExchange.js";
import { startedForEach } from "../../../support/started.js";

const BOOK = "/api/v3/market/orderbook";
const TRADES = "/api/v3/market/fills";

describe("market reads", () => {
  const upstream = startedForEach(scriptedExchange);
  const exchange = startedForEach(async () => exchangeOver(upstream.url));
  let reads: RequestReads;
  beforeEach(() => {
    reads = new RequestReads(exchange);
    upstream.on(BOOK, ({ query }) => {
      const levels = Array.from({ length: Number.parseInt(query.get("limit") ?? "0", 10) }, (_, at) => [String(100 + at), "1"]);
      return { data: { a: levels, b: levels, ts: "1767225600000" } };
    });
    upstream.on(TRADES, { data: [] });
    upstream.on("/api/v3/market/tickers", {
      data: ["BTCUSDT", "ETHUSDT"].map((symbol) => ({ symbol, lastPrice: "1", ts: "1767225600000" })),
    });
    upstream.on("/api/v3/market/instruments", {
      data: ["BTCUSDT", "ETHUSDT"].map((symbol) => ({ symbol, baseCoin: "B", quoteCoin: "USDT", status: "online" })),
    });
  });

  it("pick symbols out of one list, in any letter case", async () => {
    const tickers = await readTickers(reads, "MARGIN", ["ethusdt", "NOPE"]);
    expect(tickers).toMatchObject([{ symbol: "ETHUSDT", category: "MARGIN" }]);
    await readTickers(reads, "SPOT", ["BTCUSDT"]);
    const instruments = await readInstruments(reads, "MARGIN", ["BTCUSDT"]);
    expect(instruments).toMatchObject([{ symbol: "BTCUSDT", category: "MARGIN" }]);
    expect(upstream.calls.map(({ target }) => target)).toEqual([
      "/api/v3/market/tickers?category=SPOT",
      "/api/v3/market/instruments?category=MARGIN",
    ]);
  });

  it("give the same rows by reference as long as an answer is cached", async () => {
    await readInstruments(reads, "SPOT");
    const again = () => readInstruments(new RequestReads(exchange), "SPOT");
    expect(await again()).toBe(await again());
  });

  it("cut a book to the requested depth, from a depth that other requests share", async () => {
    const asked = { category: "SPOT", symbol: "BTCUSDT" } as const;
    const [ten, twelve, usual] = await Promise.all([
      readOrderBook(reads, { ...asked, depth: 10 }),
      readOrderBook(reads, { ...asked, depth: 12 }),
      readOrderBook(reads, { ...asked, depth: 50 }),
    ]);
    expect([ten.asks.length, twelve.bids.length, usual.asks.length]).toEqual([10, 12, 50]);
    expect(ten).toMatchObject({ category: "SPOT", symbol: "BTCUSDT", time: 1767225600000 });
    expect(upstream.callsOf(BOOK).map(({ query }) => query.get("limit"))).toEqual(["15", "50"]);
  });

  it.each([0, 201])("refuse a depth of %i in the client's words, and send nothing", async (depth) => {
    await expect(readOrderBook(reads, { category: "SPOT", symbol: "BTCUSDT", depth })).rejects.toThrow(
      "depth must be a whole number from 1 to 200",
    );
    expect(upstream.calls).toEqual([]);
  });

  it("read margin's trades from spot", async () => {
    await readTrades(reads, { category: "MARGIN", symbol: "BTCUSDT", first: 7 });
    expect(upstream.calls[0]?.target).toBe(`${TRADES}?category=SPOT&symbol=BTCUSDT&limit=7`);
    await expect(readTrades(reads, { category: "SPOT", symbol: "BTCUSDT", first: 101 })).rejects.toThrow("first must be");
  });
});
