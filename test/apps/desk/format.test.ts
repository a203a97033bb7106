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
