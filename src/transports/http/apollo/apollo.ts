import { ApolloServer, type ApolloServerPlugin, type BaseContext, type GraphQLRequestListener } from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from "@apollo/server/plugin/disabled";
import { GraphQLError, type GraphQLSchema, OperationTypeNode } from "graphql";
import type { Logger } from "pino";
import type { Trace } from "../../../datasources/reads/trace.js";
import { resultText } from "../../../engine/answers/writtenData.js";
import type { OperationCosts } from "../../../engine/cost/operationCosts.js";
import { ApolloDocuments } from "../../../engine/documents/apolloDocuments.js";
import type { DocumentPolicy } from "../../../engine/documents/documentPolicy.js";
import type { ErrorReports } from "../../../engine/errors/errorReports.js";
import { shownErrors } from "../../../engine/errors/shownErrors.js";
import { compiledExecution } from "./compiledExecution.js";
import { costExtension } from "./costExtension.js";
import { errorReports } from "./errorReports.js";
import { exchangeExtension } from "./exchangeExtension.js";
import { TrackedRequest } from "./trackedRequest.js";

interface ApolloOptions<Context> {
  readonly schema: GraphQLSchema;
  readonly log: Logger;
  readonly errors: ErrorReports;
  readonly documents: DocumentPolicy;
  /** Off: graphql-js runs everything. */
  readonly compiled: boolean;
  /** What was read for an operation; without it nobody can ask for that. */
  readonly traceOf?: (context: Context) => Trace;
  /** Judges operations by what they cost; without it they cost nothing. */
  readonly costs?: OperationCosts;
}

/**
 * Apollo Server without anything that calls home, caches answers, takes lists of requests or explains itself in
 * HTML.
 */
export function createApollo<Context extends BaseContext>({
  schema,
  log,
  errors,
  documents: policy,
  compiled,
  traceOf,
  costs,
}: ApolloOptions<Context>): ApolloServer<Context> {
  const documents = new ApolloDocuments(policy);
  return new ApolloServer<Context>({
    schema,
    introspection: policy.introspection,
    formatError: shownErrors(policy),
    documentStore: documents.store,
    persistedQueries: { cache: documents.persisted },
    parseOptions: { maxTokens: policy.limits.tokens },
    validationOptions: { hideSuggestions: !policy.suggestions },
    allowBatchedHttpRequests: false,
    logger: log,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    stringifyResult: resultText,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      noteOperation,
      refuseSubscriptions,
      documents.plugin<Context>(),
      errorReports<Context>(errors),
      ...(traceOf === undefined ? [] : [exchangeExtension(traceOf)]),
      ...(traceOf === undefined || costs === undefined ? [] : [costExtension(costs, traceOf)]),
      ...(compiled ? [compiledExecution<Context>(schema, errors)] : []),
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

/** An answer is one, and a subscription goes on: run as a query, its fields would have no event to read. */
const refuseSubscriptions: ApolloServerPlugin = {
  requestDidStart: async () => ({
    async didResolveOperation({ operation }) {
      if (operation?.operation !== OperationTypeNode.SUBSCRIPTION) return;
      throw new GraphQLError("Subscriptions go over a WebSocket at /graphql, or as an event stream at /graphql/stream.", {
        extensions: { code: "BAD_REQUEST", http: { status: 400 } },
      });
    },
  }),
};
