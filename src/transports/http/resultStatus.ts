import type { GraphQLError } from "graphql";
import type { Result } from "../../engine/answers/result.js";

/** Status and headers of a result over HTTP. */
interface ResultHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const RAN: ResultHead = { status: 200, headers: {} };
const BAD_REQUEST = 400;

/** Codes of errors in a document, operation name or variables. */
const MISTAKES: ReadonlySet<unknown> = new Set([
  "BAD_USER_INPUT",
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "OPERATION_RESOLUTION_FAILURE",
]);

/** The status of a result: 200 if it was executed, even with errors. A refusal has its own status, or is a client error. */
export function headOf({ hasRun, errors }: Pick<Result, "hasRun" | "errors">): ResultHead {
  if (hasRun) return RAN;
  const { status, headers } = httpOf(errors.find(({ extensions }) => extensions.http !== undefined));
  const isMistake = errors.every(({ extensions }) => MISTAKES.has(extensions.code));
  return { status: status ?? (isMistake ? BAD_REQUEST : 500), headers: Object.fromEntries(headers ?? []) };
}

const httpOf = (
  error: GraphQLError | undefined,
): { readonly status?: number; readonly headers?: ReadonlyMap<string, string> } => {
  const http: unknown = error?.extensions.http;
  if (typeof http !== "object" || http === null) return {};
  return {
    ...("status" in http && typeof http.status === "number" ? { status: http.status } : {}),
    ...("headers" in http && http.headers instanceof Map ? { headers: http.headers } : {}),
  };
};

const NAMES_JSON = /\bapplication\/json\b/i;

/**
 * The status of an answer. For clients that request `application/json` by name, which predate
 * `application/graphql-response+json`, such errors have status 200 (GraphQL over HTTP). All other clients get 400.
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
  errorCodes.every((code) => MISTAKES.has(code))
    ? 200
    : status;
