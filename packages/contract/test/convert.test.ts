import { describe, expect, it } from "vitest";
import { conversion, convertQuote, convertRecords, QUOTE_VALIDITY_MS, quotation } from "../src/convert.js";
import samples from "./samples/convert.json" with { type: "json" };
import { refused } from "./support/refused.js";
import { renamed } from "./support/renamed.js";

const QUOTE = samples.QUOTE;

const NAMES = { fromCoinSize: "fromAmount", toCoinSize: "toAmount", cnvtPrice: "price" };

describe("convert", () => {
  it("reads an amount that comes as a bare number", () => {
    expect(quotation.decode(QUOTE)).toEqual({ ...renamed(QUOTE, NAMES), fromAmount: "100" });
    expect(quotation.decode({ ...QUOTE, fromCoinSize: 1e-7 }).fromAmount).toBe("0.0000001");
  });

  it("keeps every documented field of a conversion", () => {
    const wire = { ts: "1767225603990", cnvtPrice: "0.0000155642", toCoinSize: "0.00155642", toCoin: "BTC" };
    const { ts: _, ...kept } = wire;
    expect(conversion.decode(wire)).toEqual({ ...renamed(kept, NAMES), createdTime: 1767225603990 });
  });

  it("turns `dataList` and `endId` into a page", () => {
    const { traceId: id, ...sides } = QUOTE;
    expect(convertRecords.data.decode({ dataList: [{ id, ts: "1767225603990", ...sides }], endId: id })).toEqual({
      list: [{ id, createdTime: 1767225603990, ...renamed(sides, NAMES), fromAmount: "100" }],
      cursor: id,
    });
  });

  it("quotes for eight seconds", () => {
    expect(QUOTE_VALIDITY_MS).toBe(8_000);
  });
});

describe("what convert asks by", () => {
  const PAIR = { fromCoin: "USDT", toCoin: "BTC" };

  it("quotes for one of the two amounts: not for both, not for none", () => {
    expect(refused(convertQuote, { ...PAIR, fromCoinSize: "100" })).toEqual([]);
    expect(refused(convertQuote, { ...PAIR, toCoinSize: "0.1" })).toEqual([]);
    expect(refused(convertQuote, { ...PAIR, fromCoinSize: "100", toCoinSize: "0.1" })).toEqual(["toCoinSize"]);
    expect(refused(convertQuote, PAIR)).toEqual(["fromCoinSize"]);
  });
});
