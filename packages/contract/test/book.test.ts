import { describe, expect, it } from "vitest";
import { classicFuturesOrderBook, classicSpotOrderBook, orderBook } from "../src/book.js";
import samples from "./samples/book.json" with { type: "json" };

const BOOK = samples.BOOK;

describe("order books", () => {
  it("read the same from either API version, zeros at the end left out", () => {
    const asks = [["64250.10", "0.8821"]];
    const bids = [
      ["64250", "3.1204"],
      ["64249.9", "0.05"],
    ];
    expect(orderBook.data.decode({ a: asks, b: bids, ts: "1767225600400" })).toEqual(BOOK);
    expect(classicSpotOrderBook.data.decode({ asks, bids, ts: "1767225600400" })).toEqual(BOOK);
  });

  it("read levels of bare numbers, exponents included", () => {
    expect(orderBook.data.decode({ a: [[64250.5, 1e-7]], b: [], ts: 1767225600400 }).asks).toEqual([
      { price: "64250.5", qty: "0.0000001" },
    ]);
  });

  it("have empty sides where the exchange sends none", () => {
    expect(orderBook.data.decode({ a: null, b: [], ts: "1767225600400" })).toMatchObject({ asks: [], bids: [] });
  });

  it("name the level that breaks the contract", () => {
    const wire = { a: [["1", "2"], ["1"]], b: [], ts: "1767225600400" };
    expect(() => orderBook.data.decode(wire)).toThrow("data.a[1].qty: expected a decimal number");
  });

  it("carry their scale where levels are merged", () => {
    const wire = { asks: [], bids: [], ts: "1767225600400", scale: "0.1", precision: "scale0", isMaxPrecision: "NO" };
    expect(classicFuturesOrderBook.data.decode(wire)).toEqual({
      asks: [],
      bids: [],
      time: 1_767_225_600_400,
      scale: "0.1",
      precision: "scale0",
      isMaxPrecision: false,
    });
  });
});
