import {
  type GraphQLArgument,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
  OperationTypeNode,
  specifiedDirectives,
} from "graphql";
import { mayCall } from "../schema/cost.js";
import type { RequestContext } from "./context.js";
import "reflect-metadata";
import { buildSchemaSync } from "type-graphql";
import { addOldNames } from "../schema/oldNames.js";
import { markSemanticNonNull, SEMANTIC_NON_NULL } from "../schema/semanticNonNull.js";
import { AccountResolver, ViewerResolver } from "./account.js";
import { ACCOUNT_EDGES } from "./accountEdges.js";
import { ActivityResolver } from "./activity/activity.js";
import { BalancesResolver, VALUE_EDGES } from "./balances.js";
import { BrokerResolver, SubAccountResolver, SubAccountSpotAssetResolver } from "./broker.js";
import { COIN_EDGES, CoinsResolver } from "./coins.js";
import { ConvertResolver } from "./convert.js";
import { EarnResolver, SavingsResolver, SharkFinResolver } from "./earn.js";
import { ExchangeResolver } from "./exchange.js";
import { FinancialRecordResolver, FinancialRecordsResolver } from "./financialRecords.js";
import { FundingResolver } from "./funding.js";
import { guardFields } from "./guard.js";
import { AccountHistoryResolver, HistoryResolver } from "./history.js";
import { INSTRUMENT_EDGES } from "./instrumentEdges.js";
import { InstrumentResolver } from "./instruments.js";
import { LoanOrderResolver, LoansResolver } from "./loans.js";
import { MarketResolver } from "./market.js";
import { MARKET_JOINS } from "./marketJoins.js";
import { MUTATIONS } from "./mutations/index.js";
import { observeMutations } from "./mutations/observeMutations.js";
import { NodeResolver } from "./nodes/nodeResolver.js";
import { ORDER_EDGES } from "./orderEdges.js";
import { OrdersResolver } from "./orders.js";
import { PlanOrderResolver, PlanOrdersResolver } from "./planOrders.js";
import { POSITION_EDGES } from "./positionEdges.js";
import { PositionResolver, PositionsResolver } from "./positions.js";
import { ReferenceResolver } from "./reference.js";
import { LEFT_OUT, replaceInTypeGraphql } from "./replacedInTypeGraphql.js";
import { AccountSubscriptions } from "./subscriptions/account.js";
import { MarketSubscriptions } from "./subscriptions/market.js";
import { TPSL_RESOLVERS } from "./tpsl.js";
import { WalletResolver } from "./wallet.js";

type Resolve = GraphQLFieldResolver<unknown, RequestContext>;

/** Records the resolvers that may call the exchange in recorded operations: those of fields with declared calls. */
function recordResolvers(graph: GraphQLSchema): void {
  for (const type of Object.values(graph.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__") || type === graph.getSubscriptionType()) continue;
    for (const field of Object.values(type.getFields()))
      if (field.resolve !== undefined && mayCall(field)) field.resolve = recorded(field.resolve, `${type.name}.${field.name}`);
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

const RESOLVERS = [
  AccountHistoryResolver,
  AccountResolver,
  AccountSubscriptions,
  ActivityResolver,
  BalancesResolver,
  BrokerResolver,
  CoinsResolver,
  ConvertResolver,
  EarnResolver,
  ExchangeResolver,
  FinancialRecordResolver,
  FinancialRecordsResolver,
  FundingResolver,
  HistoryResolver,
  InstrumentResolver,
  LoanOrderResolver,
  LoansResolver,
  MarketResolver,
  MarketSubscriptions,
  NodeResolver,
  OrdersResolver,
  PlanOrderResolver,
  PlanOrdersResolver,
  PositionResolver,
  PositionsResolver,
  ReferenceResolver,
  SavingsResolver,
  SharkFinResolver,
  SubAccountResolver,
  SubAccountSpotAssetResolver,
  ViewerResolver,
  WalletResolver,
  ...TPSL_RESOLVERS,
  ...ORDER_EDGES,
  ...POSITION_EDGES,
  ...ACCOUNT_EDGES,
  ...COIN_EDGES,
  ...INSTRUMENT_EDGES,
  ...MARKET_JOINS,
  ...VALUE_EDGES,
  ...MUTATIONS,
] as const;

/** Descriptions of the root types, which are made from the resolvers' methods and have no class. */
const ROOTS = [
  [OperationTypeNode.QUERY, "Queries: nothing is changed at the exchange"],
  [OperationTypeNode.MUTATION, "Writes: each takes one input and returns one payload with its outcome"],
  [OperationTypeNode.SUBSCRIPTION, "Live updates: the current state first, then changes"],
] as const;

/** The executable schema, with a `RequestContext` as its context. Throws if a field does not declare its scope. */
export function buildGraph(): GraphQLSchema {
  const graph = buildSchemaSync({
    resolvers: [...RESOLVERS],
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
