import { type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from "graphql";
import { costOf } from "../schema/cost.js";
import type { RequestContext } from "./context.js";

type Resolve = GraphQLFieldResolver<unknown, RequestContext>;

/** Records the resolvers that may call the exchange in recorded operations: those of fields with declared calls. */
export function recordResolvers(graph: GraphQLSchema): void {
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
