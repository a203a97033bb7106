import { describe, expect, it } from "vitest";
import { STREAMED_INTERVALS } from "../../src/channels/candle.js";
import { keyOf } from "../../src/channels/channel.js";
import { channelFor, channels } from "../../src/channels/index.js";

/** The documented subscriptions: socket, argument, our name for the channel. */
const DOCUMENTED = [
  ["v3", "public", { instType: "spot", topic: "ticker", symbol: "BTCUSDT" }, "ticker"],
  ["v3", "public", { instType: "usdt-futures", topic: "publicTrade", symbol: "BTCUSDT" }, "publicTrade"],
  ["v3", "public", { instType: "usdc-futures", topic: "kline", symbol: "BTCPERP", interval: "1m" }, "kline"],
  ["v3", "public", { instType: "coin-futures", topic: "books", symbol: "BTCUSD" }, "books"],
  ["v3", "public", { instType: "spot", topic: "books1", symbol: "BTCUSDT" }, "books1"],
  ["v3", "public", { instType: "spot", topic: "books5", symbol: "BTCUSDT" }, "books5"],
  ["v3", "public", { instType: "spot", topic: "books50", symbol: "BTCUSDT" }, "books50"],
  ["v3", "public", { instType: "spot", topic: "rpi-books", symbol: "BTCUSDT" }, "rpi-books"],
  ["v3", "public", { instType: "spot", topic: "rpi-books1", symbol: "BTCUSDT" }, "rpi-books1"],
  ["v3", "public", { instType: "spot", topic: "rpi-books5", symbol: "BTCUSDT" }, "rpi-books5"],
  ["v3", "public", { instType: "spot", topic: "rpi-books50", symbol: "BTCUSDT" }, "rpi-books50"],
  ["v3", "public", { instType: "usdt-futures", topic: "liquidation" }, "liquidation"],
  ["v3", "private", { instType: "UTA", topic: "order" }, "order"],
  ["v3", "private", { instType: "UTA", topic: "fill" }, "fill"],
  ["v3", "private", { instType: "UTA", topic: "fast-fill" }, "fastFill"],
  ["v3", "private", { instType: "UTA", topic: "account" }, "account"],
  ["v3", "private", { instType: "UTA", topic: "position" }, "position"],
  ["v3", "private", { instType: "UTA", topic: "strategy-order" }, "strategyOrder"],
  ["v2", "public", { instType: "SPOT", channel: "ticker", instId: "BTCUSDT" }, "classicTicker"],
  ["v2", "public", { instType: "SPOT", channel: "trade", instId: "BTCUSDT" }, "classicTrade"],
  ["v2", "public", { instType: "SPOT", channel: "candle1m", instId: "BTCUSDT" }, "classicCandle"],
  ["v2", "public", { instType: "USDT-FUTURES", channel: "candle5m", instId: "BTCUSDT" }, "classicCandle"],
  ["v2", "public", { instType: "USDT-FUTURES", channel: "candle2H", instId: "BTCUSDT" }, "classicCandle"],
  ["v2", "public", { instType: "USDT-FUTURES", channel: "candle8H", instId: "BTCUSDT" }, "classicCandle"],
  ["v2", "public", { instType: "SPOT", channel: "books", instId: "BTCUSDT" }, "classicBooks"],
  ["v2", "public", { instType: "SPOT", channel: "books1", instId: "BTCUSDT" }, "classicBooks1"],
  ["v2", "public", { instType: "SPOT", channel: "books5", instId: "BTCUSDT" }, "classicBooks5"],
  ["v2", "public", { instType: "SPOT", channel: "books15", instId: "BTCUSDT" }, "classicBooks15"],
  ["v2", "private", { instType: "SPOT", channel: "orders", instId: "default" }, "classicSpotOrders"],
  ["v2", "private", { instType: "USDT-FUTURES", channel: "orders", instId: "default" }, "classicFuturesOrders"],
  ["v2", "private", { instType: "SPOT", channel: "account", coin: "default" }, "classicSpotAccount"],
  ["v2", "private", { instType: "USDC-FUTURES", channel: "account", coin: "default" }, "classicFuturesAccount"],
  ["v2", "private", { instType: "USDT-FUTURES", channel: "positions", instId: "default" }, "classicPositions"],
  ["v2", "private", { instType: "USDT-FUTURES", channel: "positions-history", instId: "default" }, "classicPositionsHistory"],
  ["v2", "private", { instType: "COIN-FUTURES", channel: "equity" }, "classicEquity"],
  ["v2", "private", { instType: "SPOT", channel: "fill", instId: "default" }, "classicSpotFill"],
  ["v2", "private", { instType: "COIN-FUTURES", channel: "fill", instId: "default" }, "classicFuturesFill"],
  ["v2", "private", { instType: "SPOT", channel: "orders-algo", instId: "default" }, "classicSpotTriggerOrders"],
  ["v2", "private", { instType: "USDT-FUTURES", channel: "orders-algo", instId: "default" }, "classicPlanOrders"],
] as const;

