import type { GraphQLFormattedError } from "graphql";
import type { DocumentPolicy } from "../documents/documentPolicy.js";
import { formatError, type RoadError } from "./formatError.js";
import { withoutNames, withoutSuggestion } from "./withoutNames.js";

/** Formats errors with as many of the schema's names as callers may see. */
export function shownErrors({
  introspection,
  suggestions,
}: Pick<DocumentPolicy, "introspection" | "suggestions">): (error: RoadError) => GraphQLFormattedError {
  if (suggestions) return formatError;
  const hide = introspection ? withoutSuggestion : withoutNames;
  return (error) => hide(formatError(error));
}
