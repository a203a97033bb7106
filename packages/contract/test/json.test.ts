import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson } from "../src/json.js";

describe("JSON without lost digits", () => {
  it.each([
    ['{"seq":1391230000000005001}', { seq: "1391230000000005001" }],
    ['{"seq": -1391230000000005001 }', { seq: "-1391230000000005001" }],
    ["[1391230000000005001,2]", ["1391230000000005001", 2]],
    ['{"px":0.12345678901234567}', { px: "0.12345678901234567" }],
    ['{"px":1.2345678901234567e-12}', { px: "1.2345678901234567e-12" }],
    ["1391230000000005001", "1391230000000005001"],
  ])("keeps those of %s", (json, expected) => {
    expect(parseJson(json)).toEqual(expected);
  });

  it.each([
    ['{"n":123456789012345}', { n: 123456789012345 }],
    ['{"n":64250.1}', { n: 64250.1 }],
    ['{"t":1767225600000}', { t: 1767225600000 }],
  ])("leaves the short number of %s a number", (json, expected) => {
    expect(parseJson(json)).toEqual(expected);
  });

  it.each([
    ['{"a":.5}', { a: 0.5 }],
    ['{"a":-.5,"b":[.25, -.75e1],"c":": .5 \\" ,.5"}', { a: -0.5, b: [0.25, -7.5], c: ': .5 " ,.5' }],
    ["[.1234567890123456789]", ["0.1234567890123456789"]],
    [".5", 0.5],
  ])("reads a number that begins with its point: %s", (json, expected) => {
    expect(parseJson(json)).toEqual(expected);
  });

  it.each([
    ["long numbers", "1234567890123456789,", "1"],
    ["numbers that begin with their point", ".5,", ".5"],
  ])("reads a long list of %s in time that grows with its length alone", (_, one, last) => {
    const json = `{"list":[${one.repeat(1_500_000 / one.length)}${last}]}`;
    const before = process.cpuUsage();
    expect((parseJson(json) as { readonly list: readonly unknown[] }).list.length).toBeGreaterThan(50_000);
    // Processor time, in µs: the time on the clock depends on what else the machine does.
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000);
  });

  it("touches no digits inside texts, escaped quotes and backslashes included", () => {
    const value = { note: 'say "12345678901234567890", not \\', list: ["[1,12345678901234567890]"], n: 1 };
    expect(parseJson(JSON.stringify(value))).toEqual(value);
    expect(parseJson(`{"a":"\\\\","b":12345678901234567890,"c":"\\",12345678901234567890"}`)).toEqual({
      a: "\\",
      b: "12345678901234567890",
      c: '",12345678901234567890',
    });
  });

  it.each([
    "",
    "{",
    '{"a":12345678901234567890',
    '{"a":1234567890123456.7.8}',
    '{"a":1-----------------}',
    '{"a":00000000000000000001}',
    '{"a":1234567890123456.}',
    '{"a":12345678901234567890 1}',
    '"12345678901234567890',
    '{"a":.5',
    '{"a":..5}',
    '{"a":.}',
    '{"a":1.}',
    '{"a":.5.5}',
    '{"a":1,.5}',
  ])("does not take %s", (json) => {
    expect(() => parseJson(json)).toThrow(SyntaxError);
  });

  it("reads everything else as the engine does", () => {
    const values = [fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constantFrom("1234567890123456", ": -1e15")];
    fc.assert(
      fc.property(fc.object({ values, maxDepth: 2 }), (value) => {
        const json = JSON.stringify({ value, seq: "SEQ" });
        expect(JSON.stringify(parseJson(json))).toBe(json);
        expect(JSON.stringify(parseJson(json.replace(/"SEQ"}$/, "12345678901234567890}")))).toBe(
          json.replace(/"SEQ"}$/, '"12345678901234567890"}'),
        );
      }),
    );
  });

  it("takes long texts beside long numbers", () => {
    const long = "x".repeat(1_000_000);
    expect(parseJson(`{"long":"${long}","seq":12345678901234567890}`)).toEqual({ long, seq: "12345678901234567890" });
  });
});
