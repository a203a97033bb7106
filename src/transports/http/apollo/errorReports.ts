import type { ApolloServerPlugin, BaseContext, GraphQLRequestListener, HTTPGraphQLRequest } from "@apollo/server";
import type { ErrorReports } from "../../../engine/errors/errorReports.js";
import { TrackedRequest } from "./trackedRequest.js";

/** Has Apollo report whatever goes wrong on its own roads. */
export function errorReports(errorLog: ErrorReports): ApolloServerPlugin {
  const listener: GraphQLRequestListener<BaseContext> = {
    didEncounterErrors: async ({ errors, request, operationName }) =>
      errorLog.unexpected(errors, idOf(request.http), operationName ?? undefined),
  };
  return {
    requestDidStart: async () => listener,
    contextCreationDidFail: async ({ error }) => errorLog.around(error, "no context for a request"),
    unexpectedErrorProcessingRequest: async ({ requestContext, error }) =>
      errorLog.around(error, "unexpected error around an operation", idOf(requestContext.request.http)),
  };
}

const idOf = (request: HTTPGraphQLRequest | undefined): string | undefined =>
  request instanceof TrackedRequest ? request.id : undefined;
