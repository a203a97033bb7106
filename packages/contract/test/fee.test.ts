import { describe, expect, it } from "vitest";
import { fees, paid } from "../src/fee.js";

const unified = fees("Fees", "positive");
const classic = fees("Fees", "negative");

describe("feeDetail", () => {
  it("reads JSON text with an entry per coin, and leaves its restated sum alone", () => {
    const wire =
      '{"BTC":{"deduction":false,"feeCoinCode":"BTC","totalDeductionFee":0,"totalFee":-0.0000002},' +
      '"newFees":{"c":0,"d":0,"deduction":false,"r":-0.0000002,"t":-0.0000002,"totalDeductionFee":0}}';
    expect(classic.decode(wire)).toEqual([{ coin: "BTC", amount: "0.0000002", deduction: null }]);
  });

  it("keeps every digit of a long number inside JSON text", () => {
    const wire = '{"USDT":{"feeCoinCode":"USDT","totalFee":-123456789.123456789012}}';
    expect(classic.decode(wire)).toEqual([{ coin: "USDT", amount: "123456789.123456789012", deduction: null }]);
  });

  it("reads no JSON text inside JSON text, nor a long number, which is read as text", () => {
    const inner = '[{"feeCoin":"USDT","fee":"0.256"}]';
    expect(unified.decode(inner)).toEqual([{ coin: "USDT", amount: "0.256", deduction: null }]);
    for (const wire of [JSON.stringify(inner), "9".repeat(20)]) expect(() => unified.decode(wire)).toThrow("fees as JSON text");
  });

  it("reads one bare entry", () => {
    const wire = { deduction: "no", feeCoin: "BTC", totalDeductionFee: "", totalFee: "-0.00002" };
    expect(classic.decode(wire)).toEqual([{ coin: "BTC", amount: "0.00002", deduction: null }]);
  });

  it("reads a list of entries with four keys", () => {
    const wire = [
      { deduction: "no", feeCoin: "USDT", totalDeductionFee: "0", totalFee: "-0.256" },
      { deduction: "yes", feeCoin: "BTC", totalDeductionFee: "0", totalFee: "0.001" },
    ];
    expect(classic.decode(wire)).toEqual([
      { coin: "USDT", amount: "0.256", deduction: null },
      { coin: "BTC", amount: "-0.001", deduction: null },
    ]);
  });

  it("reads a list of entries with two keys", () => {
    expect(unified.decode([{ feeCoin: "USDT", fee: "0.256" }])).toEqual([{ coin: "USDT", amount: "0.256", deduction: null }]);
  });

  it.each([[[]], [[{ feeCoin: "", fee: "" }]], [[{ feeCoin: null, fee: null }]], [[{ feeCoin: "", fee: "0" }]]])(
    "means no fee yet by %j",
    (wire) => {
      expect(unified.decode(wire)).toEqual([]);
    },
  );

  it.each([null, "", undefined])("has none if it is %j", (wire) => {
    expect(unified.decode(wire)).toBeNull();
  });

  it("keeps a fee of zero that names its coin", () => {
    expect(classic.decode([{ feeCoin: "USDT", fee: "0.00000000" }])).toEqual([{ coin: "USDT", amount: "0", deduction: null }]);
  });

  it("keeps a fee whose coin or amount is missing rather than lose it", () => {
    expect(unified.decode([{ feeCoin: "BTC", fee: "" }])).toEqual([{ coin: "BTC", amount: null, deduction: null }]);
    expect(unified.decode([{ feeCoin: "", fee: "0.256" }])).toEqual([{ coin: null, amount: "0.256", deduction: null }]);
  });

  it("has the part that was paid by deduction, none if it is zero", () => {
    const fee = (totalDeductionFee: string) => classic.decode([{ feeCoin: "BTC", totalFee: "-2", totalDeductionFee }]);
    expect(fee("-0.5")).toEqual([{ coin: "BTC", amount: "2", deduction: "0.5" }]);
    for (const none of ["", "0", "0.00"]) expect(fee(none)).toEqual([{ coin: "BTC", amount: "2", deduction: null }]);
  });

  it("refuses a fee that cannot be read", () => {
    expect(() => unified.decode([{ feeCoin: "BTC", fee: "some" }])).toThrow("data[0].fee: expected a decimal number");
  });

  it.each(["not JSON", "5", 5, true])("refuses %j", (wire) => {
    expect(() => unified.decode(wire)).toThrow(/^data: expected fees/);
  });
});

describe("the sign of a fee", () => {
  it("is positive when paid, with either sign on the wire", () => {
    expect(paid("0.256", "positive")).toBe("0.256");
    expect(paid("-0.256", "negative")).toBe("0.256");
  });

  it("is negative for a rebate", () => {
    expect(paid("0.001", "negative")).toBe("-0.001");
  });

  it("does not turn zero into minus zero", () => {
    expect(paid("0", "negative")).toBe("0");
  });
});
