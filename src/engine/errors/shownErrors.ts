import type { GraphQLFormattedError } from "graphql";
import { type ErrorLike, formatError } from "./formatError.js";
import { withoutNames, withoutSuggestion } from "./withoutNames.js";

/** What errors may tell of the schema: see `DocumentPolicy`. */
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
