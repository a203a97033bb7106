import { describe, expect, it } from "vitest";
import { BOOK_CHANNELS, CLASSIC_BOOK_CHANNELS, RPI_BOOK_CHANNELS } from "../../src/channels/book.js";
import { classicCandleChannel, klineChannel } from "../../src/channels/candle.js";
import { liquidationChannel } from "../../src/channels/liquidation.js";
import { classicTradeChannel, publicTradeChannel } from "../../src/channels/publicTrade.js";
import { classicTickerChannel, tickerChannel } from "../../src/channels/ticker.js";
import samples from "../samples/publicChannels.json" with { type: "json" };
import { pushed } from "./support/pushed.js";

const FUTURES = { category: "USDT-FUTURES", symbol: "BTCUSDT" } as const;
const SPOT = { category: "SPOT", symbol: "BTCUSDT" } as const;

const [books] = BOOK_CHANNELS;
const [rpiBooks] = RPI_BOOK_CHANNELS;
const [classicBooks] = CLASSIC_BOOK_CHANNELS;
if (books === undefined || rpiBooks === undefined || classicBooks === undefined) throw new Error("a book channel is missing");

describe("tickers", () => {
  it("of v3 take their symbol and time from around the record", () => {
    const arg = { instType: "usdt-futures", symbol: "BTCUSDT", topic: "ticker" };
    const record = samples["of v3 take their symbol and time from around the record: sent"];
    expect(pushed(tickerChannel, FUTURES, { data: [record], arg, action: "snapshot", ts: 1767225600123 })).toEqual(
      samples["of v3 take their symbol and time from around the record"],
    );
  });

  it.each([
    ["63110.2", "63110.2"],
    ["0", null],
    ["", null],
  ])("of v2 futures name the price of a delivery that has been: %j", (deliveryPrice, read) => {
    const arg = { instType: "COIN-FUTURES", channel: "ticker", instId: "BTCUSDH26" };
    const frame = { action: "snapshot", arg, data: [{ instId: "BTCUSDH26", deliveryPrice }], ts: 1767225600123 };
    const market = { category: "COIN-FUTURES", symbol: "BTCUSDH26" } as const;
    expect(pushed(classicTickerChannel, market, frame)).toMatchObject([{ deliveryPrice: read }]);
  });

  it("of v2 spot read as the same record", () => {
    const frame = samples["of v2 spot read as the same record: sent"];
    expect(pushed(classicTickerChannel, SPOT, frame)).toMatchObject(samples["of v2 spot read as the same record"]);
  });

  it.each([
    [1, "perpetual"],
    ["2", "delivery"],
    [3, "UNKNOWN"],
  ])("of v2 futures say which kind of contract %j is", (symbolType, contractKind) => {
    const data = [{ instId: "BTCUSDT", symbol: "BTCUSDT", lastPr: "1", holdingAmount: "5", symbolType, ts: "1767225600120" }];
    const arg = { instType: "USDT-FUTURES", channel: "ticker", instId: "BTCUSDT" };
    expect(pushed(classicTickerChannel, FUTURES, { action: "snapshot", arg, data, ts: 1 })).toMatchObject([
      { symbol: "BTCUSDT", openInterest: "5", contractKind, contractKindRaw: String(symbolType) },
    ]);
  });
});

describe("trades", () => {
  it("of v3 are spelt out", () => {
    const data = samples["of v3 are spelt out: sent"];
    const arg = { instType: "usdt-futures", symbol: "BTCUSDT", topic: "publicTrade" };
    expect(pushed(publicTradeChannel, FUTURES, { data, arg, action: "update", ts: 1 })).toEqual(samples["of v3 are spelt out"]);
  });

  it("of v2 read as the same record", () => {
    const data = [{ ts: "1767225600101", price: "64251.20", size: "0.0130", side: "sell", tradeId: "1391230000000000501" }];
    const arg = { instType: "SPOT", channel: "trade", instId: "BTCUSDT" };
    expect(pushed(classicTradeChannel, SPOT, { action: "update", arg, data, ts: 1 })).toMatchObject([
      { execId: "1391230000000000501", execLinkId: null, price: "64251.2", qty: "0.013", side: "sell", isRPI: null },
    ]);
  });
});

