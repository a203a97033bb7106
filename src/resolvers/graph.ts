import {
  type GraphQLArgument,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
  OperationTypeNode,
  specifiedDirectives,
} from "graphql";
import { costOf } from "../schema/cost.js";
import type { RequestContext } from "./context.js";
import "reflect-metadata";
import { buildSchemaSync, getMetadataStorage, type NonEmptyArray } from "type-graphql";
import { addOldNames } from "../schema/oldNames.js";
import { markSemanticNonNull, SEMANTIC_NON_NULL } from "../schema/semanticNonNull.js";
import { guardFields } from "./guard.js";
import { observeMutations } from "./mutations/observeMutations.js";
import { LEFT_OUT, replaceInTypeGraphql } from "./replacedInTypeGraphql.js";
import "./account.js";
import "./accountEdges.js";
import "./activity/activity.js";
import "./balances.js";
import "./broker.js";
import "./coins.js";
import "./convert.js";
import "./earn.js";
import "./exchange.js";
import "./financialRecords.js";
import "./funding.js";
import "./history.js";
import "./instrumentEdges.js";
import "./instruments.js";
import "./loans.js";
import "./market.js";
import "./marketJoins.js";
import "./mutations/accountManagement.js";
import "./mutations/accountSettings.js";
import "./mutations/deadMansSwitch.js";
import "./mutations/journal.js";
import "./mutations/funds.js";
import "./mutations/halt.js";
import "./mutations/journalEdges.js";
import "./mutations/manyOrders.js";
import "./mutations/orderJoins.js";
import "./mutations/orders.js";
import "./nodes/nodeResolver.js";
import "./orderEdges.js";
import "./orders.js";
import "./planOrders.js";
import "./positionEdges.js";
import "./positions.js";
import "./reference.js";
import "./subscriptions/account.js";
import "./subscriptions/market.js";
import "./tpsl.js";
import "./wallet.js";

type Resolve = GraphQLFieldResolver<unknown, RequestContext>;

/** Records the resolvers that may call the exchange in recorded operations: those of fields with declared calls. */
function recordResolvers(graph: GraphQLSchema): void {
  for (const type of Object.values(graph.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__") || type === graph.getSubscriptionType()) continue;
    for (const field of Object.values(type.getFields())) {
      const { calls, lists, accountLists } = costOf(field) ?? {};
      const isCostly = calls !== undefined || lists !== undefined || accountLists !== undefined;
      if (field.resolve !== undefined && isCostly) field.resolve = recorded(field.resolve, `${type.name}.${field.name}`);
    }
  }
}

const recorded =
  (resolve: Resolve, field: string): Resolve =>
  (source, args, context, info) => {
    const value: unknown = resolve(source, args, context, info);
    if (value instanceof Promise) context.reads.trace.recording?.resolving(field, value);
    return value;
  };

/** Arguments that lists share, in the order of every field: first these, then the field's other arguments, then `LAST`. */
const FIRST = [
  "first",
  "after",
  "kinds",
  "category",
  "categories",
  "productType",
  "periodType",
  "symbol",
  "symbols",
  "coin",
  "coins",
];
const LAST = ["from", "to", "maxAgeMs", "pace"];

function rankOf({ name }: GraphQLArgument): number {
  const end = LAST.indexOf(name);
  if (end >= 0) return FIRST.length + 1 + end;
  const start = FIRST.indexOf(name);
  return start >= 0 ? start : FIRST.length;
}

/** Orders the arguments of all fields in the same way. By default they have the order of their classes. */
function orderArguments(graph: GraphQLSchema): void {
  for (const type of Object.values(graph.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__")) continue;
    for (const field of Object.values(type.getFields()))
      field.args = [...field.args].sort((one, other) => rankOf(one) - rankOf(other));
  }
}

/** All resolvers: the files that are imported above have declared them. */
const RESOLVERS = getMetadataStorage().resolverClasses.map(({ target }) => target);

/** Descriptions of the root types, which are made from the resolvers' methods and have no class. */
const ROOTS = [
  [OperationTypeNode.QUERY, "Queries: nothing is changed at the exchange"],
  [OperationTypeNode.MUTATION, "Writes: each takes one input and returns one payload with its outcome"],
  [OperationTypeNode.SUBSCRIPTION, "Live updates: the current state first, then changes"],
] as const;

/** The executable schema, with a `RequestContext` as its context. Throws if a field does not declare its scope. */
export function buildGraph(): GraphQLSchema {
  const graph = buildSchemaSync({
    resolvers: RESOLVERS as NonEmptyArray<(typeof RESOLVERS)[number]>,
    directives: [...specifiedDirectives, SEMANTIC_NON_NULL],
    ...LEFT_OUT,
  });
  for (const [operation, description] of ROOTS) {
    const root = graph.getRootType(operation);
    if (root) root.description = description;
  }
  replaceInTypeGraphql(graph);
  orderArguments(graph);
  guardFields(graph);
  recordResolvers(graph);
  observeMutations(graph);
  markSemanticNonNull(graph);
  addOldNames(graph);
  return graph;
}
