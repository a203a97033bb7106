/** Codes that say no to a client: it is not known, may not do this, or has asked for too much. */
const REFUSALS: ReadonlySet<string> = new Set([
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "RATE_LIMITED",
  "OVERLOADED",
  "QUERY_TOO_EXPENSIVE",
]);

/** What a refusal says that never came as far as GraphQL. */
const REFUSING_STATUS: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  403: "FORBIDDEN",
  413: "REQUEST_TOO_LARGE",
  421: "FORBIDDEN",
  429: "RATE_LIMITED",
};

/** What an answer has refused, in codes: one for each of its errors that is a refusal, or the one of its status. */
export function refusalsIn(operation: { readonly errorCodes: readonly string[] } | undefined, status: number): readonly string[] {
  if (operation !== undefined && operation.errorCodes.length > 0)
    return operation.errorCodes.filter((code) => REFUSALS.has(code));
  const code = REFUSING_STATUS[status];
  return code === undefined ? NONE : [code];
}
const NONE: readonly string[] = [];
