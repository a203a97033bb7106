import { ApolloServer, type ApolloServerPlugin, type BaseContext, type GraphQLRequestListener } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from "@apollo/server/plugin/disabled";
import type { GraphQLSchema } from "graphql";
import { compiledExecution } from "./compiledExecution.js";
import { ErrorLog } from "./errorLog.js";
import { formatError } from "./formatError.js";
import type { Logger } from "./log.js";
import { TrackedRequest } from "./trackedRequest.js";

export interface ApolloOptions {
  readonly schema: GraphQLSchema;
  readonly log: Logger;
  /** May callers ask what the schema is? */
  readonly introspection: boolean;
  /** Off: graphql-js runs everything. */
  readonly compiled: boolean;
}

/**
 * Apollo Server without anything that calls home, caches answers or explains itself in HTML. Parsed and validated
 * documents are kept by their text, in a store that Apollo bounds.
 */
export function createApollo<Context extends BaseContext>({
  schema,
  log,
  introspection,
  compiled,
}: ApolloOptions): ApolloServer<Context> {
  const errorLog = new ErrorLog(log);
  return new ApolloServer<Context>({
    schema,
    introspection,
    formatError,
    logger: log,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    stringifyResult: (result) => JSON.stringify(result),
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      noteOperationKind,
      errorLog.plugin<Context>(),
      ...(compiled ? [compiledExecution<Context>(schema, errorLog)] : []),
    ],
  });
}

const noteKind: GraphQLRequestListener<BaseContext> = {
  async didResolveOperation({ request, operation }) {
    if (request.http instanceof TrackedRequest) request.http.kind = operation?.operation;
  },
};
const noteOperationKind: ApolloServerPlugin = { requestDidStart: async () => noteKind };
