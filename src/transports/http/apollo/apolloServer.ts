import type { IncomingHttpHeaders } from "node:http";
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
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from "@apollo/server/plugin/disabled";
import { isObject } from "@exchange-graph/contract/json";
import { type DocumentNode, type FormattedExecutionResult, type GraphQLSchema, Kind, OperationTypeNode } from "graphql";
import type { Logger } from "pino";
import type { Result } from "../../../engine/answers/result.js";
import type { DocumentPolicy } from "../../../engine/documents/documentPolicy.js";
import { publishUnexpected } from "../../../engine/errors/formatError.js";
import { shownErrors } from "../../../engine/errors/shownErrors.js";
import type { FoundOperation } from "../../../engine/operations/operations.js";
import type { Operation } from "../../../instrumentation/events.js";
import type { Instrumentation } from "../../../instrumentation/instrumentation.js";
import { isFromNoOtherPage } from "../../arrival/hostsAndOrigins.js";
import { headOf } from "../writeAnswer.js";

/** An operation that Apollo passes to the engine. */
interface EngineCall {
  /** Reads the request and finds its operation, or the refusal. */
  find(): Promise<FoundOperation | Result>;
  execute(found: FoundOperation): Result | Promise<Result>;
}

/** A request on its way through Apollo, which passes it to all plugins as part of the context. */
class Passage {
  /** `undefined` until Apollo has admitted the request. */
  found: FoundOperation | Result | undefined;
  /** The engine's result; `undefined` if Apollo itself refused the request. */
  result: Result | undefined;
  /** Codes of the errors if Apollo itself refused the request. */
  errorCodes: readonly string[] = [];

  constructor(
    readonly requestId: string,
    readonly call: EngineCall,
  ) {}

  get operation(): Operation {
    return this.result ?? { kind: this.found?.kind, name: this.found?.name, errorCodes: this.errorCodes };
  }
}

/** The context of a request in Apollo and its plugins. */
interface ApolloContext extends BaseContext {
  readonly passage: Passage;
}

/** A request that the engine refuses has no document. */
const NO_DOCUMENT: DocumentNode = { kind: Kind.DOCUMENT, definitions: [] };

/** The texts of results, by the placeholder that Apollo handles instead of their data. */
const texts = new WeakMap<object, string>();

/** Writes a response: the engine's text, or a refusal of Apollo's. */
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

/**
 * The plugin through which the engine executes. Apollo parses and validates only what has no document yet, and executes only what no
 * plugin answers.
 */
function engineBehindApollo({ failure }: Instrumentation): ApolloServerPlugin<ApolloContext> {
  const listener: GraphQLRequestListener<ApolloContext> = {
    async didResolveSource(request) {
      const { passage } = request.contextValue;
      const found = await passage.call.find();
      passage.found = found;
      const isFound = "document" in found;
      Object.assign(
        request,
        isFound ? { document: found.document, source: found.call.operation.query } : { document: NO_DOCUMENT },
      );
    },
    async responseForOperation({ contextValue: { passage } }) {
      const { found, call } = passage;
      if (found === undefined) throw new Error("a request without an operation");
      passage.result = "text" in found ? found : await call.execute(found);
      return responseOf(passage.result);
    },
    async willSendResponse({ contextValue: { passage }, response: { body } }) {
      if (passage.result !== undefined || body.kind !== "single" || body.singleResult.errors === undefined) return;
      passage.errorCodes = body.singleResult.errors.map(({ extensions }) => String(extensions?.code));
    },
    didEncounterErrors: async ({ errors, contextValue: { passage }, operationName }) =>
      publishUnexpected(failure, errors, passage, operationName ?? undefined),
  };
  return {
    requestDidStart: async () => listener,
    contextCreationDidFail: async ({ error }) => failure.publish({ error, what: "no context for a request" }),
    unexpectedErrorProcessingRequest: async ({ requestContext: { contextValue }, error }) => {
      const { requestId } = contextValue.passage;
      failure.publish({ error, what: "unexpected error around an operation", requestId });
    },
  };
}

