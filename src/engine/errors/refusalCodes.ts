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
