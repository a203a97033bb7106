import "reflect-metadata";
import { type GraphQLSchema, OperationTypeNode, specifiedDirectives } from "graphql";
import { buildSchemaSync } from "type-graphql";
import { addOldNames } from "../schema/oldNames.js";
import { markSemanticNonNull, SEMANTIC_NON_NULL } from "../schema/semanticNonNull.js";
import { AccountResolver } from "./account.js";
import { ACCOUNT_EDGES } from "./accountEdges.js";
import { SettingsResolver } from "./accountSettings.js";
import { ActivityResolver } from "./activity/activity.js";
import { orderArguments } from "./argumentOrder.js";
import { BalanceResolver, BalancesResolver, FundingBalanceResolver, UnifiedAssetResolver } from "./balances.js";
import { BrokerResolver, SubAccountResolver, SubAccountSpotAssetResolver, SubAccountWithdrawalsResolver } from "./broker.js";
import { COIN_EDGES } from "./coinEdges.js";
import { CoinsResolver } from "./coins.js";
import { ConvertResolver } from "./convert.js";
import { ExchangeResolver } from "./exchange.js";
import { FillsResolver } from "./fills.js";
import { FinancialRecordResolver, FinancialRecordsResolver } from "./financialRecords.js";
import { FundingResolver } from "./funding.js";
import { FuturesAccountsResolver } from "./futuresAccounts.js";
import { guardFields } from "./guard.js";
import { AccountHistoryResolver, HistoryResolver, ReconciliationResolver } from "./history.js";
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
import { PositionHistoryResolver } from "./positionHistory.js";
import { PositionResolver, PositionsResolver } from "./positions.js";
import { recordResolvers } from "./recordResolvers.js";
import { ReferenceResolver } from "./reference.js";
import { LEFT_OUT, replaceInTypeGraphql } from "./replacedInTypeGraphql.js";
import { EarnSavingsResolver, SavingsResolver } from "./savings.js";
import { EarnResolver, SharkFinResolver } from "./sharkFin.js";
import { AccountSubscriptions } from "./subscriptions/account.js";
import { MarketSubscriptions } from "./subscriptions/market.js";
import { TickerResolver } from "./tickers.js";
import { TPSL_RESOLVERS } from "./tpsl.js";
import { ViewerResolver } from "./viewer.js";
import { WalletResolver } from "./wallet.js";

const RESOLVERS = [
  AccountHistoryResolver,
  ReconciliationResolver,
  AccountResolver,
  AccountSubscriptions,
  ActivityResolver,
  BalanceResolver,
  BalancesResolver,
  BrokerResolver,
  CoinsResolver,
  ConvertResolver,
  EarnResolver,
  EarnSavingsResolver,
  ExchangeResolver,
  FillsResolver,
  FinancialRecordResolver,
  FinancialRecordsResolver,
  FundingBalanceResolver,
  FundingResolver,
  FuturesAccountsResolver,
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
  PositionHistoryResolver,
  PositionResolver,
  PositionsResolver,
  ReferenceResolver,
  SavingsResolver,
  SettingsResolver,
  SharkFinResolver,
  SubAccountResolver,
  SubAccountSpotAssetResolver,
  SubAccountWithdrawalsResolver,
  TickerResolver,
  UnifiedAssetResolver,
  ViewerResolver,
  WalletResolver,
  ...TPSL_RESOLVERS,
  ...ORDER_EDGES,
  ...POSITION_EDGES,
  ...ACCOUNT_EDGES,
  ...COIN_EDGES,
  ...INSTRUMENT_EDGES,
  ...MARKET_JOINS,
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
