import { graph } from "../support/graph.js";
import "reflect-metadata";
import { GraphQLObjectType, GraphQLSchema, GraphQLString, graphql } from "graphql";
import { describe, expect, it } from "vitest";
import { guardFields } from "../../src/resolvers/guard.js";
import { type ScopeRequirement, scopeRequirementOf } from "../../src/schema/requiresScope.js";
import { SCOPE_NAMES } from "../../src/schema/scopes.js";

interface Sketch {
  readonly need?: ScopeRequirement;
  readonly resolve?: () => unknown;
}

const typeOf = (name: string, fields: Readonly<Record<string, Sketch>>): GraphQLObjectType =>
  new GraphQLObjectType({
    name,
    fields: Object.fromEntries(
      Object.entries(fields).map(([field, { need, resolve }]) => [
        field,
        {
          type: GraphQLString,
          ...(resolve === undefined ? {} : { resolve }),
          ...(need === undefined ? {} : { extensions: { need } }),
        },
      ]),
    ),
  });

const resolve = () => "there";
const schemaOf = (query: Readonly<Record<string, Sketch>>, mutation?: Readonly<Record<string, Sketch>>): GraphQLSchema =>
  new GraphQLSchema({
    query: typeOf("Query", query),
    ...(mutation === undefined ? {} : { mutation: typeOf("Mutation", mutation) }),
  });

describe("a graph", () => {
  it("is not built if a field with a resolver declares no scope", () => {
    const schema = schemaOf({ declared: { need: { scope: null }, resolve }, forgotten: { resolve }, plain: {} });
    expect(() => guardFields(schema)).toThrow("these fields do not say which scope they need: Query.forgotten");
  });

  it("is not built if a mutation declares no account", () => {
    const schema = schemaOf({ plain: {} }, { write: { need: { scope: "trade" }, resolve } });
    expect(() => guardFields(schema)).toThrow("Mutation.write");
  });

  it("is not served if the account of a field is unknown", async () => {
    const schema = schemaOf({ plain: {} });
    const parent = typeOf("Parent", { secret: { need: { scope: "read:account" }, resolve } });
    const withParent = new GraphQLSchema({
      query: new GraphQLObjectType({
        name: "Query",
        fields: { parent: { type: parent, resolve: () => ({}), extensions: { need: { scope: null } } } },
      }),
    });
    guardFields(schema);
    guardFields(withParent);
    const { data, errors } = await graphql({ schema: withParent, source: "{ parent { secret } }", contextValue: {} });
    expect(data).toEqual({ parent: { secret: null } });
    expect(errors?.[0]?.message).toBe("Parent.secret does not say which account it is about");
  });

  it("shows every field's required scope", () => {
    const roots = [graph.getQueryType(), graph.getMutationType(), graph.getSubscriptionType()];
    for (const field of roots.flatMap((type) => Object.values(type?.getFields() ?? {}))) {
      const scope = scopeRequirementOf(field)?.scope ?? null;
      expect(SCOPE_NAMES.filter((one) => field.description?.includes(`Scope: \`${one}\``))).toEqual(
        scope === null ? [] : [scope],
      );
    }
  });
});
