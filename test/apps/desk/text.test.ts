import { readdirSync, readFileSync } from "node:fs";
import { buildSchema, isEnumType } from "graphql";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";
import { GERMAN } from "../../../apps/desk/src/text/de.js";
import { t } from "../../../apps/desk/src/text/text.js";

const FOLDER = "apps/desk/src";

const sources = readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path) && !/^graph\/generated\/|^text\/de/.test(path))
  .map((path) => ({ path, code: readFileSync(`${FOLDER}/${path}`, "utf8") }));

/** Texts of the desk's sources: the first arguments of `t`. */
const texts = sources
  .flatMap(({ code }) => [...code.matchAll(/\bt\(\s*("(?:[^"\\]|\\.)*")/g)])
  .map(([, text = ""]): string => JSON.parse(text));

/** Enums of the graph whose values a page shows in words. */
const SHOWN_ENUMS = [
  ...["AccountMode", "OrderSide", "PositionSide", "OrderType", "OrderStatus", "CancelReason", "TradeScope", "MarginMode"],
  ...["PlanStatus", "PlanType", "TriggerBy", "ProductCategory", "FuturesCategory", "WriteState", "SocketState", "BreakerState"],
  ...["SavingsPeriodType", "SavingsHoldingStatus", "SavingsProductStatus", "SavingsRecordType", "SavingsSettleMethod"],
  ...["SharkFinStatus", "SharkFinOfferStatus", "SharkFinRecordType", "LoanStatus", "LoanReductionStatus"],
  ...["WithdrawalStatus", "WithdrawalDestination", "SubAccountStatus", "UnprovenReason", "DifferenceKind", "UncheckedReason"],
];
const schema = buildSchema(readFileSync("schema.graphql", "utf8"));
const enumWords = SHOWN_ENUMS.flatMap((name) => {
  const type = schema.getType(name);
  if (!isEnumType(type)) throw new Error(`the schema has no enum ${name}`);
  return type.getValues().map(({ name: value }) => value.charAt(0) + value.slice(1).replaceAll("_", " ").toLowerCase());
});

/** Attributes and properties that a page shows or reads aloud. */
const SHOWN = new Set(["label", "title", "aria-label", "ariaLabel", "placeholder", "alt", "hint", "text", "message"]);
/** Names, and signs of the keyboard and of formats, which are the same in every language. */
const NAMES =
  /^(?:exchange-graph(?: desk)?|GraphiQL|TradingView|Ctrl K|JSON Lines|Koinly \(CSV\)|MACD 12, 26, 9)$|TradingView, Inc\./;
const WORD = /(?:^|[\s,.:…])(?!px\b)[A-Za-z][a-z]+(?=$|[\s,.:…])/;

type Node = { readonly type: string; readonly start: number } & Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
const nameOf = (node: unknown): unknown => (isNode(node) ? (node.name ?? node.value) : undefined);

/** Texts of a source that a page shows as they are written: of elements, of attributes, of templates. */
function untranslated(path: string, code: string): readonly string[] {
  const found: string[] = [];
  const add = (text: unknown) => {
    const plain = String(text).trim();
    if (WORD.test(plain) && !NAMES.test(plain)) found.push(`${path}: ${plain}`);
  };
  const visit = (node: unknown, isShown: boolean): void => {
    if (Array.isArray(node)) {
      for (const one of node) visit(one, isShown);
      return;
    }
    if (!isNode(node)) return;
    const { type } = node;
    if (/^(?:Import|TS|NewExpression|TaggedTemplate)/.test(type) && !/^TS(?:As|Satisfies|NonNull)/.test(type)) return;
    if (type === "JSXAttribute" && nameOf(node.name) === "className") return;
    if (type === "JSXText") add(node.value);
    if (type === "Literal" && isShown) add(node.value);
    if (type === "TemplateLiteral" && Array.isArray(node.quasis)) {
      const parts = node.quasis.map((one): string => (isNode(one) ? Reflect.get(new Object(one.value), "raw") : ""));
      if (isShown || parts.some((part) => part.length < 40 && / [a-z]{2,} /.test(part))) add(parts.join("…"));
    }
    if (type === "CallExpression" && nameOf(node.callee) === "t" && Array.isArray(node.arguments)) {
      // What its placeholders are filled with.
      const [, values] = node.arguments;
      if (isNode(values) && Array.isArray(values.properties))
        for (const one of values.properties) if (isNode(one)) visit(one.value, true);
      return;
    }
    const isAttribute = type === "JSXAttribute";
    const isProperty = type === "Property";
    for (const [key, value] of Object.entries(node)) {
      const inAttribute = isAttribute && key === "value" && SHOWN.has(String(nameOf(node.name)));
      const inProperty = isProperty && key === "value" && SHOWN.has(String(nameOf(node.key)));
      const isChild =
        key === "children" || key === "expression" || key === "consequent" || key === "alternate" || key === "right";
      visit(value, inAttribute || inProperty || (isShown && isChild) || key === "children");
    }
  };
  visit(parseSync(path, code).program.body, false);
  return found;
}

const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

describe("the texts of the desk", () => {
  it("have a German one each", () => {
    expect(texts.length).toBeGreaterThan(500);
    expect([...new Set(texts)].filter((text) => !Object.hasOwn(GERMAN, text))).toEqual([]);
  });

  it("are all texts of the pages: none is shown as it is written in the sources", () => {
    const wrong =
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source
      'const a = <p title={b ? `at ${c}` : "Not so"}>Plain <b>{t("fine")}</b>{d && "all gone"}{f(`${e} of ${f}`)}{t("{a}", { a: b ? "one" : c })}</p>;';
    expect(untranslated("a.tsx", wrong)).toEqual([
      "a.tsx: at …",
      "a.tsx: Not so",
      "a.tsx: Plain",
      "a.tsx: all gone",
      "a.tsx: … of …",
      "a.tsx: one",
    ]);
    expect(sources.flatMap(({ path, code }) => untranslated(path, code))).toEqual([]);
  });

  it("have a German word for each value of the graph that a page shows in words", () => {
    expect([...new Set(enumWords)].filter((word) => !Object.hasOwn(GERMAN, word))).toEqual([]);
  });

  it("have the same placeholders in every language", () => {
    for (const [text, german] of Object.entries(GERMAN)) expect(placeholders(german), text).toEqual(placeholders(text));
  });

  it("are used: the catalogue has no others but the words of the graph's enums", () => {
    const used = new Set([...texts, ...enumWords]);
    expect(Object.keys(GERMAN).filter((text) => !used.has(text))).toEqual([]);
  });

  it("are shown as they are, with their placeholders filled, where no catalogue is chosen", () => {
    expect(t("Halt {account}", { account: "main" })).toBe("Halt main");
    expect(t("constructor")).toBe("constructor");
    expect(t("{a} of {b}", { a: 1 })).toBe("1 of {b}");
  });
});