describe("the exchange's channels as data", () => {
  it.each(DOCUMENTED)("have the %s %s subscription %j as %s, there and back", (apiVersion, access, argument, name) => {
    const channel = channelFor({ apiVersion, access }, argument);
    expect(channel?.name).toBe(name);
    const parameters = channel?.parameters(argument);
    expect(parameters && channel?.argument(parameters)).toEqual(argument);
  });

  it("have a name each, and no channel that is not documented", () => {
    const names = channels.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(new Set(names)).toEqual(new Set(DOCUMENTED.map(([, , , name]) => name)));
  });

  it("match only arguments of their own socket", () => {
    for (const [apiVersion, access, argument] of DOCUMENTED) {
      const others = [
        { apiVersion: apiVersion === "v2" ? "v3" : "v2", access },
        { apiVersion, access: access === "public" ? "private" : "public" },
      ] as const;
      for (const other of others) expect(channelFor(other, argument)).toBeUndefined();
    }
  });

  it.each([
    ["v3", "public", { instType: "margin", topic: "ticker", symbol: "BTCUSDT" }],
    ["v3", "public", { instType: "spot", topic: "ticker" }],
    ["v3", "public", { instType: "spot", topic: "books15", symbol: "BTCUSDT" }],
    ["v3", "public", { instType: "spot", topic: "kline", symbol: "BTCUSDT", interval: "1M" }],
    ["v3", "public", { instType: "spot", topic: "liquidation" }],
    ["v3", "private", { instType: "uta", topic: "order" }],
    ["v2", "public", { instType: "SPOT", channel: "candleundefined", instId: "BTCUSDT" }],
    ["v2", "public", { instType: "SPOT", channel: "books50", instId: "BTCUSDT" }],
    ["v2", "private", { instType: "USDT-FUTURES", channel: "orders", instId: "BTCUSDT" }],
  ] as const)("have none for the %s %s argument %j", (apiVersion, access, argument) => {
    expect(channelFor({ apiVersion, access }, argument)).toBeUndefined();
  });

  it("stream every interval of v3 under its own argument", () => {
    const keys = STREAMED_INTERVALS.map((interval) => keyOf({ instType: "spot", topic: "kline", symbol: "BTCUSDT", interval }));
    expect(new Set(keys).size).toBe(10);
  });
});

describe("the key of an argument", () => {
  it("does not depend on the order of its fields, nor on the letter case of the product type", () => {
    expect(keyOf({ instType: "SPOT", channel: "ticker", instId: "BTCUSDT" })).toBe(
      keyOf({ instId: "BTCUSDT", instType: "spot", channel: "ticker" }),
    );
  });

  it("distinguishes a minute from a month", () => {
    expect(keyOf({ instType: "SPOT", channel: "candle1m", instId: "BTCUSDT" })).not.toBe(
      keyOf({ instType: "SPOT", channel: "candle1M", instId: "BTCUSDT" }),
    );
  });
});
