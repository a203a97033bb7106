import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  amount,
  capitalCoinName,
  coinName,
  exactlyOneOf,
  maybe,
  oneOf,
  pageSize,
  required,
  structure,
  symbolName,
  textRule,
  timestamp,
  whole,
} from "../src/parameter.js";

describe("one of a closed set", () => {
  const side = oneOf(["buy", "sell"], { fallback: "buy" });

  it("accepts what is listed, to the letter", () => {
    expect(side.accepts("buy")).toBe(true);
    expect(side.accepts("BUY" as "buy")).toBe(false);
    expect(side.accepts("short" as "buy")).toBe(false);
  });

  it("reads any letter case", () => {
    expect(side.read("SELL")).toBe("sell");
  });

  it.each([["hold"], [""], [null], [undefined], [{}], ["constructor"]])("does not read %o", (wire) => {
    expect(side.read(wire)).toBeUndefined();
  });

  it("says what is listed, and what is assumed", () => {
    expect(side.allowed).toBe("one of buy, sell");
    expect(side.fallback).toBe("buy");
    expect(oneOf(["a"])).not.toHaveProperty("fallback");
  });

  it("is sent as listed, or under its wire name", () => {
    expect(side.encode("sell")).toBe("sell");
    expect(oneOf(["yes"], { wireName: (value) => value.toUpperCase() }).encode("yes")).toBe("YES");
  });

  it("minds the letter case where it counts", () => {
    const interval = exactlyOneOf(["1m", "1M"], { "1m": "1min" });
    expect(interval.read("1min")).toBe("1m");
    expect(interval.read("1M")).toBe("1M");
    expect(interval.read("1MIN")).toBeUndefined();
    expect(interval.encode("1m")).toBe("1min");
  });
});

describe("a point in time", () => {
  it.each([0, 1, 1767225600000, Number.MAX_SAFE_INTEGER])("can be %d", (value) => {
    expect(timestamp().accepts(value)).toBe(true);
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1])("cannot be %d", (value) => {
    expect(timestamp().accepts(value)).toBe(false);
  });

  it("travels as text and is read from text or number", () => {
    expect(timestamp().encode(1767225600000)).toBe("1767225600000");
    expect(timestamp().read("1767225600000")).toBe(1767225600000);
    expect(timestamp().read(1767225600000)).toBe(1767225600000);
  });

  it.each([[""], ["-1"], ["1.5"], ["1e3"], ["now"], ["12345678901234567"], [null], [{}]])("is not read from %o", (wire) => {
    expect(timestamp().read(wire)).toBeUndefined();
  });
});

describe("a whole number", () => {
  it("keeps its bounds, and says them", () => {
    const rule = whole({ min: 1, max: 50 });
    expect([0, 1, 50, 51].map((value) => rule.accepts(value))).toEqual([false, true, true, false]);
    expect(rule.allowed).toBe("a whole number from 1 to 50");
  });

  it("needs no upper bound", () => {
    const rule = whole({ min: 1 });
    expect(rule.accepts(Number.MAX_SAFE_INTEGER)).toBe(true);
    expect(rule.accepts(Number.MAX_SAFE_INTEGER + 1)).toBe(false);
    expect(rule.allowed).toBe("a whole number of at least 1");
  });

  it("is whole", () => {
    expect(whole({ min: 1 }).accepts(1.5)).toBe(false);
    expect(whole({ min: 1 }).read("1.5")).toBeUndefined();
    expect(whole({ min: 1 }).read("-3")).toBe(-3);
  });

  it("counts pages from one, up to the page limit", () => {
    const rule = pageSize(20, 100);
    expect(rule.fallback).toBe(20);
    expect([0, 1, 100, 101].map((value) => rule.accepts(value))).toEqual([false, true, true, false]);
  });
});

