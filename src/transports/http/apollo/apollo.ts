import {
  ApolloServer,
  type ApolloServerPlugin,
  type BaseContext,
  type GraphQLRequestListener,
  type GraphQLResponse,
  HeaderMap,
} from "@apollo/server";
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginLandingPageDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from "@apollo/server/plugin/disabled";
import { type DocumentNode, type FormattedExecutionResult, GraphQLInt, GraphQLObjectType, GraphQLSchema, Kind } from "graphql";
import type { Logger } from "pino";
import type { Result } from "../../../engine/answers/result.js";
import type { DocumentPolicy } from "../../../engine/documents/documentPolicy.js";
import type { Documents } from "../../../engine/documents/documents.js";
import { asksForTrace } from "../../../engine/documents/operationRequest.js";
import { shownErrors } from "../../../engine/errors/shownErrors.js";
import type { Instrumentation } from "../../../instrumentation/instrumentation.js";
import { headOf } from "../resultStatus.js";
import { errorReports } from "./errorReports.js";
import { TrackedRequest } from "./trackedRequest.js";

interface ApolloOptions {
  readonly log: Logger;
  readonly instrumentation: Instrumentation;
  readonly policy: DocumentPolicy;
  readonly documents: Documents;
}

/**
 * Apollo Server implements GraphQL over HTTP. It checks methods, headers, parameters and persisted queries, and passes each
 * operation to the engine, which parses, validates, admits and executes it. Usage reporting, caching, batching and landing pages
 * are off.
 */
export function createApollo({ log, instrumentation, policy, documents }: ApolloOptions): ApolloServer {
  return new ApolloServer({
    schema: UNUSED,
    introspection: policy.introspection,
    formatError: shownErrors(policy),
    documentStore: UNREAD,
    persistedQueries: {
      cache: {
        get: async (key) => documents.textOf(hashOfKey(key)),
        set: async (key, text) => documents.register(hashOfKey(key), text),
        delete: async () => false,
      },
    },
    allowBatchedHttpRequests: false,
    logger: log,
    csrfPrevention: true,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    stringifyResult: textOf,
    plugins: [
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      ApolloServerPluginSchemaReportingDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
      inEngine,
      errorReports(instrumentation),
    ],
  });
}

/** Apollo adds prefixes before the hash. */
const hashOfKey = (key: string): string => key.slice(key.lastIndexOf(":") + 1);

/** Apollo executes nothing, but prints and hashes its schema at the start, so it gets a minimal one. */
const UNUSED = new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields: { unused: { type: GraphQLInt } } }) });

/** Apollo finds this in its document store for every request. It has no operation, so Apollo cannot execute it. */
const STAND_IN: DocumentNode = { kind: Kind.DOCUMENT, definitions: [] };
const UNREAD = { get: async () => STAND_IN, set: async () => undefined, delete: async () => false };

/** The texts of results, by the placeholder that Apollo handles instead of their data. */
const texts = new WeakMap<object, string>();

const textOf = (result: FormattedExecutionResult): string => {
  const { data } = result;
  return (data === null || data === undefined ? undefined : texts.get(data)) ?? JSON.stringify(result);
};

function responseOf(result: Result): GraphQLResponse {
  const { status, headers } = headOf(result);
  const data = {};
  texts.set(data, result.text);
  return {
    http: { status, headers: new HeaderMap(Object.entries(headers)) },
    body: { kind: "single", singleResult: { data } },
  };
}

const listener: GraphQLRequestListener<BaseContext> = {
  async responseForOperation({ source, request: { http, operationName, variables = {}, extensions } }) {
    if (!(http instanceof TrackedRequest)) throw new Error("a request that is not one of ours");
    const isTraced = asksForTrace(extensions);
    return responseOf(await http.run({ query: source, operationName, variables, isTraced }));
  },
  // For requests that Apollo itself has refused.
  async willSendResponse({ request: { http }, response: { body } }) {
    if (body.kind !== "single" || body.singleResult.errors === undefined || !(http instanceof TrackedRequest)) return;
    http.errorCodes = body.singleResult.errors.map(({ extensions }) => String(extensions?.code));
  },
};
const inEngine: ApolloServerPlugin = { requestDidStart: async () => listener };
