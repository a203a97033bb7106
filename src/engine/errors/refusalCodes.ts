/** Error codes of GraphQL servers that are not in the error registry, as Apollo Server names them. */
export const GRAPHQL_CODES = {
  BAD_REQUEST: "BAD_REQUEST",
  BAD_USER_INPUT: "BAD_USER_INPUT",
  GRAPHQL_PARSE_FAILED: "GRAPHQL_PARSE_FAILED",
  GRAPHQL_VALIDATION_FAILED: "GRAPHQL_VALIDATION_FAILED",
  INTERNAL_SERVER_ERROR: "INTERNAL_SERVER_ERROR",
  OPERATION_RESOLUTION_FAILURE: "OPERATION_RESOLUTION_FAILURE",
  PERSISTED_QUERY_NOT_FOUND: "PERSISTED_QUERY_NOT_FOUND",
  PERSISTED_QUERY_NOT_SUPPORTED: "PERSISTED_QUERY_NOT_SUPPORTED",
} as const;

/** Codes of refusals: the client is unknown, lacks a right, or exceeds a limit. */
const REFUSALS: ReadonlySet<string> = new Set([
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "RATE_LIMITED",
  "OVERLOADED",
  "QUERY_TOO_EXPENSIVE",
]);

export const isRefusal = (code: string): boolean => REFUSALS.has(code);
