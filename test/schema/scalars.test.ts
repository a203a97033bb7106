import { buildSchema, type ConstValueNode, parse, parseConstValue, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { DateTime, Decimal } from "../../src/schema/scalars.js";

const literal = (text: string): ConstValueNode => parseConstValue(text);

const NOT_DECIMAL =
  'Decimal must be a decimal number as text, such as "-12.50": at most 20 digits before the point and 18 after it, no exponent';
const NOT_TIME =
  'DateTime must be a time in ISO 8601 with its offset from UTC, such as "2026-01-31T12:00:00Z" or "2026-01-31T13:00:00.250+01:00"';

describe("Decimal", () => {
  it("serializes text unchanged, trailing zeros included", () => {
    expect(Decimal.serialize("64250.10")).toBe("64250.10");
  });

  it("never serializes a number", () => {
    expect(() => Decimal.serialize(1.5)).toThrow("Decimal: expected text");
  });

  it.each(["0", "-0.5", "12.50", `${"9".repeat(20)}.${"9".repeat(18)}`])(
    "accepts the text %s, in a variable and in a document",
    (text) => {
      expect(Decimal.parseValue(text)).toBe(text);
      expect(Decimal.parseLiteral(literal(`"${text}"`))).toBe(text);
    },
  );

  it("accepts whole numbers without losing a digit", () => {
    expect(Decimal.parseLiteral(literal("12345678901234567890"))).toBe("12345678901234567890");
    expect(Decimal.parseValue(9_007_199_254_740_991)).toBe("9007199254740991");
  });

  it.each([
    ["a float in a document", () => Decimal.parseLiteral(literal("0.1"))],
    ["a float in a variable", () => Decimal.parseValue(0.1)],
    ["a whole number that a double cannot hold", () => Decimal.parseValue(Number.MAX_SAFE_INTEGER + 2)],
    ["an exponent", () => Decimal.parseValue("1e3")],
    ["an exponent in a document", () => Decimal.parseLiteral(literal("1e3"))],
    ["21 digits before the point", () => Decimal.parseValue("1".repeat(21))],
    ["19 digits after the point", () => Decimal.parseValue(`0.${"1".repeat(19)}`)],
    ["empty text", () => Decimal.parseValue("")],
    ["a plus sign", () => Decimal.parseValue("+1")],
    ["a leading zero", () => Decimal.parseValue("01")],
    ["a bare point", () => Decimal.parseValue(".5")],
    ["a comma", () => Decimal.parseValue("1,5")],
    ["a space", () => Decimal.parseValue(" 1")],
    ["a truth value", () => Decimal.parseValue(true)],
    ["a list", () => Decimal.parseLiteral(literal('["1"]'))],
  ])("refuses %s", (_what, parse) => {
    expect(parse).toThrow(NOT_DECIMAL);
  });
});

describe("a literal that is none", () => {
  const schema = buildSchema(`
    scalar Decimal
    scalar DateTime
    input Order { qty: Decimal, levels: [Decimal!], at: DateTime, inner: Order }
    type Query { place(order: Order, price: Decimal): Int }
  `);
  Object.assign(schema.getType("Decimal") ?? {}, { parseLiteral: Decimal.parseLiteral });
  Object.assign(schema.getType("DateTime") ?? {}, { parseLiteral: DateTime.parseLiteral });

  it.each([
    ["{ place(price: 0.1) }", `price: ${NOT_DECIMAL}`, 16],
    ['{ place(order: { at: "2026-01-31T12:00:00Z", inner: { qty: "1e3" } }) }', `qty: ${NOT_DECIMAL}`, 60],
    ['{ place(order: { levels: ["1", "x"] }) }', `levels: ${NOT_DECIMAL}`, 32],
    ['query ($price: Decimal = "x") { place(price: $price) }', `$price: ${NOT_DECIMAL}`, 26],
    ['{ place(order: { qty: "1", at: "tomorrow" }) }', `at: ${NOT_TIME}`, 32],
  ])("names its field and place: %s", (text, message, column) => {
    expect(validate(schema, parse(text)).map((error) => error.toJSON())).toEqual([{ message, locations: [{ line: 1, column }] }]);
  });
});

describe("DateTime", () => {
  it("serializes Unix milliseconds as ISO 8601 in UTC, always with milliseconds", () => {
    expect(DateTime.serialize(1_767_225_600_000)).toBe("2026-01-01T00:00:00.000Z");
    for (const ms of [
      0, 7, 99, 100, 999, 1_000, 59_999, 3_599_999, 86_399_999, 86_400_000, -1, 951_782_399_999, 253_402_300_799_999,
    ])
      expect(DateTime.serialize(ms)).toBe(new Date(ms).toISOString());
  });

  it("never serializes unchecked text", () => {
    expect(() => DateTime.serialize("2026-01-01")).toThrow("DateTime: expected Unix milliseconds");
  });

  it.each([
    ["2026-01-01T00:00:00Z", 1_767_225_600_000],
    ["2026-01-01T01:00:00+01:00", 1_767_225_600_000],
    ["2025-12-31T18:30:00-05:30", 1_767_225_600_000],
    ["2026-01-01t00:00:00.25z", 1_767_225_600_250],
    ["2026-01-01T00:00:00.123456789Z", 1_767_225_600_123],
    ["2024-02-29T00:00:00Z", 1_709_164_800_000],
  ])("takes %s", (text, ms) => {
    expect(DateTime.parseValue(text)).toBe(ms);
    expect(DateTime.parseLiteral(literal(`"${text}"`))).toBe(ms);
  });

  it.each([
    "2026-01-01",
    "2026-01-01T00:00:00",
    "2026-01-01 00:00:00Z",
    "2026-01-01T00:00Z",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:60Z",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+01:60",
    "2026-01-01T00:00:00.1234567890Z",
    "0026-01-01T00:00:00Z ",
    "yesterday",
    "",
  ])("refuses %s", (text) => {
    expect(() => DateTime.parseValue(text)).toThrow(NOT_TIME);
  });

  it("refuses numbers, whose unit would be ambiguous", () => {
    expect(() => DateTime.parseValue(1_767_225_600_000)).toThrow(NOT_TIME);
    expect(() => DateTime.parseLiteral(literal("1767225600000"))).toThrow(NOT_TIME);
  });
});
