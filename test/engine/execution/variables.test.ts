import { buildSchema, getVariableValues, Kind, type OperationDefinitionNode, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { plainVariables } from "../../../src/engine/execution/run.js";

const schema = buildSchema(`
  enum Side { BUY SELL }
  input Filter { side: Side }
  scalar Anything
  type Query { ok(int: Int, id: ID, float: Float): Boolean }
`);
const TYPES = [
  "String",
  "String!",
  "ID",
  "Int",
  "Int!",
  "Float",
  "Boolean",
  "Side",
  "Side!",
  "[String!]",
  "[String]!",
  "[[Int]]",
];
const BEYOND = ["Filter", "Anything", "[Filter!]"];
const VALUES = [
  undefined,
  null,
  "",
  "text",
  "BUY",
  "HOLD",
  0,
  -1,
  1.5,
  2 ** 31,
  -(2 ** 31),
  Number.NaN,
  true,
  [],
  ["a"],
  [null],
  ["a", 1],
  [[1], null],
  [["x"]],
  { side: "BUY" },
];

function definitionsOf(type: string, byDefault = "") {
  const [operation] = parse(`query ($value: ${type}${byDefault}) { ok }`).definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error("no operation");
  return (operation as OperationDefinitionNode).variableDefinitions ?? [];
}

const inputsOf = (value: unknown) => (value === undefined ? {} : { value });

describe.each(TYPES)("A variable of type %s", (type) => {
  it.each(VALUES.map((value) => [JSON.stringify(value) ?? "nothing", value]))(
    "reads %s as graphql-js does, or leaves it to it",
    (_, value) => {
      const definitions = definitionsOf(type);
      const plain = plainVariables(schema, definitions)(inputsOf(value));
      const { coerced } = getVariableValues(schema, definitions, inputsOf(value));
      if (plain !== undefined) expect(plain).toEqual(coerced);
      if (coerced === undefined) expect(plain).toBeUndefined();
    },
  );
});

it("plain values are read here", () => {
  for (const [type, value] of [
    ["String!", "a"],
    ["[String!]", ["a", "b"]],
    ["Side", "SELL"],
    ["Int", 7],
    ["Boolean", null],
  ] as const)
    expect(plainVariables(schema, definitionsOf(type))({ value })).toEqual({ value });
});

it.each(BEYOND)("a variable of type %s is left to graphql-js", (type) => {
  for (const value of [{}, "a", [{}]]) expect(plainVariables(schema, definitionsOf(type))({ value })).toBeUndefined();
});

it("a default is left to graphql-js", () => {
  const plain = plainVariables(schema, definitionsOf("Int", " = 3"));
  expect(plain({})).toBeUndefined();
  expect(plain({ value: 4 })).toEqual({ value: 4 });
});