describe("an amount", () => {
  it.each([
    ["positive", { "1": true, "0.000000000000000001": true, "0": false, "0.0": false, "-0": false, "-1": false }],
    ["zero or more", { "1": true, "0": true, "0.00": true, "-0": true, "-0.1": false }],
    ["not zero", { "1": true, "-1": true, "0": false, "-0.00": false }],
    ["any", { "1": true, "0": true, "-1": true }],
  ] as const)("that is %s", (sign, cases) => {
    for (const [value, expected] of Object.entries(cases))
      expect([value, amount(sign).accepts(value)]).toEqual([value, expected]);
  });

  it("has at most twenty digits before the point and eighteen after it", () => {
    const rule = amount();
    expect(rule.accepts(`${"9".repeat(20)}.${"9".repeat(18)}`)).toBe(true);
    expect(rule.accepts("9".repeat(21))).toBe(false);
    expect(rule.accepts(`1.${"9".repeat(19)}`)).toBe(false);
  });

  it.each(["1e3", "01", "+1", ".5", "1.", " 1", "1,0", "0x1", "", "Infinity", "1\n"])("is not written %o", (value) => {
    expect(amount("any").accepts(value)).toBe(false);
  });

  it("travels digit by digit", () => {
    expect(amount().encode("1.50")).toBe("1.50");
    expect(amount().read("1.50")).toBe("1.50");
    expect(amount().read(1.5)).toBe("1.5");
    expect(amount().read(1e-7)).toBe("0.0000001");
    expect(amount().read("1e-7")).toBeUndefined();
    expect(amount().read("ten")).toBeUndefined();
  });

  it("is accepted only if it can be read back", () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const rule = amount("any");
        if (rule.accepts(value)) expect(rule.read(rule.encode(value))).toBe(value);
      }),
    );
  });
});

describe("words", () => {
  it("have a length", () => {
    expect(["", "a", "abc", "abcd"].map((value) => textRule({ max: 3 }).accepts(value))).toEqual([false, true, true, false]);
    expect(textRule().accepts("a".repeat(200))).toBe(true);
    expect(textRule().accepts("a".repeat(201))).toBe(false);
  });

  it("are of whole characters that can be seen", () => {
    expect(["a\nb", "\u0000", "\u007f", "\ud800", "a\udc00"].map((value) => textRule().accepts(value))).not.toContain(true);
    expect(["a b", "ü ☃", "\u{1f44d}"].map((value) => textRule().accepts(value))).not.toContain(false);
  });

  it.each(["BTCUSDT", "BTCPERP", "BTCUSDH26", "ETHUSD_231229", "$ALTUSDT", "龙虾USDT", "🦞USDT", "Ñ́USDT"])(
    "name the symbol %s",
    (value) => {
      expect(symbolName().accepts(value)).toBe(true);
    },
  );

  it.each([
    "BTC/USDT",
    "BTC USDT",
    "BTC&x=1",
    "",
    "A".repeat(41),
    "BTCUSDT\n",
    "龙虾\u3000USDT",
    "BTC\u200bUSDT",
    "\u202eTDSU",
    "\ud800USDT",
  ])("name no symbol %o", (value) => {
    expect(symbolName().accepts(value)).toBe(false);
  });

  it("name coins of up to 24 characters", () => {
    expect(coinName().accepts("A".repeat(24))).toBe(true);
    expect(coinName().accepts("A".repeat(25))).toBe(false);
    expect(coinName().accepts("BTC_USDT")).toBe(false);
    expect(coinName().accepts("龙虾")).toBe(true);
  });

  it("name coins in capitals", () => {
    expect(["USDT", "龙虾", "1INCH"].map((coin) => capitalCoinName().accepts(coin))).not.toContain(false);
    expect(["usdt", "USDt", "龙a", ""].map((coin) => capitalCoinName().accepts(coin))).not.toContain(true);
  });

  it("are not read from objects", () => {
    expect(textRule().read({})).toBeUndefined();
    expect(textRule().read(7)).toBe("7");
  });
});

describe("a structure", () => {
  it("is accepted if it can be read, and goes out as it is", () => {
    const ids = structure("a list of ids", (wire) => (Array.isArray(wire) ? wire : undefined));
    expect(ids.accepts(["1"])).toBe(true);
    expect(ids.accepts("1" as never)).toBe(false);
    expect(ids.encode(["1"])).toEqual(["1"]);
  });
});

describe("required and maybe", () => {
  it("say so", () => {
    expect(required("Coin", coinName())).toMatchObject({ doc: "Coin", required: true });
    expect(maybe("Coin", coinName())).toMatchObject({ doc: "Coin", required: false });
  });
});
