import { describe, expect, it } from "vitest";
import { candles, classicFuturesCandles, classicSpotCandles } from "../src/candle.js";
import { encoded } from "../src/endpoint.js";
import { refused } from "./support/refused.js";

const NOW = 1_767_225_600_000;
const CANDLE = { startTime: NOW, open: "10", high: "12", low: "9", close: "11", volume: "100", turnover: "1050" };
const unified = { category: "SPOT", symbol: "BTCUSDT", interval: "1H" } as const;
const futures = { symbol: "BTCUSDT", productType: "USDT-FUTURES", granularity: "1H" } as const;
const spot = { symbol: "BTCUSDT", granularity: "1H" } as const;

describe("candles", () => {
  it("read the same from rows of seven and from spot's rows of eight", () => {
    const row = [String(NOW), "10", "12", "9", "11", "100", "1050"];
    expect(candles.data.decode([row])).toEqual([CANDLE]);
    expect(classicFuturesCandles.data.decode([row])).toEqual([CANDLE]);
    expect(classicSpotCandles.data.decode([[...row.slice(0, 6), "1049", "1050"]])).toEqual([CANDLE]);
  });

  it("distinguish a minute from a month", () => {
    const { interval } = candles.parameters;
    expect([interval.read("1m"), interval.read("1M")]).toEqual(["1m", "1M"]);
    expect(interval.read("1h")).toBeUndefined();
  });

  it.each([
    ["1m", "1min"],
    ["1H", "1h"],
    ["1D", "1day"],
    ["1W", "1week"],
    ["1M", "1M"],
    ["1Dutc", "1Dutc"],
  ] as const)("ask v2 spot for %s as %s", (granularity, wireName) => {
    expect(encoded(classicSpotCandles, { ...spot, granularity })).toMatchObject({ granularity: wireName });
    expect(classicSpotCandles.parameters.granularity.read(wireName)).toBe(granularity);
  });

  it("of v2 futures name the price in capitals and know no premium", () => {
    expect(encoded(classicFuturesCandles, { ...futures, kLineType: "mark" })).toMatchObject({ kLineType: "MARK" });
    expect(classicFuturesCandles.parameters.kLineType.read("INDEX")).toBe("index");
    expect(refused(classicFuturesCandles, { ...futures, kLineType: "premium" as never })).toEqual(["kLineType"]);
    expect(refused(candles, { ...unified, type: "premium" })).toEqual([]);
  });
});
