import { describe, expect, it } from "vitest";
import { leveragesOf } from "../../../apps/desk/src/panels/trade/futures.js";

describe("the leverage of a market", () => {
  const isolated = { marginMode: "ISOLATED", isolatedLongLeverage: "5", isolatedShortLeverage: "25" } as const;

  it("is that of each side where isolated positions have their own, and never that of crossed ones", () => {
    expect(leveragesOf({ ...isolated, leverage: null })).toEqual({ long: "5", short: "25" });
  });

  it("is the one of the current margin mode", () => {
    expect(leveragesOf({ ...isolated, marginMode: "CROSSED", leverage: "9" })).toEqual({ long: "9", short: "9" });
    expect(leveragesOf({ ...isolated, leverage: "7" })).toEqual({ long: "7", short: "7" });
  });

  it("is not known without it", () => {
    expect(leveragesOf({ ...isolated, marginMode: "CROSSED", leverage: null })).toEqual({ long: null, short: null });
    expect(leveragesOf(undefined)).toEqual({ long: null, short: null });
  });
});
