import { describe, expect, it } from "vitest";
import { BOOK_CHANNELS, CLASSIC_BOOK_CHANNELS, RPI_BOOK_CHANNELS } from "../../src/channels/book.js";
import { classicCandleChannel, klineChannel } from "../../src/channels/candle.js";
import { liquidationChannel } from "../../src/channels/liquidation.js";
import { classicTradeChannel, publicTradeChannel } from "../../src/channels/publicTrade.js";
import { classicTickerChannel, tickerChannel } from "../../src/channels/ticker.js";
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
    const record = {
      highPrice24h: "65010.0",
      lowPrice24h: "63120.4",
      openPrice24h: "63880.1",
      lastPrice: "64250.1",
      turnover24h: "1830211954.21",
      volume24h: "28541.2207",
      bid1Price: "64250.0",
      ask1Price: "64250.1",
      bid1Size: "3.1204",
      ask1Size: "0.8821",
      price24hPcnt: "0.00579",
      indexPrice: "64248.7",
      markPrice: "64250.0",
      fundingRate: "0.000071",
      nextFundingTime: "1767254400000",
      openInterest: "41203.5512",
      deliveryTime: "",
      deliveryStartTime: "",
      deliveryStatus: "",
      platformTurnover24h: "12.5",
    };
    expect(pushed(tickerChannel, FUTURES, { data: [record], arg, action: "snapshot", ts: 1767225600123 })).toEqual([
      {
        symbol: "BTCUSDT",
        lastPrice: "64250.1",
        openPrice24h: "63880.1",
        highPrice24h: "65010",
        lowPrice24h: "63120.4",
        change24h: "0.00579",
        volume24h: "28541.2207",
        turnover24h: "1830211954.21",
        turnover24hUsdt: null,
        bid1Price: "64250",
        bid1Qty: "3.1204",
        ask1Price: "64250.1",
        ask1Qty: "0.8821",
        indexPrice: "64248.7",
        markPrice: "64250",
        fundingRate: "0.000071",
        openInterest: "41203.5512",
        deliveryStartTime: null,
        deliveryTime: null,
        deliveryStatus: null,
        deliveryStatusRaw: null,
        time: 1_767_225_600_123,
        nextFundingTime: 1_767_254_400_000,
        openUtc: null,
        changeUtc24h: null,
        contractKind: null,
        contractKindRaw: null,
        deliveryPrice: null,
        platformTurnover24h: "12.5",
      },
    ]);
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
    const frame = {
      action: "snapshot",
      arg: { instType: "SPOT", channel: "ticker", instId: "BTCUSDT" },
      data: [
        {
          instId: "BTCUSDT",
          lastPr: "64251.20",
          open24h: "63880.00",
          high24h: "65020.00",
          low24h: "63110.00",
          change24h: "0.00581",
          bidPr: "64251.19",
          askPr: "64251.20",
          bidSz: "0.410021",
          askSz: "1.220144",
          baseVolume: "5120.331214",
          quoteVolume: "329104002.18",
          openUtc: "63990.10",
          changeUtc24h: "0.00408",
          ts: "1767225600120",
        },
      ],
      ts: 1767225600122,
    };
    expect(pushed(classicTickerChannel, SPOT, frame)).toMatchObject([
      {
        symbol: "BTCUSDT",
        lastPrice: "64251.2",
        openPrice24h: "63880",
        change24h: "0.00581",
        bid1Price: "64251.19",
        ask1Qty: "1.220144",
        volume24h: "5120.331214",
        turnover24h: "329104002.18",
        openUtc: "63990.1",
        changeUtc24h: "0.00408",
        time: 1_767_225_600_120,
      },
    ]);
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
    const data = [
      {
        p: "64250.1",
        S: "buy",
        T: "1767225600101",
        v: "0.0120",
        i: "1391230000000000001",
        L: "1391230000000000000",
        isRPI: "no",
      },
    ];
    const arg = { instType: "usdt-futures", symbol: "BTCUSDT", topic: "publicTrade" };
    expect(pushed(publicTradeChannel, FUTURES, { data, arg, action: "update", ts: 1 })).toEqual([
      {
        execId: "1391230000000000001",
        execLinkId: "1391230000000000000",
        price: "64250.1",
        qty: "0.012",
        side: "buy",
        sideRaw: "buy",
        time: 1_767_225_600_101,
        isRPI: false,
      },
    ]);
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
  const CANDLE = {
    startTime: 1_767_225_600_000,
    open: "64231",
    high: "64258.8",
    low: "64230.2",
    close: "64250.1",
    volume: "12.8841",
    turnover: "827722.91",
  };

  it("read the same from either API version", () => {
    const record = {
      start: "1767225600000",
      open: "64231",
      close: "64250.1",
      high: "64258.8",
      low: "64230.2",
      volume: "12.8841",
      turnover: "827722.91",
    };
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
    expect(pushed(liquidationChannel, { category: "USDT-FUTURES" }, { data, arg, action: "update", ts: 1 })).toEqual([
      {
        category: "USDT-FUTURES",
        categoryRaw: "USDT-FUTURES",
        symbol: "BTCUSDT",
        side: "buy",
        sideRaw: "buy",
        price: "63110.2",
        qty: "0.441",
        time: 1_767_225_601_002,
      },
    ]);
  });
});
