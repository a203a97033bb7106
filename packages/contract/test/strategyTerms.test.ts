import { describe, expect, it } from "vitest";
import { encoded, type ParametersOf, violations } from "../src/endpoint.js";
import { placeStrategyOrder } from "../src/strategyWrites.js";

type Strategy = ParametersOf<typeof placeStrategyOrder>;

const ORDER = { category: "SPOT", symbol: "BTCUSDT", side: "sell", qty: "0.2" } as const;
const brokenBy = (values: Strategy): readonly string[] =>
  violations(placeStrategyOrder, values, 0).map(({ parameter }) => parameter);

const oco = { ocoLimitPrice: "66000", ocoTriggerPrice: "62000" };
const trailing = { trailType: "ratio", trailVariance: "1.5" } as const;
const iceberg = { splitMode: "order", splitOrderNumbers: 20, orderPreference: "fixed_price", fixedPrice: "64000" } as const;
const twap = { duration: 60, interval: "30" } as const;

describe("the terms of a strategy order", () => {
  it.each<[string, Strategy, readonly string[]]>([
    ["oco", { ...ORDER, type: "oco", ocoParams: oco }, []],
    ["no oco terms", { ...ORDER, type: "oco" }, ["ocoParams"]],
    [
      "the price of a limit leg",
      { ...ORDER, type: "oco", ocoParams: { ...oco, ocoOrderType: "limit" } },
      ["ocoParams.ocoOrderPrice"],
    ],
    ["a price of nothing", { ...ORDER, type: "oco", ocoParams: { ...oco, ocoLimitPrice: "0" } }, ["ocoParams.ocoLimitPrice"]],
    ["trailing stop", { ...ORDER, type: "trailing_stop", trailingStopParams: trailing }, []],
    [
      "its limit price",
      { ...ORDER, type: "trailing_stop", trailingStopParams: { ...trailing, preOrderType: "limit" } },
      ["trailingStopParams.preOrderPrice"],
    ],
    ["iceberg", { ...ORDER, type: "iceberg", icebergParams: iceberg }, []],
    ["parts", { ...ORDER, type: "iceberg", icebergParams: { ...iceberg, splitMode: "quantity" } }, ["icebergParams.qtyPerOrder"]],
    [
      "too many parts",
      { ...ORDER, type: "iceberg", icebergParams: { ...iceberg, splitOrderNumbers: 101 } },
      ["icebergParams.splitOrderNumbers"],
    ],
    [
      "a distance",
      { ...ORDER, type: "iceberg", icebergParams: { ...iceberg, orderPreference: "fixed_distance", distance: "1" } },
      ["icebergParams.fixedDistanceType"],
    ],
    ["twap", { ...ORDER, type: "twap", twapParams: twap }, []],
    [
      "a duration of a day at most",
      { ...ORDER, type: "twap", twapParams: { ...twap, duration: 1_441 } },
      ["twapParams.duration"],
    ],
    [
      "the offset of limit orders",
      { ...ORDER, type: "twap", twapParams: { ...twap, orderType: "limit", limitOffsetType: "spread" } },
      ["twapParams.limitOffsetSpread"],
    ],
    ["a side", { ...ORDER, side: undefined, type: "twap", twapParams: twap }, ["side"]],
  ])("are checked, each by its path: %s", (_, values, broken) => {
    expect(brokenBy(values)).toEqual(broken);
  });

  it("are sent as a list with one element, and read from it or from the object alone", () => {
    const wire = [{ duration: "60", interval: "30" }];
    expect(encoded(placeStrategyOrder, { ...ORDER, type: "twap", twapParams: twap })).toMatchObject({ twapParams: wire });
    const { read } = placeStrategyOrder.parameters.twapParams;
    const filled = { ...twap, orderType: "market" };
    expect([read(wire), read(wire[0]), read([...wire, ...wire]), read("60")]).toEqual([filled, filled, undefined, undefined]);
  });
});
