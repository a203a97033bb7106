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

/** Codes of refusals before GraphQL, by HTTP status. */
const REFUSING_STATUS: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "FORBIDDEN",
  413: "REQUEST_TOO_LARGE",
  421: "FORBIDDEN",
  429: "RATE_LIMITED",
};

/** The codes of an answer's refusals: one per refusing error, or the one of its HTTP status. */
export function refusalsIn(operation: { readonly errorCodes: readonly string[] } | undefined, status: number): readonly string[] {
  if (operation !== undefined && operation.errorCodes.length > 0)
    return operation.errorCodes.filter((code) => REFUSALS.has(code));
  const code = REFUSING_STATUS[status];
  return code === undefined ? NONE : [code];
}
const NONE: readonly string[] = [];
