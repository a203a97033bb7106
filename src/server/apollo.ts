import { ApolloServer, type ApolloServerPlugin, type BaseContext, type GraphQLRequestListener } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from "@apollo/server/plugin/disabled";
import type { GraphQLSchema } from "graphql";
import type { Trace } from "../datasources/reads/trace.js";
import { compiledExecution } from "./compiledExecution.js";
import { ErrorLog } from "./errorLog.js";
import { exchangeExtension } from "./exchangeExtension.js";
import { formatError } from "./formatError.js";
import type { Logger } from "./log.js";
import { TrackedRequest } from "./trackedRequest.js";

export interface ApolloOptions<Context> {
  readonly schema: GraphQLSchema;
  readonly log: Logger;
  /** May callers ask what the schema is? */
  readonly introspection: boolean;
  /** Off: graphql-js runs everything. */
  readonly compiled: boolean;
  /** What was read for an operation; without it nobody can ask for that. */
  readonly traceOf?: (context: Context) => Trace;
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
  traceOf,
}: ApolloOptions<Context>): ApolloServer<Context> {
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
      noteOperation,
      errorLog.plugin<Context>(),
      ...(traceOf === undefined ? [] : [exchangeExtension(traceOf)]),
      ...(compiled ? [compiledExecution<Context>(schema, errorLog)] : []),
    ],
  });
}

const notes: GraphQLRequestListener<BaseContext> = {
  async didResolveOperation({ request: { http }, operation }) {
    if (!(http instanceof TrackedRequest)) return;
    http.kind = operation?.operation;
    http.name = operation?.name?.value;
  },
  // Both roads lead here; Apollo's own hook for errors is not called on the compiled one.
  async willSendResponse({ request: { http }, response: { body } }) {
    if (body.kind !== "single" || body.singleResult.errors === undefined || !(http instanceof TrackedRequest)) return;
    http.errorCodes = body.singleResult.errors.map(({ extensions }) => String(extensions?.code));
  },
};
const noteOperation: ApolloServerPlugin = { requestDidStart: async () => notes };
