import { ApolloServerErrorCode } from "@apollo/server/errors";
import type { GraphQLErrorExtensions, GraphQLFormattedError } from "graphql";
import { FAULTS } from "../../datasources/fault.js";

/** The codes a client may see: our registry, and those of GraphQL and its HTTP protocol. */
const PUBLIC_CODES: ReadonlySet<unknown> = new Set([...Object.keys(FAULTS), ...Object.values(ApolloServerErrorCode)]);

/** Mistakes of clients that the libraries give no code: by their words. */
const MISTAKES: readonly (readonly [words: RegExp, code: string])[] = [
  // graphql-js, while it executes, when a variable that may be null stands where an argument must not be.
  [/^Argument "\w+" of (?:non-null|required) type /, "BAD_USER_INPUT"],
  // Apollo, of persisted queries.
  [/^(?:provided sha does not match query|Unsupported persisted query version)$/, "BAD_REQUEST"],
];

/** graphql-js gives a document up whose fields take too long to compare; what is refused before it gets there says how much. */
const GIVEN_UP = "Validation aborted.";

const INTERNAL = { code: "INTERNAL_SERVER_ERROR", retryable: false };

/** An error as it comes out of Apollo, of graphql-js or of a compiled operation. */
export interface ErrorLike {
  readonly message: string;
  readonly locations?: GraphQLFormattedError["locations"] | undefined;
  readonly path?: GraphQLFormattedError["path"] | undefined;
  readonly extensions?: GraphQLErrorExtensions | undefined;
}

/** The code under which an error may be shown; `undefined` for an internal error, whose text stays inside. */
function publicCode({ message, extensions }: Pick<ErrorLike, "message" | "extensions">): string | undefined {
  const code = extensions?.code ?? "INTERNAL_SERVER_ERROR";
  if (message === GIVEN_UP && code === "GRAPHQL_VALIDATION_FAILED") return "QUERY_TOO_EXPENSIVE";
  if (code === "INTERNAL_SERVER_ERROR") return MISTAKES.find(([words]) => words.test(message))?.[1];
  return PUBLIC_CODES.has(code) ? String(code) : undefined;
}

/** Is this an error that nobody foresaw? Those are logged and never shown. */
export const isUnexpected = (error: ErrorLike): boolean => publicCode(error) === undefined;

/**
 * What leaves as an error: what is in the registry passes with what it carries, anything else becomes
 * `INTERNAL_SERVER_ERROR` with a neutral text. Locations and path stay, so a client sees which field failed. What an error
 * tells Apollo about its HTTP answer (`extensions.http`) is for Apollo alone.
 */
export function formatError({ message, locations, path, extensions }: ErrorLike): GraphQLFormattedError {
  const code = publicCode({ message, extensions });
  const { http: _http, ...shown } = extensions ?? {};
  return {
    message: code === undefined ? "Internal server error" : message,
    ...(locations === undefined ? {} : { locations }),
    ...(path === undefined ? {} : { path }),
    extensions: code === undefined ? INTERNAL : { ...INTERNAL, ...shown, code },
  };
}
