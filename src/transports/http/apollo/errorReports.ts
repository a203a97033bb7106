import type { ApolloServerPlugin, BaseContext, GraphQLRequestListener, HTTPGraphQLRequest } from "@apollo/server";
import { publishUnexpected } from "../../../engine/errors/publishUnexpected.js";
import type { Instrumentation } from "../../../instrumentation/instrumentation.js";
import { TrackedRequest } from "./trackedRequest.js";

/** Publishes errors in Apollo's own handling as failures. */
export function errorReports({ failure }: Instrumentation): ApolloServerPlugin {
  const listener: GraphQLRequestListener<BaseContext> = {
    didEncounterErrors: async ({ errors, request, operationName }) =>
      publishUnexpected(failure, errors, { requestId: idOf(request.http) }, operationName ?? undefined),
  };
  return {
    requestDidStart: async () => listener,
    contextCreationDidFail: async ({ error }) => failure.publish({ error, what: "no context for a request" }),
    unexpectedErrorProcessingRequest: async ({ requestContext, error }) => {
      const requestId = idOf(requestContext.request.http);
      failure.publish({ error, what: "unexpected error around an operation", requestId });
    },
  };
}

const idOf = (request: HTTPGraphQLRequest | undefined): string | undefined =>
  request instanceof TrackedRequest ? request.id : undefined;
