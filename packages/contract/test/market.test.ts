import { describe, expect, it } from "vitest";
import { encoded } from "../src/endpoint.js";
import { discountRate, discountRates, serverTime, spotFundFlow, spotFundFlowRecord } from "../src/market.js";
import samples from "./samples/market.json" with { type: "json" };
import { refused } from "./support/refused.js";

describe("discount rates", () => {
  it("end their top tier nowhere", () => {
    const wire = samples["end their top tier nowhere: sent"];
    expect(discountRate.decode(wire)).toEqual({
      coin: "SOL",
      userLimit: "2000",
      totalLimit: "750000",
      tiers: [
        { tier: 1, minAmount: "0", maxAmount: "150.5", discountRate: "0.95" },
        { tier: 2, minAmount: "150.5", maxAmount: null, discountRate: "0.9" },
      ],
    });
  });

  it("read a coin without tiers", () => {
    expect(discountRate.decode({ coin: "X", userLimit: "0", totalLimit: "0", discountRateList: null }).tiers).toEqual([]);
  });

  it("take no parameters", () => {
    expect(refused(discountRates, {})).toEqual([]);
  });
});

describe("spot fund flow", () => {
  const classes = ["whale", "dolphin", "fish"];
  const figures = ["BuyVolume", "SellVolume", "BuyRatio", "SellRatio"];
  const wire = Object.fromEntries(
    classes.flatMap((size, row) => figures.map((figure, column) => [`${size}${figure}`, `0.${row}${column}1`])),
  );

  it("keeps its twelve figures apart", () => {
    expect(Object.keys(wire)).toHaveLength(12);
    expect(spotFundFlowRecord.decode(wire)).toEqual(wire);
  });

  it("can be requested without parameters, as documented", () => {
    expect(refused(spotFundFlow, {})).toEqual([]);
    expect(encoded(spotFundFlow, {})).toEqual({});
  });

  it("assumes 15 minutes and takes the six listed periods", () => {
    expect(spotFundFlow.parameters.period.fallback).toBe("15m");
    for (const period of ["15m", "30m", "1h", "2h", "4h", "1d"] as const)
      expect(refused(spotFundFlow, { symbol: "BTCUSDT", period })).toEqual([]);
    expect(refused(spotFundFlow, { symbol: "BTCUSDT", period: "6h" as never })).toEqual(["period"]);
  });

  it("is not fetched more often than once per second", () => {
    expect(spotFundFlow.rate).toMatchObject({ limit: 1, windowMs: 1000, per: "IP" });
    expect(spotFundFlow.cache?.freshMs).toBe(1000);
  });
});

describe("the exchange's clock", () => {
  it("is read in milliseconds and never cached", () => {
    expect(serverTime.data.decode({ serverTime: "1767225600503" })).toEqual({ serverTime: 1_767_225_600_503 });
    expect(serverTime.cache).toBeUndefined();
  });
});
