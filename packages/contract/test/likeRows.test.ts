import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { parseJson } from "../src/json.js";
import { LikeRowsParser } from "../src/likeRows.js";

const row = (at: number) => ({
  orderId: `1391230000000${at}`,
  qty: "0.50",
  time: 1767225600000 + at,
  side: null,
  isOpen: at % 2 === 0,
});
const rows = (count: number) => Array.from({ length: count }, (_, at) => row(at));
const envelope = (data: unknown) => JSON.stringify({ code: "00000", msg: "success", requestTime: 1767225600000, data });

/** A parser that has seen an answer of these rows. */
function practised(data: unknown = rows(5)): LikeRowsParser {
  const parser = new LikeRowsParser();
  parser.parse(envelope(data));
  return parser;
}
/** The longest text that the engine's own parser is given while `text` is parsed. */
function longestParsed(parser: LikeRowsParser, text: string): number {
  const parse = vi.spyOn(JSON, "parse");
  parser.parse(text);
  const longest = Math.max(0, ...parse.mock.calls.map(([given]) => given.length));
  parse.mockRestore();
  return longest;
}
const outcome = (parse: () => unknown): string => {
  try {
    return JSON.stringify(parse());
  } catch (error) {
    return error instanceof SyntaxError ? "SyntaxError" : String(error);
  }
};

describe("rows that look alike", () => {
  it.each([
    ["a list", (list: readonly unknown[]) => list],
    ["a page", (list: readonly unknown[]) => ({ list, cursor: "next" })],
  ])("of %s are read by a pattern once an answer has shown them", (_, of) => {
    const parser = practised(of(rows(5)));
    const text = envelope(of(rows(50)));
    expect(longestParsed(parser, text)).toBeLessThan(200);
    expect(parser.parse(text)).toStrictEqual(parseJson(text));
  });

  it("keep every digit of long numbers, and every kind of value", () => {
    const parser = practised();
    const text = envelope(rows(3))
      .replace('"0.50"', "1391230000000005001")
      .replace('"0.50"', "-1.5e3")
      .replace('"side":null', '"side":"buy"');
    expect(longestParsed(parser, text)).toBeLessThan(200);
    expect(parser.parse(text)).toStrictEqual(parseJson(text));
  });

  it("are learned again when their shape changes", () => {
    const parser = practised();
    const other = envelope(rows(9).map(({ orderId, qty }) => ({ qty, orderId })));
    expect(longestParsed(parser, other)).toBe(other.length);
    expect(longestParsed(parser, other)).toBeLessThan(200);
    expect(parser.parse(other)).toStrictEqual(parseJson(other));
  });

  it("are given up when they look otherwise again and again", () => {
    const parser = practised();
    const one = envelope(rows(9));
    const other = envelope(rows(9).map(({ orderId, qty }) => ({ qty, orderId })));
    for (let turn = 0; turn < 10; turn++) for (const text of [other, one]) parser.parse(text);
    expect(longestParsed(parser, one)).toBe(one.length);
    expect(longestParsed(parser, one)).toBe(one.length);
  });

  it.each([
    ["rows with unusual keys", '[{"orderId":"1","__proto__":"2","a b":1}]'],
    ["rows with rows", JSON.stringify(rows(6).map((each) => ({ ...each, list: [1] })))],
    ["rows without keys", "[{},{},{},{},{},{}]"],
    ["numbers", "[1,2,3,4,5,6]"],
    ["nothing", "null"],
  ])("are no %s", (_, data) => {
    const parser = new LikeRowsParser();
    const text = `{"code":"00000","data":${data}}`;
    for (let turn = 0; turn < 3; turn++) expect(parser.parse(text)).toStrictEqual(parseJson(text));
  });

  const whole = envelope(rows(3));
  it.each([
    ["cut off", whole.slice(0, -20)],
    ["cut off behind the rows", whole.slice(0, -1)],
    ["followed by more", `${whole} 1`],
    ["with spaces between them", whole.replaceAll(",", ", ")],
    ["without a comma", whole.replace("},{", "}{")],
    ["with a comma too many", whole.replace("}]", "},]")],
    ["with an escape", whole.replace("0.50", '0\\".50')],
    ["with a control character", whole.replace("0.50", "0\n.50")],
    ["with a bare word", whole.replace('"0.50"', "nul")],
    ["with a number that is none", whole.replace('"0.50"', "01")],
    ["with a number that begins with its point", whole.replace('"0.50"', ".5")],
    ["with a key twice", whole.replace('"qty"', '"orderId"')],
    ["one of which is null", whole.replace("},{", "},null,{")],
    ["beside another list of the same name", whole.replace('"data":', '"data":[],"data":')],
    ["before another list of the same name", whole.replace(/}$/, ',"data":[]}')],
    ["next to their placeholder", whole.replace("success", "\\u0000")],
    ["in another place", whole.replace('"data"', '"other"')],
    ["deeper down", whole.replace('"data":', '"data":{"a":{"b":').replace(/}$/, "}}}")],
    ["in a text", JSON.stringify({ msg: JSON.stringify(rows(2)), data: rows(2) })],
    ["in a list of lists", JSON.stringify({ data: [rows(2), rows(2)] })],
  ])("%s are what the engine says they are", (_, text) => {
    expect(outcome(() => practised().parse(text))).toBe(outcome(() => parseJson(text)));
  });

  it("are the same by either parser, for any sequence of answers", () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constantFrom(null, "", "1.50", 1.5e300, -0, "[{", '"},{"', "\u2028", "\ud800"),
    );
    const keys = fc.constantFrom(["a", "b"], ["b", "a"], ["a", "b", "c"], ["a", "constructor"], ["1", "a"]);
    const list = keys.chain((of) =>
      fc.array(
        fc.tuple(...of.map(() => value)).map((values) => Object.fromEntries(of.map((key, at) => [key, values[at]]))),
        { maxLength: 8 },
      ),
    );
    const answer = fc
      .tuple(list, fc.constantFrom("list", "page"))
      .map(([all, shape]) => envelope(shape === "list" ? all : { all }));
    fc.assert(
      fc.property(fc.array(answer, { minLength: 2, maxLength: 12 }), (answers) => {
        const parser = new LikeRowsParser();
        for (const text of answers) expect(parser.parse(text)).toStrictEqual(parseJson(text));
      }),
    );
  });
});
