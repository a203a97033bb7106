import type { GraphQLError, GraphQLErrorExtensions, GraphQLFormattedError } from "graphql";
import { FAULTS } from "../../datasources/errors/index.js";
import type { Failure } from "../../instrumentation/events.js";
import type { EventChannel } from "../../instrumentation/instrumentation.js";
import { GRAPHQL_CODES } from "./refusalCodes.js";

/** Codes that clients may see: those of the error registry, of GraphQL, and of GraphQL over HTTP. */
const PUBLIC_CODES: ReadonlySet<unknown> = new Set([...Object.keys(FAULTS), ...Object.values(GRAPHQL_CODES)]);

/** Errors of clients that libraries report without a code, by their message. */
const MISTAKES: readonly (readonly [pattern: RegExp, code: string])[] = [
  // From graphql-js during execution: a nullable variable used for a non-null argument.
  [/^Argument "\w+" of (?:non-null|required) type /, "BAD_USER_INPUT"],
];

/**
 * Message of graphql-js when it aborts validation because comparing fields takes too long. The document limits refuse such
 * documents earlier, with numbers.
 */
const GIVEN_UP = "Validation aborted.";

const INTERNAL = { code: "INTERNAL_SERVER_ERROR", retryable: false };

/** An error from Apollo, graphql-js or a compiled operation. */
export interface ErrorLike {
  readonly message: string;
  readonly locations?: GraphQLFormattedError["locations"] | undefined;
  readonly path?: GraphQLFormattedError["path"] | undefined;
  readonly extensions?: GraphQLErrorExtensions | undefined;
}

/** The code under which clients may see an error; `undefined` for an internal error, whose message is hidden. */
function publicCode({ message, extensions }: Pick<ErrorLike, "message" | "extensions">): string | undefined {
  const code = extensions?.code ?? "INTERNAL_SERVER_ERROR";
  if (message === GIVEN_UP && code === "GRAPHQL_VALIDATION_FAILED") return "QUERY_TOO_EXPENSIVE";
  if (code === "INTERNAL_SERVER_ERROR") return MISTAKES.find(([pattern]) => pattern.test(message))?.[1];
  return PUBLIC_CODES.has(code) ? String(code) : undefined;
}

/** Whether an error is an internal one. Those are logged and never shown. */
const isUnexpected = (error: ErrorLike): boolean => publicCode(error) === undefined;

/** Maximum length of a message, and of a value or a name that a longer one quotes, in characters. */
const MAX_MESSAGE = 1_000;
const MAX_QUOTED = 100;

/** A message of graphql-js quotes an invalid value in full, and may do so several times. */
function bounded(message: string): string {
  if (message.length <= MAX_MESSAGE) return message;
  const text = message.replace(/"[^"]+"|[^\s"]+/g, (part) =>
    part.length <= MAX_QUOTED ? part : `${part.slice(0, MAX_QUOTED)}…`,
  );
  return text.length <= MAX_MESSAGE ? text : `${text.slice(0, MAX_MESSAGE / 2)} … ${text.slice(-MAX_MESSAGE / 2)}`;
}

/**
 * Formats an error for the client. Errors of the registry keep their extensions; all others become `INTERNAL_SERVER_ERROR` with a
 * neutral message. Locations and path are kept. `extensions.http`, the status and headers of the HTTP response, is removed.
 */
export function formatError({ message, locations, path, extensions }: ErrorLike): GraphQLFormattedError {
  const code = publicCode({ message, extensions });
  const { http: _http, ...shown } = extensions ?? {};
  return {
    message: code === undefined ? "Internal server error" : bounded(message),
    ...(locations === undefined ? {} : { locations }),
    ...(path === undefined ? {} : { path }),
    extensions: code === undefined ? INTERNAL : { ...INTERNAL, ...shown, code },
  };
}

/** Publishes the internal errors of an operation. Clients see them only as `INTERNAL_SERVER_ERROR`. */
export function publishUnexpected(
  failure: EventChannel<Failure>,
  errors: readonly GraphQLError[],
  { requestId, origin }: Pick<Failure, "requestId" | "origin">,
  operation: string | undefined,
): void {
  for (const error of errors) {
    if (!isUnexpected(error)) continue;
    const place = { requestId: requestId ?? origin?.requestId, origin, operation, path: error.path?.join(".") };
    failure.publish({ ...place, error: error.originalError ?? error, what: "unexpected error in an operation" });
  }
}
