import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLError,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  Kind,
} from "graphql";
import { Fault } from "../../../src/datasources/errors/fault.js";
import type { Trace } from "../../../src/datasources/reads/reader/trace.js";

/** The context of the tests' resolvers. */
export interface TinyContext {
  readonly principal: string;
  /** How often `count`, `slow` and `add` ran. */
  readonly counts: { reads: number };
  /** The promise that `slow` waits for. */
  readonly gate: Promise<void>;
  readonly reads: { readonly trace: Trace };
}

/** A custom scalar like the gateway's: text in documents and responses, another type in resolvers. */
const Moment = new GraphQLScalarType<Date, string>({
  name: "Moment",
  serialize(value) {
    if (!(value instanceof Date)) throw new TypeError("not a moment: internal-detail");
    return value.toISOString();
  },
  parseValue(value) {
    if (typeof value !== "string" || Number.isNaN(Date.parse(value))) throw new GraphQLError("A moment is ISO-8601 text.");
    return new Date(value);
  },
  parseLiteral(node) {
    if (node.kind !== Kind.STRING || Number.isNaN(Date.parse(node.value))) throw new GraphQLError("A moment is ISO-8601 text.");
    return new Date(node.value);
  },
});

const Mode = new GraphQLEnumType({ name: "Mode", values: { UNIFIED: { value: "uta" }, CLASSIC: { value: "cls" } } });

/** Distinguishes only an account from a pair. */
const typeOf = (value: object) => ("mode" in value ? "Account" : "tick" in value ? "Pair" : undefined);

const Named = new GraphQLInterfaceType({
  name: "Named",
  resolveType: typeOf,
  fields: { name: { type: new GraphQLNonNull(GraphQLString) } },
});

const Account: GraphQLObjectType = new GraphQLObjectType<{ name: string }>({
  name: "Account",
  interfaces: [Named],
  fields: () => ({
    name: { type: new GraphQLNonNull(GraphQLString) },
    mode: { type: Mode },
    opened: { type: Moment },
    upper: { type: GraphQLString, resolve: async ({ name }) => name.toUpperCase() },
    refused: {
      type: GraphQLString,
      resolve: async () => {
        throw new Fault("EXCHANGE_REJECTED", "the exchange said no", {
          exchange: { code: "40084", msg: "no", endpoint: "assets" },
        });
      },
    },
    broken: {
      type: GraphQLString,
      resolve: () => {
        throw new TypeError("internal-detail");
      },
    },
    needed: {
      type: new GraphQLNonNull(GraphQLString),
      resolve: async ({ name }) => {
        if (name === "classic") throw new Fault("EXCHANGE_TIMEOUT", "too late");
        return name;
      },
    },
    missing: { type: new GraphQLNonNull(GraphQLString), resolve: () => null },
    self: { type: new GraphQLNonNull(Account), resolve: async (account) => account },
  }),
});

const Pair = new GraphQLObjectType({
  name: "Pair",
  interfaces: [Named],
  fields: { name: { type: new GraphQLNonNull(GraphQLString) }, tick: { type: GraphQLString } },
});

const Either = new GraphQLUnionType({ name: "Either", resolveType: typeOf, types: [Account, Pair] });

const Filter = new GraphQLInputObjectType({
  name: "Filter",
  fields: {
    from: { type: Moment },
    mode: { type: Mode, defaultValue: "uta" },
    deep: { type: new GraphQLList(new GraphQLNonNull(GraphQLInt)) },
  },
});

const ACCOUNTS = [
  { name: "main", mode: "uta", opened: new Date(0) },
  { name: "classic", mode: "cls", opened: null },
];

/** Returns its arguments as text, so that two executors can be compared by what they pass to resolvers. */
const seen = (value: unknown): string =>
  JSON.stringify(value, (_key, inner) => (inner === undefined ? "undefined" : inner)) +
  (value instanceof Date ? " as a Date" : "");

const Query = new GraphQLObjectType<unknown, TinyContext>({
  name: "Query",
  fields: {
    hello: {
      type: GraphQLString,
      args: { name: { type: GraphQLString, defaultValue: "you" } },
      resolve: (_, { name }) => `hello ${name}`,
    },
    principal: { type: GraphQLString, resolve: (_, __, context) => context.principal },
    count: { type: GraphQLInt, resolve: async (_, __, context) => ++context.counts.reads },
    slow: {
      type: GraphQLString,
      resolve: async (_, __, context) => {
        context.counts.reads++;
        await context.gate;
        return "at last";
      },
    },
    accounts: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Account))), resolve: async () => ACCOUNTS },
    account: {
      type: Account,
      args: { name: { type: GraphQLString } },
      resolve: async (_, { name }) => ACCOUNTS.find((account) => account.name === name) ?? null,
    },
    named: { type: new GraphQLList(Named), resolve: async () => [...ACCOUNTS, { name: "BTCUSDT", tick: "0.1" }] },
    either: { type: new GraphQLList(Either), resolve: () => [{ name: "BTCUSDT", tick: "0.1" }, ACCOUNTS[0]] },
    stranger: { type: Named, resolve: () => ({ name: "neither" }) },
    laterStranger: { type: Named, resolve: async () => ({ name: "neither" }) },
    holes: { type: new GraphQLList(GraphQLString), resolve: async () => ["a", null, new Fault("RATE_LIMITED", "slower"), "b"] },
    fullList: { type: new GraphQLList(new GraphQLNonNull(GraphQLString)), resolve: async () => ["a", null] },
    notAList: { type: new GraphQLList(GraphQLString), resolve: () => 7 },
    moment: {
      type: GraphQLString,
      args: { at: { type: Moment, defaultValue: new Date(1_000) } },
      resolve: (_, { at }) => seen(at),
    },
    badMoment: { type: Moment, resolve: () => "yesterday" },
    badMode: { type: Mode, resolve: () => "internal-detail" },
    needs: {
      type: GraphQLString,
      args: { count: { type: new GraphQLNonNull(GraphQLInt) } },
      resolve: (_, { count }) => seen(count),
    },
    filtered: { type: GraphQLString, args: { filter: { type: Filter } }, resolve: (_, { filter }) => seen(filter) },
    deep: { type: GraphQLString, args: { list: { type: new GraphQLList(GraphQLInt) } }, resolve: (_, { list }) => seen(list) },
    rejectsText: { type: GraphQLBoolean, resolve: () => Promise.reject("internal-detail") },
    rejectsNothing: { type: GraphQLBoolean, resolve: () => Promise.reject() },
  },
});

const Mutation = new GraphQLObjectType<unknown, TinyContext>({
  name: "Mutation",
  fields: {
    add: { type: GraphQLInt, resolve: (_, __, context) => ++context.counts.reads },
  },
});

export const tinyGraph = (): GraphQLSchema => new GraphQLSchema({ query: Query, mutation: Mutation });
