import { buildSchema, type GraphQLError, getIntrospectionQuery, parse, specifiedRules, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { DOCUMENT_LIMITS, refusedText } from "../../../src/engine/documents/documentLimits.js";
import { EXAMPLES } from "../../support/examples.js";

const { characters, tokens, depth, fields, aliases, rootFields, directives, listItems } = DOCUMENT_LIMITS;

const times = (count: number, of: (at: number) => string) => Array.from({ length: count }, (_, at) => of(at)).join(" ");
const refused = (text: string): GraphQLError | undefined => refusedText(text, DOCUMENT_LIMITS);
const limitOf = (error: GraphQLError | undefined) => error?.extensions.limit;
const deep = (levels: number) => `${"{ a ".repeat(levels)}${"} ".repeat(levels)}`;

/** For each limit, a document at the limit and one beyond it. */
const BOUNDS: readonly [name: string, allowed: number, document: (size: number) => string][] = [
  ["depth", depth, deep],
  ["fields", fields, (size) => `{ a { ${times(size - 1, (at) => `f${at}`)} } }`],
  ["aliases", aliases, (size) => `{ a { ${times(size, (at) => `f${at}: b`)} } }`],
  ["rootFields", rootFields, (size) => `{ ${times(size, (at) => `f${at}`)} }`],
  ["directives", directives, (size) => `{ a { ${times(size, (at) => `f${at} @include(if: true)`)} } }`],
  ["listItems", listItems, (size) => `{ a(ids: [${times(size, (at) => String(at))}]) }`],
];

describe("a document at the bound passes, and one past it is refused", () => {
  it.each(BOUNDS)("%s", (name, allowed, document) => {
    expect(refused(document(allowed))).toBeUndefined();
    const error = refused(document(allowed + 1));
    expect(limitOf(error)).toEqual({ name, allowed, actual: allowed + 1 });
    expect(error?.extensions).toMatchObject({ code: "QUERY_TOO_EXPENSIVE", http: { status: 400 } });
    expect(error?.message).toContain(`${allowed} allowed, ${allowed + 1} found`);
    expect(error?.locations).toHaveLength(1);
  });

  it.each([
    `{ account { ${times(900, () => "id")} } }`,
    `{ account { ${times(90, () => "...on Account { id id id id id id id id id id }")} } }`,
    `{ account { ${times(30, () => `settings { ${times(30, () => "id")} }`)} } }`,
    `{ account { ${times(40, (at) => `...F${at}`)} } } ${times(40, (at) => `fragment F${at} on Account { ${times(20, () => "id")} }`)}`,
    `{ account { ...F } } fragment F on Account { ${times(900, () => "id")} }`,
  ])("comparisons: %.60s", (text) => {
    const error = refused(text);
    expect(limitOf(error)).toEqual({ name: "comparisons", allowed: 10_000, actual: expect.any(Number) });
    expect(error?.extensions).toMatchObject({ code: "QUERY_TOO_EXPENSIVE", http: { status: 400 } });
  });

  it("comparisons: fragment cycles are left to validation immediately", () => {
    const names = Array.from({ length: 12 }, (_, at) => `F${at}`);
    const text = `{ ...F0 } ${names.map((name) => `fragment ${name} on Q { ${names.map((other) => `a { ...${other} }`).join(" ")} }`).join(" ")}`;
    expect(refused(text)?.extensions.code ?? "passes").toMatch(/^(QUERY_TOO_EXPENSIVE|passes)$/);
  });

  it("tokens", () => {
    const words = (count: number) => `{ a { ${times(count - 5, () => "a")} } }`;
    const generous = { ...DOCUMENT_LIMITS, fields: tokens, comparisons: Number.POSITIVE_INFINITY };
    expect(refusedText(words(tokens), generous)).toBeUndefined();
    expect(limitOf(refusedText(words(tokens + 1), generous))).toEqual({
      name: "tokens",
      allowed: tokens,
      actual: tokens + 1,
    });
  });

  it("characters", () => {
    const commented = (length: number) => `{ a } #${"x".repeat(length - 7)}`;
    expect(refused(commented(characters))).toBeUndefined();
    expect(limitOf(refused(commented(characters + 1)))).toEqual({
      name: "characters",
      allowed: characters,
      actual: characters + 1,
    });
  });

  it("introspection: the parts of types, but not parts of those parts", () => {
    expect(refused("{ __schema { types { fields { type { name } } } } }")).toBeUndefined();
    expect(limitOf(refused("{ __schema { types { fields { type { interfaces { name } } } } } }"))).toEqual({
      name: "introspectionDepth",
      allowed: 1,
      actual: 2,
    });
  });

  it("brackets, which no parser should have to follow", () => {
    for (const bracket of ["{ a(x: ", "{"]) {
      const error = refused(bracket + (bracket === "{" ? "a {".repeat(1_000) : "[".repeat(1_000)));
      expect(limitOf(error)).toMatchObject({ name: "brackets", allowed: depth * 4 });
    }
  });
});

describe("fragments", () => {
  it("count for each spread", () => {
    const spread = (count: number) =>
      `{ a { ${times(count, () => "...F")} } } fragment F on T { ${times(99, (at) => `f${at}`)} }`;
    expect(refused(spread(10))).toBeUndefined();
    expect(limitOf(refused(spread(11)))).toEqual({ name: "fields", allowed: fields, actual: 1_090 });
  });

  it("count as root fields where an operation starts with them", () => {
    const spread = `{ ...F ...F } fragment F on Query { ${times(30, (at) => `f${at}`)} }`;
    expect(limitOf(refused(spread))).toEqual({ name: "rootFields", allowed: rootFields, actual: 60 });
  });

  it("that double at each level only make the count large", () => {
    const doubling = (levels: number) =>
      `{ ...F0 } ${times(levels, (at) => `fragment F${at} on T { a { ...F${at + 1} } b { ...F${at + 1} } }`)} fragment F${levels} on T { c }`;
    expect(limitOf(refused(doubling(12)))).toMatchObject({ name: "fields" });
    expect(limitOf(refused(doubling(150)))).toMatchObject({ name: "fields" });
  });

  it("count in unused fragments too, because validation visits those", () => {
    const unused = `{ a } fragment F on T { b { ${times(fields, (at) => `f${at}`)} } }`;
    expect(refused(unused)?.message).toMatch(/^The fragment F has too many fields/);
  });

  it("that contain themselves are left to validation", () => {
    expect(refused("{ ...F } fragment F on T { a { ...G } } fragment G on T { b { ...F } }")).toBeUndefined();
  });
});

it("leaves to the parser what is no document", () => {
  for (const text of ["", "{", "{ a", "query", '"', "}", "{ a } }", "\u0000", "{ a(x: ) }"])
    expect(refused(text)).toBeUndefined();
});

it("lets every example, and what tools ask of the schema, pass with much to spare", () => {
  const half = Object.fromEntries(Object.entries(DOCUMENT_LIMITS).map(([name, value]) => [name, Math.ceil(value / 2)]));
  for (const { text } of EXAMPLES) expect(refusedText(text, { ...DOCUMENT_LIMITS, ...half, depth: 10 })).toBeUndefined();
  expect(refused(getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true, oneOf: true }))).toBeUndefined();
});

