/** Faults of the GraphQL in a request that was itself well-formed. */
const WELL_FORMED: ReadonlySet<string> = new Set([
  "BAD_USER_INPUT",
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "OPERATION_RESOLUTION_FAILURE",
]);

const NAMES_JSON = /\bapplication\/json\b/i;

/**
 * The status of an answer. GraphQL over HTTP tells clients that ask for `application/json` by name, as those do that are
 * older than `application/graphql-response+json`, of faults in the body alone. All others get 400.
 */
export const statusFor = (
  status: number,
  errorCodes: readonly string[],
  contentType: string | undefined,
  accept: string | undefined,
): number =>
  status === 400 &&
  accept !== undefined &&
  NAMES_JSON.test(accept) &&
  contentType !== undefined &&
  NAMES_JSON.test(contentType) &&
  errorCodes.length > 0 &&
  errorCodes.every((code) => WELL_FORMED.has(code))
    ? 200
    : status;
