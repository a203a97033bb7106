import { describe, expect, it } from "vitest";
import { encoded } from "../src/endpoint.js";
import { discountRate, serverTime, spotFundFlow, spotFundFlowRecord } from "../src/market.js";
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
});

describe("the exchange's clock", () => {
  it("is read in milliseconds and never cached", () => {
    expect(serverTime.data.decode({ serverTime: "1767225600503" })).toEqual({ serverTime: 1_767_225_600_503 });
    expect(serverTime.cache).toBeUndefined();
  });
});