/** What a browser shows at the address of the graph: Apollo's landing page with a link to GraphiQL. */
const landingPage: ApolloServerPlugin = {
  serverWillStart: async () => ({
    renderLandingPage: async () => ({
      html: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>GraphQL: exchange-graph</title>
  </head>
  <body>
    <h1>GraphQL is served here</h1>
    <p>Programs send their operations to this address. <a href="/graphiql">GraphiQL</a> explores the graph in a browser.</p>
  </body>
</html>
`,
    }),
  }),
};

export type ApolloPlugin = ApolloServerPlugin<ApolloContext>;

interface ApolloOptions {
  readonly schema: GraphQLSchema;
  readonly policy: DocumentPolicy;
  readonly log: Logger;
  readonly instrumentation: Instrumentation;
  /** Further plugins. Default: none. */
  readonly plugins?: readonly ApolloPlugin[] | undefined;
}

interface HttpRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  /** The query string with its question mark, or an empty text. */
  readonly search: string;
  /** The parsed JSON of a POST. */
  readonly body: unknown;
}

interface ApolloAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly passage: Passage;
}

/**
 * Apollo Server over the graph. It checks methods, headers and parameters, negotiates the content type and runs plugins. The engine
 * parses, validates, admits and executes each operation, and has the persisted queries of all transports.
 */
export class ApolloHttp {
  readonly #server: ApolloServer<ApolloContext>;
  /** Whether there are plugins that have to see every request. */
  readonly hasPlugins: boolean;

  constructor({ schema, policy, log, instrumentation, plugins = [] }: ApolloOptions) {
    this.hasPlugins = plugins.length > 0;
    this.#server = new ApolloServer<ApolloContext>({
      schema,
      introspection: policy.introspection,
      formatError: shownErrors(policy),
      documentStore: null,
      persistedQueries: false,
      allowBatchedHttpRequests: false,
      logger: log,
      csrfPrevention: true,
      includeStacktraceInErrorResponses: false,
      stopOnTerminationSignals: false,
      stringifyResult: textOf,
      plugins: [
        ApolloServerPluginCacheControlDisabled(),
        ApolloServerPluginInlineTraceDisabled(),
        ApolloServerPluginSchemaReportingDisabled(),
        ApolloServerPluginUsageReportingDisabled(),
        landingPage,
        ...plugins,
        engineBehindApollo(instrumentation),
      ],
    });
  }

  start(): Promise<void> {
    return this.#server.start();
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  async answer({ method, headers, search, body }: HttpRequest, requestId: string, call: EngineCall): Promise<ApolloAnswer> {
    const received = headerMap(headers);
    // Satisfies Apollo's CSRF prevention, because such a request cannot have been forged by another page.
    if (method === "GET" && isFromNoOtherPage(headers)) received.set("apollo-require-preflight", "1");
    const passage = new Passage(requestId, call);
    const response = await this.#server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method, headers: received, search: searchWithText(search), body: bodyWithText(body) },
      context: async () => ({ passage }),
    });
    if (response.body.kind !== "complete") throw new Error("the schema has no incremental delivery");
    const { result } = passage;
    // Apollo looks at the accepted types after the execution. A write that was executed is never answered as refused.
    if (response.status === NOT_ACCEPTABLE && result?.hasRun === true && result.kind === OperationTypeNode.MUTATION)
      return { status: 200, headers: { "content-type": "application/json; charset=utf-8" }, body: result.text, passage };
    return {
      status: response.status ?? 200,
      headers: Object.fromEntries(response.headers),
      body: response.body.string,
      passage,
    };
  }
}

function headerMap(headers: IncomingHttpHeaders): HeaderMap {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) map.set(name, Array.isArray(value) ? value.join(", ") : value);
  return map;
}

const NOT_ACCEPTABLE = 406;

/** What Apollo sees of a document that is named by its hash. Only the engine looks it up. */
const BY_HASH = "{ __typename }";

const isByHash = (parameters: Readonly<Record<string, unknown>>): boolean =>
  "documentId" in parameters || (isObject(parameters.extensions) && parameters.extensions.persistedQuery !== undefined);

/** What Apollo gets in place of the name of a document. */
function bodyWithText(body: unknown): unknown {
  if (!isObject(body) || !isByHash(body)) return body;
  const { documentId: _, extensions: __, ...rest } = body;
  return { ...rest, query: BY_HASH };
}

function searchWithText(search: string): string {
  const parameters = new URLSearchParams(search);
  const isByHash = parameters.has("documentId") || parameters.get("extensions")?.includes("persistedQuery") === true;
  if (!isByHash) return search;
  parameters.delete("documentId");
  parameters.delete("extensions");
  parameters.set("query", BY_HASH);
  return `?${parameters}`;
}
