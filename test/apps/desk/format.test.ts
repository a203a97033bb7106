import { isDecimal } from "@exchange-graph/client";
import { afterEach, describe, expect, it, vi } from "vitest";

/** The formats of the desk for a user of this language, who has chosen it before the page is loaded. */
async function formatsIn(language: "en" | "de") {
  vi.resetModules();
  const getItem = (key: string) => (key === "desk.language" ? JSON.stringify(language) : null);
  vi.stubGlobal("localStorage", { getItem, setItem: () => undefined });
  return import("../../../apps/desk/src/format/format.js");
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

describe("a number that is typed or pasted", () => {
  const readIn = async (language: "en" | "de", text: string) => {
    await formatsIn(language);
    const { typedDecimal } = await import("../../../apps/desk/src/format/typed.js");
    return typedDecimal(text);
  };

  it.each([
    ["60000.5", "60000.5"],
    ["60\u202f000.5", "60000.5"],
    [" 1 234 567,25\n", "1234567.25"],
    ["1,000.5", "1000.5"],
    ["1.000,5", "1000.5"],
    ["1,234,567", "1234567"],
    ["1.234.567", "1234567"],
    ["1'000.5", "1000.5"],
    ["0,125", "0.125"],
    ["1,5", "1.5"],
    [".5", "0.5"],
    ["5.", "5"],
    ["0.50", "0.50"],
    ["00060000", "60000"],
    ["0", "0"],
  ])("as %j is %s", async (text, number) => {
    expect(await readIn("en", text)).toBe(number);
    expect(await readIn("de", text)).toBe(number);
  });

  it.each(["", ".", "1e3", "0x10", "60000 USDT", "1.5,", "1,00,000", "1 00", "1.000,000.5", "1.2.3", "abc", "-5", "−5"])(
    "is none as %j",
    async (text) => {
      expect(await readIn("en", text)).toBeUndefined();
    },
  );

  it("may have the unit of its field, and no other one", async () => {
    await formatsIn("en");
    const { typedDecimal } = await import("../../../apps/desk/src/format/typed.js");
    expect(typedDecimal("60\u202f000.5 USDT", "USDT")).toBe("60000.5");
    expect(typedDecimal("25 %", "%")).toBe("25");
    expect(typedDecimal("60000.5 USDT", "BTC")).toBeUndefined();
    expect(typedDecimal("USDT", "USDT")).toBeUndefined();
  });

  it("is none with the separator of thousands before three digits, where it could be two numbers", async () => {
    expect(await readIn("en", "60,000")).toBeUndefined();
    expect(await readIn("de", "60,000")).toBe("60.000");
    expect(await readIn("de", "60.000")).toBeUndefined();
    expect(await readIn("en", "60.000")).toBe("60.000");
    expect(await readIn("de", "0.125")).toBe("0.125");
  });

  it("is passed on as no number of the graph while it could be two", async () => {
    await formatsIn("de");
    const { complaintOf, localDecimal, unreadDecimal } = await import("../../../apps/desk/src/format/typed.js");
    expect(isDecimal(unreadDecimal(" 60.000 "))).toBe(false);
    expect(unreadDecimal("1.5,")).toBe("1.5,");
    expect(complaintOf("60.000")).toBe("60000 oder 60,000?");
    expect(localDecimal("60000.5")).toBe("60000,5");
    expect(localDecimal("1.2.3")).toBe("1.2.3");
  });
});

describe("an amount of a coin", () => {
  it.each([
    ["BTC", "0.00003", "0.00003000 BTC"],
    ["ETH", "0.123456789", "0.12345679 ETH"],
    ["USDT", "97779.61166472", "97\u202f779.6117 USDT"],
    ["USD", "-0.5", "−0.5000 USD"],
    [undefined, undefined, "– "],
  ])("of %s, %s, is %s: only of a dollar few decimals are enough", async (coin, value, text) => {
    const { amountIn } = await formatsIn("en");
    expect(amountIn(coin, value, 4)).toBe(text);
  });
});

describe("a large amount in short form", () => {
  it.each([
    ["1739999999.99", "1.73B"],
    ["12449999", "12.44M"],
    ["-5678.9", "−5.67K"],
    ["999.999", "1\u202f000.00"],
    ["90071992547409931234", "90\u202f071\u202f992.54T"],
    ["0.5", "0.50"],
    [null, "–"],
  ])("of %s is %s in English", async (value, text) => {
    const { short } = await formatsIn("en");
    expect(short(value)).toBe(text);
  });

  it.each([
    ["1739999999.99", "1,73\u00a0Mrd."],
    ["-12449999", "−12,44\u00a0Mio."],
    ["5678901234567", "5,67\u00a0Bio."],
    ["123456.78", "123\u202f456"],
    ["-1234.5", "−1\u202f234"],
    ["12.5", "12,50"],
  ])("of %s is %s in German: the language has no short form of thousands", async (value, text) => {
    const { short } = await formatsIn("de");
    expect(short(value)).toBe(text);
  });
});
