import type { GraphQLError } from "graphql";

/** Takes what clients see only as `INTERNAL_SERVER_ERROR`. */
export interface ErrorReports {
  /** An operation has ended with these errors: those among them that nobody foresaw are written down. */
  unexpected(errors: readonly GraphQLError[], requestId: string | undefined, operation: string | undefined): void;
  /** A connection has failed. */
  connection(error: unknown): void;
  /** Something has failed around an operation; `what` says where. */
  around(error: Error, what: string, requestId?: string): void;
}
