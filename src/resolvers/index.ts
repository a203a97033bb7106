import "reflect-metadata";
import type { GraphQLSchema } from "graphql";
import { buildSchemaSync } from "type-graphql";
import { AccountResolver } from "./account.js";
import { BrokerResolver, SubAccountResolver } from "./broker.js";
import { ExchangeResolver } from "./exchange.js";
import { FuturesAccountsResolver } from "./futuresAccounts.js";
import { LoansResolver } from "./loans.js";
import { NodeResolver } from "./nodes/nodeResolver.js";
import { PositionHistoryResolver } from "./positionHistory.js";
import { ReferenceResolver } from "./reference.js";
import { EarnResolver, SharkFinResolver } from "./sharkFin.js";
import { MarginPairResolver, SpotSymbolResolver } from "./tradingRules.js";
import { ViewerResolver } from "./viewer.js";

export { createContext, type RequestContext } from "./context.js";

const RESOLVERS = [
  AccountResolver,
  BrokerResolver,
  EarnResolver,
  ExchangeResolver,
  FuturesAccountsResolver,
  LoansResolver,
  MarginPairResolver,
  NodeResolver,
  PositionHistoryResolver,
  ReferenceResolver,
  SharkFinResolver,
  SpotSymbolResolver,
  SubAccountResolver,
  ViewerResolver,
] as const;

/** The whole graph, executable with a `RequestContext` as its context. */
export function buildGraph(): GraphQLSchema {
  const graph = buildSchemaSync({ resolvers: [...RESOLVERS], validate: false });
  const query = graph.getQueryType();
  // Root types are made of the resolvers' methods and have no class to describe them.
  if (query) query.description = "What can be read";
  return graph;
}
