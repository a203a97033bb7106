import { optionalDecimal, optionalToken, text } from "@exchange-graph/contract/codec";
import { listOf } from "@exchange-graph/contract/lists";
import { record } from "@exchange-graph/contract/record";
import { STP_MODES } from "@exchange-graph/contract/vocabulary";
import { type GraphQLObjectType, printType } from "graphql";
import { buildSchemaSync, Field, Query, Resolver } from "type-graphql";
import { describe, expect, it } from "vitest";
import { RecordType, recordOf } from "../../src/schema/record.js";

const levels = listOf(record({ price: text("Price") }));
const wire = record({
  name: text("Its name"),
  size: optionalDecimal("How much of it, in base coin", "sz"),
  mode: optionalToken("How it is prevented", STP_MODES),
  levels: { ...levels, doc: "Its levels" },
  hidden: text("What the graph does not have"),
});

@RecordType("A thing")
class Thing extends recordOf(wire, { without: ["levels", "hidden"], descriptions: { name: "What it is called" } }) {
  @Field(() => [String], { description: "Its levels, as text" })
  readonly levels!: readonly string[];
}

@Resolver()
class ThingResolver {
  @Query(() => Thing)
  thing(): Thing {
    return { name: "a", size: null, mode: null, modeRaw: null, levels: [] };
  }
}

describe("a type that extends a record of the contract", () => {
  it("has its fields with their types, nullability and descriptions, beside its additional fields", () => {
    const graph = buildSchemaSync({ resolvers: [ThingResolver], validate: false });
    const fields = (graph.getType("Thing") as GraphQLObjectType).getFields();
    expect(
      Object.values(fields)
        .map(({ name, type, description }) => [name, String(type), description])
        .sort(),
    ).toEqual([
      ["levels", "[String!]!", "Its levels, as text"],
      ["mode", "StpMode", "How it is prevented"],
      ["modeRaw", "String", "`mode` as the exchange sent it, for values that read `UNRECOGNIZED`"],
      ["name", "String!", "What it is called"],
      ["size", "Decimal", "How much of it, in base coin"],
    ]);
    expect(printType(fields.mode?.type as GraphQLObjectType)).toContain("CANCEL_TAKER");
  });

  it("has to declare lists and records itself", () => {
    expect(() => recordOf(wire, { without: ["hidden"] })).toThrow("the type has to declare levels, a list or a record, itself");
  });

  it("finds no enum for words that the graph does not have", () => {
    const odd = record({ mode: optionalToken("Mode", ["odd"]) });
    expect(() => recordOf(odd)).toThrow("no enum of the graph has the words odd");
  });
});
