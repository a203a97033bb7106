import {
  type ApolloServerPlugin,
  type BaseContext,
  type GraphQLRequestListener,
  type GraphQLResponse,
  HeaderMap,
} from "@apollo/server";
import { type DocumentNode, type FormattedExecutionResult, Kind } from "graphql";
import type { Result } from "../../../engine/answers/result.js";
import { publishUnexpected } from "../../../engine/errors/formatError.js";
import type { Instrumentation } from "../../../instrumentation/instrumentation.js";
import { headOf } from "../writeAnswer.js";
import type { Passage } from "./passage.js";

/** The context of a request in Apollo and its plugins. */
export interface ApolloContext extends BaseContext {
  readonly passage: Passage;
}

/** A request that the engine refuses has no document. */
const NO_DOCUMENT: DocumentNode = { kind: Kind.DOCUMENT, definitions: [] };

/** The texts of results, by the placeholder that Apollo handles instead of their data. */
const texts = new WeakMap<object, string>();

/** Writes a response: the engine's text, or a refusal of Apollo's. */
export const textOf = (result: FormattedExecutionResult): string => {
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
export function engineBehindApollo({ failure }: Instrumentation): ApolloServerPlugin<ApolloContext> {
  const listener: GraphQLRequestListener<ApolloContext> = {
    async didResolveSource(request) {
      const { passage } = request.contextValue;
      const found = await passage.call.find();
      passage.found = found;
      const isFound = "document" in found;
      Object.assign(request, isFound ? { document: found.document, source: found.request.query } : { document: NO_DOCUMENT });
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
