import { describe, expect, it } from "vitest";
import { marginPair, spotSymbol, spotSymbols } from "../src/pair.js";
import samples from "./samples/pair.json" with { type: "json" };
import { renamed } from "./support/renamed.js";

const { SPOT, MARGIN } = samples;

describe("spot symbols", () => {
  it("have a largest value of a limit and of a market order in newer answers", () => {
    const limits = { maxLimitOrderValue: "200000.0", maxMarketOrderValue: "100000" };
    expect(spotSymbol.decode({ ...SPOT, ...limits })).toMatchObject({ ...limits, maxLimitOrderValue: "200000" });
  });

  it("keep every documented field, and null for the newer ones that are missing", () => {
    expect(spotSymbol.decode(SPOT)).toEqual({
      ...renamed(SPOT, { orderQuantity: "maxOpenOrders" }),
      maxLimitOrderValue: null,
      maxMarketOrderValue: null,
      pricePrecision: 2,
      quantityPrecision: 4,
      quotePrecision: 6,
      maxOpenOrders: 200,
      statusRaw: "online",
      isRegional: null,
      offTime: null,
      openTime: null,
    });
  });

  it("read the newer fields where they are sent", () => {
    const wire = { ...SPOT, areaSymbol: "no", offTime: "1767225600000", openTime: "" };
    expect(spotSymbol.decode(wire)).toMatchObject({ isRegional: false, offTime: 1_767_225_600_000, openTime: null });
  });

  it.each(["offline", "gray", "online", "halt"])("know the status %s", (status) => {
    expect(spotSymbol.decode({ ...SPOT, status }).status).toBe(status);
  });

  it("decode with an undocumented status", () => {
    expect(spotSymbol.decode({ ...SPOT, status: "auction" })).toMatchObject({ status: "UNKNOWN", statusRaw: "auction" });
  });

  it("cannot do without their name alone", () => {
    expect(() => spotSymbol.decode({ ...SPOT, symbol: "" })).toThrow("data.symbol: expected text");
    expect(spotSymbol.decode({ symbol: "SOLUSDT" })).toMatchObject({ symbol: "SOLUSDT", minTradeAmount: null, status: null });
  });

  it("read an empty answer as no symbols", () => {
    expect(spotSymbols.data.decode(null)).toEqual([]);
  });
});

describe("margin pairs", () => {
  it("keep every documented field", () => {
    expect(marginPair.decode(MARGIN)).toEqual({
      ...MARGIN,
      pricePrecision: 2,
      quantityPrecision: 4,
      status: "tradable",
      statusRaw: "1",
    });
  });

  it.each([
    ["1", "tradable"],
    ["2", "maintenance"],
    [2, "maintenance"],
    ["3", "UNKNOWN"],
  ])("read the status %j as %s", (status, expected) => {
    expect(marginPair.decode({ ...MARGIN, status }).status).toBe(expected);
  });

  it("find the quote coin's flag under either key", () => {
    const { isIsolatedQuoteBorrowable: _, ...rest } = MARGIN;
    expect(marginPair.decode({ ...rest, isIsolatedQuotedBorrowable: true }).isIsolatedQuoteBorrowable).toBe(true);
    expect(marginPair.decode({ ...rest, isIsolatedQuoteBorrowable: false }).isIsolatedQuoteBorrowable).toBe(false);
  });

  it("read flags that come as text", () => {
    expect(marginPair.decode({ ...MARGIN, isBorrowable: "true", isCrossBorrowable: "NO" })).toMatchObject({
      isBorrowable: true,
      isCrossBorrowable: false,
    });
  });
});
