import { type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from "graphql";
import { costOf } from "../schema/cost.js";
import type { RequestContext } from "./context.js";

type Resolve = GraphQLFieldResolver<unknown, RequestContext>;

/** Publishes the start of resolvers that may call the exchange in recorded operations: those of fields with declared calls. */
export function publishResolvers(graph: GraphQLSchema): void {
  for (const type of Object.values(graph.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__") || type === graph.getSubscriptionType()) continue;
    for (const field of Object.values(type.getFields())) {
      const { calls, lists, accountList } = costOf(field) ?? {};
      const isCostly = calls !== undefined || lists !== undefined || accountList !== undefined;
      if (field.resolve !== undefined && isCostly) field.resolve = published(field.resolve, `${type.name}.${field.name}`);
    }
  }
}

const published =
  (resolve: Resolve, field: string): Resolve =>
  (source, args, context, info) => {
    const { trace: operation, exchange } = context.reads;
    const value: unknown = resolve(source, args, context, info);
    if (operation.recording !== undefined && value instanceof Promise)
      exchange.instrumentation.resolverStart.publish({ operation, field, settled: value });
    return value;
  };
