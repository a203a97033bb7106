import type { GraphQLFormattedError } from "graphql";
import { type ErrorLike, formatError } from "./formatError.js";

/** Whether errors may contain names of the schema: see `DocumentPolicy`. */
interface ShownNames {
  readonly introspection: boolean;
  readonly suggestions: boolean;
}

/** Returns a formatter that removes names of the schema that clients may not see. */
export function shownErrors({ introspection, suggestions }: ShownNames): (error: ErrorLike) => GraphQLFormattedError {
  if (suggestions) return formatError;
  const hide = introspection ? withoutSuggestion : withoutNames;
  return (error) => hide(formatError(error));
}

/** The suggestion that graphql-js appends to an error about an unknown name. */
const SUGGESTION = / Did you mean [^?]*\?$/;

const withoutSuggestion = (error: GraphQLFormattedError): GraphQLFormattedError =>
  SUGGESTION.test(error.message) ? { ...error, message: error.message.replace(SUGGESTION, "") } : error;

/** Messages that contain names from the document only, or can be cut down to those. */
const OWN_PATTERNS: readonly RegExp[] = [
  /^Cannot query field "\w+"/,
  /^Unknown argument "\w+"/,
  /^Unknown (?:type|directive|fragment) "@?\w+"/,
  /^Fragment "\w+" is never used/,
  /^Cannot spread fragment "\w+" within itself/,
  /^Variable "\$\w+" is (?:not defined|never used)/,
  /^There can be only one \w+(?: \w+)? named "[$@]?\w+"/,
  /^This anonymous operation must be the only defined operation/,
  /^(?:The root field of a subscription|Too many validation errors|Validation aborted|Syntax Error|GraphQL introspection)\b.*/,
];

/** A variable that does not fit its type, and the place in its value. */
const VARIABLE = /^Variable "\$(\w+)"(?:.* at "(\1[^"]*)";)?/s;

/**
 * The error without names of the schema that the client did not write itself, so that a hidden schema cannot be reconstructed
 * from errors about documents and variables. Locations and path are kept.
 */
function withoutNames(error: GraphQLFormattedError): GraphQLFormattedError {
  const { message, extensions } = error;
  if (extensions?.code === "GRAPHQL_VALIDATION_FAILED") {
    const own = OWN_PATTERNS.map((pattern) => pattern.exec(message)?.[0]).find((match) => match !== undefined);
    return { ...error, message: `${own?.replace(/\.$/, "") ?? "The document does not match the schema here"}.` };
  }
  const variable = extensions?.code === "BAD_USER_INPUT" ? VARIABLE.exec(message) : null;
  if (variable === null) return withoutSuggestion(error);
  const [, name = "", place = name] = variable;
  return { ...error, message: `Variable "$${name}" does not fit its type at "${place}".` };
}