/** The least processor time of ten runs, ms: the time on the clock depends on what else the machine does. */
const quickest = (task: () => void): number =>
  Math.min(
    ...Array.from({ length: 10 }, () => {
      const before = process.cpuUsage();
      task();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    }),
  );

describe("time", () => {
  const megabyte = (unit: (at: number) => string) => {
    let text = "{ a } ";
    for (let at = 0; text.length < 1_000_000; at++) text += unit(at);
    return text;
  };

  it.each<[string, string]>([
    ["nested fragments and aliases", megabyte((at) => `fragment F${at} on T { a: b { ...F${at + 1} } c: b { ...F${at + 1} } } `)],
    ["one long name", `{ ${"a".repeat(1_000_000)} }`],
    ["one long comment", `# ${"a".repeat(1_000_000)}`],
    ["one long text", `{ a(x: "${"a".repeat(1_000_000)}") }`],
    ["brackets", "{a".repeat(500_000)],
  ])("a megabyte of %s is judged within 20 ms", (_, text) => {
    expect(refused(text)?.extensions.code).toBe("QUERY_TOO_EXPENSIVE");
    expect(quickest(() => refused(text))).toBeLessThan(20);
  });

  it("a document that is parsed completely is refused within 5 ms", () => {
    for (const [, allowed, document] of BOUNDS) {
      const text = document(allowed + 1);
      expect(quickest(() => refused(text))).toBeLessThan(5);
    }
  });

  it("validation of the worst allowed document ends soon", () => {
    const schema = buildSchema("type Query { a: Query b: Query c(x: Int): Int }");
    const worst = [
      `{ a { ${times(fields - 1, (at) => `c${at}`)} } }`,
      `{ a { ${times(140, () => "c")} } }`,
      `{ a { ${times(13, () => `b { ${times(10, () => "c")} }`)} } }`,
      `{ a { ...F0 } } ${times(40, (at) => `fragment F${at} on Query { ${times(3, () => "c")} ...F${at + 1} }`)} fragment F40 on Query { c }`,
      `{ a { ${times(30, (at) => `...F${at}`)} } } ${times(30, (at) => `fragment F${at} on Query { ${times(4, () => "c")} }`)}`,
    ];
    for (const text of worst) {
      expect(refused(text)).toBeUndefined();
      const document = parse(text);
      expect(quickest(() => validate(schema, document, specifiedRules))).toBeLessThan(200);
    }
  });
});
