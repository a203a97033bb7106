import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFrame } from "../src/channels/frame.js";
import { optionalDecimal, text } from "../src/codec.js";
import { readEnvelope } from "../src/envelope.js";
import { shortened, withoutControls } from "../src/exchangeText.js";
import { fees } from "../src/fee.js";
import { parseJson } from "../src/json.js";

const cleaned = (json: string): unknown => parseJson(withoutControls(json));
/** Characters of terminals and lines, and those that turn the direction of writing. */
const CONTROLS = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

describe("texts of the exchange", () => {
  it.each([
    ["a new line", '"a\\r\\nb\\tc"', "a  b c"],
    ["NUL, a bell and an escape sequence", '"a\\u0000\\u0007\\u001b[31mb"', "a[31mb"],
    ["C1 controls, escaped and written out", '"a\\u009bb\u009bc\\u007f"', "abc"],
    ["what turns the direction of writing", '"\u202eTDSU\\u202c\\u2066"', "TDSU"],
    ["line separators", '"a\u2028b\\u2029c"', "abc"],
    ["half of a surrogate pair", '"a\\ud83dz\\ude00"', "a\ufffdz\ufffd"],
  ])("lose %s", (_, json, expected) => {
    expect(cleaned(json)).toBe(expected);
  });

  it.each([
    ["a whole surrogate pair", "😀 龙虾"],
    ["quotes, backslashes and slashes", 'say "\\u0000" \\\\n /'],
    ["a joiner between letters", "न\u200dक"],
  ])("keep %s", (_, value) => {
    expect(cleaned(JSON.stringify(value))).toBe(value);
    expect(cleaned(JSON.stringify({ [value]: [value] }))).toEqual({ [value]: [value] });
  });

  it("have no control character, whatever they were, and every other value stays", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary" }), (json) => {
        const before = JSON.parse(json) as unknown;
        const after = JSON.parse(withoutControls(json)) as unknown;
        expect(JSON.stringify(after)).not.toMatch(/\\u|\\[nrtbf]/);
        if (!CONTROLS.test(JSON.stringify(before)) && !/\\u|\\[nrtbf]/.test(JSON.stringify(before)))
          expect(after).toEqual(before);
      }),
    );
  });

  it("are clean in codes, messages and values of answers and frames", () => {
    const body = '{"code":"4\\r\\n0","msg":"no\\u0000pe","data":{"coin\\u0000":"B\\u001bTC"}}';
    expect(readEnvelope(body)).toMatchObject({ code: "4  0", msg: "nope", data: { coin: "BTC" } });
    expect(readFrame('{"event":"error","code":"3\\u0000","msg":"a\\nb"}')).toMatchObject({ code: "3", msg: "a b" });
    expect(readFrame('{"arg":{"instId":"B\\u0000TC"},"action":"update","data":["\\u0000x"]}')).toMatchObject({
      push: { argument: { instId: "BTC" }, data: ["x"] },
    });
    expect(fees("", "positive").decode('{"B":{"feeCoin":"B\\u0000TC","fee":"1"}}')).toEqual([
      { coin: "BTC", amount: "1", deduction: null },
    ]);
  });

  it("have at most 1,000 characters in codes and messages", () => {
    const long = "x".repeat(3_000_000);
    const { code, msg } = readEnvelope(JSON.stringify({ code: long, msg: long })) ?? { code: "", msg: "" };
    expect([code.length, msg.length]).toEqual([1_000, 1_000]);
    expect(msg.endsWith("x…")).toBe(true);
    expect(readFrame(JSON.stringify({ event: "error", code: 1, msg: long }))).toMatchObject({ msg });
    expect(shortened(`${"x".repeat(998)}😀😀`)).toBe(`${"x".repeat(998)}…`);
    expect(shortened("x".repeat(1_000))).toBe("x".repeat(1_000));
  });

  it("and numbers that are longer than their bound are none", () => {
    expect(() => text("").decode("x".repeat(1_001))).toThrow("expected text of at most 1000 characters");
    expect(text("").decode("x".repeat(1_000))).toHaveLength(1_000);
    expect(() => optionalDecimal("").decode("7".repeat(101))).toThrow("expected a decimal number of at most 100 characters");
    expect(optionalDecimal("").decode("7".repeat(100))).toHaveLength(100);
  });

  it("are cleaned in time that grows with their length alone", () => {
    const quotes = JSON.stringify('"\\'.repeat(1_000_000));
    const before = process.cpuUsage();
    expect(withoutControls(quotes)).toBe(quotes);
    // Processor time, in µs: the time on the clock depends on what else the machine does.
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });
});
