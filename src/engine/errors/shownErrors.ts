import type { GraphQLFormattedError } from "graphql";
import { type ErrorLike, formatError } from "./formatError.js";

/** What errors may show of the schema: see `DocumentPolicy`. */
interface ShownNames {
  readonly introspection: boolean;
  readonly suggestions: boolean;
}

/** Formats errors with as many of the schema's names as clients may see. */
export function shownErrors({ introspection, suggestions }: ShownNames): (error: ErrorLike) => GraphQLFormattedError {
  if (suggestions) return formatError;
  const hide = introspection ? withoutSuggestion : withoutNames;
  return (error) => hide(formatError(error));
}

/** What graphql-js adds after a mistyped name: names that the schema has. */
const SUGGESTION = / Did you mean [^?]*\?$/;

/** The error without names that its client may have meant. */
const withoutSuggestion = (error: GraphQLFormattedError): GraphQLFormattedError =>
  SUGGESTION.test(error.message) ? { ...error, message: error.message.replace(SUGGESTION, "") } : error;

/** Messages that name nothing but what stands in the document itself, or can be cut down to that. */
const OWN_WORDS: readonly RegExp[] = [
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

/** Where a variable does not fit, as far as the client has written it itself. */
const VARIABLE = /^Variable "\$(\w+)"(?:.* at "(\1[^"]*)";)?/s;

/**
 * The error without any name of the schema's: what a client did not write itself is left out. Where the schema is hidden,
 * its fields and types cannot be read off the refusals of documents and variables either. Where it went wrong stays.
 */
function withoutNames(error: GraphQLFormattedError): GraphQLFormattedError {
  const { message, extensions } = error;
  if (extensions?.code === "GRAPHQL_VALIDATION_FAILED") {
    const own = OWN_WORDS.map((words) => words.exec(message)?.[0]).find((words) => words !== undefined);
    return { ...error, message: `${own?.replace(/\.$/, "") ?? "The document does not fit the schema here"}.` };
  }
  const variable = extensions?.code === "BAD_USER_INPUT" ? VARIABLE.exec(message) : null;
  if (variable === null) return withoutSuggestion(error);
  const [, name = "", place = name] = variable;
  return { ...error, message: `Variable "$${name}" does not fit its type at "${place}".` };
}
