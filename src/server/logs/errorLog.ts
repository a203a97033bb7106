import type { ApolloServerPlugin, BaseContext, GraphQLRequestListener, HTTPGraphQLRequest } from "@apollo/server";
import type { GraphQLError } from "graphql";
import { isUnexpected } from "../answers/formatError.js";
import { TrackedRequest } from "../answers/trackedRequest.js";
import type { Logger } from "./log.js";

/** Writes down, with stack and request, what callers see only as `INTERNAL_SERVER_ERROR`. */
export class ErrorLog {
  constructor(private readonly log: Logger) {}

  /** Logs those of `errors` that nobody foresaw. */
  unexpected(errors: readonly GraphQLError[], requestId: string | undefined, operation: string | undefined): void {
    for (const error of errors) {
      if (!isUnexpected(error)) continue;
      const place = { requestId, operation, path: error.path?.join(".") };
      this.log.error({ ...place, err: error.originalError ?? error }, "unexpected error in an operation");
    }
  }

  /** Tells Apollo to report here whatever goes wrong on its own roads. */
  plugin<Context extends BaseContext>(): ApolloServerPlugin<Context> {
    const listener: GraphQLRequestListener<Context> = {
      didEncounterErrors: async ({ errors, request, operationName }) =>
        this.unexpected(errors, idOf(request.http), operationName ?? undefined),
    };
    return {
      requestDidStart: async () => listener,
      contextCreationDidFail: async ({ error }) => this.log.error({ err: error }, "no context for a request"),
      unexpectedErrorProcessingRequest: async ({ requestContext, error }) =>
        this.log.error({ requestId: idOf(requestContext.request.http), err: error }, "unexpected error around an operation"),
    };
  }
}

const idOf = (request: HTTPGraphQLRequest | undefined): string | undefined =>
  request instanceof TrackedRequest ? request.id : undefined;
