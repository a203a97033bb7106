import { compareDecimals } from "@exchange-graph/client";
import { describe, expect, it } from "vitest";
import { outlookOf, type Plan } from "../../../apps/desk/src/panels/trade/outlook.js";

const PLAN: Plan = {
  ...{ side: "BUY", entry: "60000", exit: "63000", qty: "0.5", leverage: "10" },
  ...{ feeRate: "0.0006", maintenanceRate: "0.004" },
};

describe("the outlook of a position", () => {
  it("has margin, profit, the fees of both trades, and what is left of it", () => {
    const { margin, profit, fees, net, onMargin } = outlookOf(PLAN);
    const expected = { margin: "3000", profit: "1500", fees: "36.9", net: "1463.1", onMargin: "0.4877" };
    const found = { margin, profit, fees: fees ?? "", net: net ?? "", onMargin: onMargin ?? "" };
    for (const [name, value] of Object.entries(expected)) expect(compareDecimals(Reflect.get(found, name), value), name).toBe(0);
  });

  it("loses for a short position where a long one wins", () => {
    expect(compareDecimals(outlookOf({ ...PLAN, side: "SELL" }).profit, "-1500")).toBe(0);
  });

  it("is liquidated where the margin is down to the maintenance margin", () => {
    for (const side of ["BUY", "SELL"] as const) {
      const { liquidation, margin } = outlookOf({ ...PLAN, side });
      const at = outlookOf({ ...PLAN, side, exit: liquidation ?? "" });
      const left = Number.parseInt(margin, 10) + Number.parseInt(at.profit, 10);
      const maintenance = Number.parseInt(liquidation ?? "", 10) * 0.5 * 0.004;
      expect(Math.abs(left - maintenance), side).toBeLessThan(1);
    }
    expect(outlookOf({ ...PLAN, leverage: "1" }).liquidation).toBeNull();
  });

  it("does not guess what is not known", () => {
    expect(outlookOf({ ...PLAN, feeRate: null, maintenanceRate: null })).toMatchObject({
      ...{ fees: null, net: null, onMargin: null, liquidation: null },
    });
  });
});
