import { buildSchema, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { DOCUMENT_LIMITS, refusedText } from "../../../src/engine/documents/documentLimits.js";

const refused = (text: string) => refusedText(text, DOCUMENT_LIMITS);

describe("the root of a subscription", () => {
  it.each([
    ["a field with a variable", "subscription($x: Boolean!) { tick @include(if: $x) }"],
    ["a field with a constant", "subscription { tick @skip(if: false) }"],
    ["an inline fragment", "subscription { ... @skip(if: true) { tick } }"],
    [
      "a field in a fragment",
      "subscription { ...A } fragment A on Subscription { ...B } fragment B on Subscription { tick @skip(if: true) }",
    ],
    ["beside an operation that is none", "query A { a } subscription B { tick @include(if: true) }"],
  ])("is not there on condition: %s", (_, text) => {
    const error = refused(text);
    expect(error?.message).toBe("The root field of a subscription can neither be skipped nor be included on condition.");
    expect(error?.extensions).toEqual({ code: "GRAPHQL_VALIDATION_FAILED", http: { status: 400 } });
    expect(error?.locations).toHaveLength(1);
  });

  it.each([
    [
      "below the root",
      "subscription($x: Boolean!) { tick { at @include(if: $x) ...A @skip(if: $x) } } fragment A on Tick { at }",
    ],
    ["at the root of a query", "query($x: Boolean!) { a @skip(if: $x) ...A @include(if: $x) } fragment A on Query { a }"],
    ["fragments in circles, which validation finds", "subscription { ...A } fragment A on Subscription { ...A }"],
  ])("leaves alone what is %s", (_, text) => {
    expect(refused(text)).toBeUndefined();
  });
});

it("is a rule that graphql-js throws at", () => {
  const schema = buildSchema("type Query { a: Int } type Subscription { tick: Int }");
  const document = parse("subscription($x: Boolean!) { tick @include(if: $x) }");
  expect(() => validate(schema, document)).toThrow("was not provided a runtime value");
});
