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
 * Apollo Server as what it is here: GraphQL over HTTP. It judges methods, headers, parameters and persisted queries, and
 * gives each operation to the engine, which parses, validates, admits and runs it. Nothing calls home, caches answers,
 * takes lists of requests or explains itself in HTML.
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

/** Apollo puts prefixes of its own before the hash. */
const hashOfKey = (key: string): string => key.slice(key.lastIndexOf(":") + 1);

/** Apollo runs nothing itself, and prints and hashes its schema at the start: a small one will do. */
const UNUSED = new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields: { unused: { type: GraphQLInt } } }) });

/** Apollo takes each document for one that it has read before. There is no operation in it, so it can do nothing with it. */
const STAND_IN: DocumentNode = { kind: Kind.DOCUMENT, definitions: [] };
const UNREAD = { get: async () => STAND_IN, set: async () => undefined, delete: async () => false };

/** The texts of results, by what stands for their data on its way through Apollo. */
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
  // Of what Apollo has refused itself.
  async willSendResponse({ request: { http }, response: { body } }) {
    if (body.kind !== "single" || body.singleResult.errors === undefined || !(http instanceof TrackedRequest)) return;
    http.errorCodes = body.singleResult.errors.map(({ extensions }) => String(extensions?.code));
  },
};
const inEngine: ApolloServerPlugin = { requestDidStart: async () => listener };