describe("candles", () => {
  const CANDLE = samples.candles;

  it("read the same from either API version", () => {
    const record = samples["read the same from either API version: sent"];
    const row = ["1767225600000", "64231.0", "64258.8", "64230.2", "64250.1", "12.8841", "827722.91", "827722.99"];
    const arg = { instType: "usdt-futures", interval: "1m", symbol: "BTCUSDT", topic: "kline" };
    const classicArg = { instType: "USDT-FUTURES", channel: "candle1m", instId: "BTCUSDT" };
    const market = { ...FUTURES, interval: "1m" } as const;
    expect(pushed(klineChannel, market, { data: [record], arg, action: "update", ts: 1 })).toEqual([CANDLE]);
    expect(pushed(classicCandleChannel, market, { data: [row], arg: classicArg, action: "update", ts: 1 })).toEqual([CANDLE]);
  });
});

describe("streamed books", () => {
  const arg = { instType: "usdt-futures", symbol: "BTCUSDT", topic: "books" };

  it("keep their price texts and every digit of their sequence", () => {
    const frame =
      '{"data":[{"a":[["64250.50","0"]],"b":[["64250.0","3.0704"]],"pseq":1391230000000000123,"seq":1391230000000000125,"maxDepth":"50","ts":"1767225600268"}],"arg":{"instType":"usdt-futures","symbol":"BTCUSDT","topic":"books"},"action":"update","ts":1767225600269}';
    expect(pushed(books, FUTURES, frame)).toEqual([
      {
        asks: [["64250.50", "0"]],
        bids: [["64250.0", "3.0704"]],
        seq: 1391230000000000125n,
        pseq: 1391230000000000123n,
        checksum: null,
        time: 1_767_225_600_268,
      },
    ]);
  });

  it("have three parts per level where RPI orders are shown", () => {
    const data = [
      { a: [["64250.1", "0.8821", "0.1000"]], b: [["64250.0", "3.1204", "0"]], checksum: 0, pseq: 0, seq: 7, ts: "1" },
    ];
    expect(pushed(rpiBooks, FUTURES, { data, arg, action: "snapshot", ts: 1 })).toMatchObject([
      { asks: [["64250.1", "0.8821", "0.1000"]], bids: [["64250.0", "3.1204", "0"]], seq: 7n, pseq: 0n },
    ]);
  });

  it("of v2 have other keys, a checksum and no number of the message before", () => {
    const data = [{ asks: [["64250.2", "1.204"]], bids: [], checksum: 1091096496, seq: 5, ts: "1767225600118" }];
    expect(pushed(classicBooks, FUTURES, { data, arg, action: "snapshot", ts: 1 })).toMatchObject([
      { asks: [["64250.2", "1.204"]], bids: [], checksum: 1_091_096_496, seq: 5n, pseq: null },
    ]);
  });

  it.each([
    ["a size that is no number", [["1", "x"]], "data[0].a[0][1]: expected a decimal number"],
    ["a negative size", [["1", "-1"]], "data[0].a[0][1]: expected a decimal number"],
    ["a level that is no row", ["1"], "data[0].a[0]: expected a row"],
  ])("refuse %s", (_, a, message) => {
    const wire = { data: [{ a, b: [], seq: 1, ts: "1" }], arg, action: "update", ts: 1 };
    expect(() => pushed(books, FUTURES, wire)).toThrow(message);
  });

  it("refuse a sequence that is no whole number", () => {
    const wire = { data: [{ a: [], b: [], seq: "1.5", ts: "1" }], arg, action: "update", ts: 1 };
    expect(() => pushed(books, FUTURES, wire)).toThrow("data[0].seq: expected a sequence number");
  });

  it("send changes in the full tier alone", () => {
    for (const { tier, continues, opens } of [...BOOK_CHANNELS, ...RPI_BOOK_CHANNELS, ...CLASSIC_BOOK_CHANNELS]) {
      expect(opens).toBe("snapshot");
      expect(continues).toBe(tier === "full" ? "update" : "snapshot");
    }
  });
});

describe("liquidations", () => {
  it("name their symbol, and their category follows from the subscription", () => {
    const data = [{ symbol: "BTCUSDT", side: "buy", price: "63110.2", amount: "0.4410", ts: "1767225601002" }];
    const arg = { instType: "usdt-futures", topic: "liquidation" };
    expect(pushed(liquidationChannel, { category: "USDT-FUTURES" }, { data, arg, action: "update", ts: 1 })).toEqual(
      samples["name their symbol, and their category follows from the subscription"],
    );
  });
});
