import type { GraphQLError, GraphQLFormattedError } from "graphql";
import type { Trace } from "../../datasources/reads/trace.js";
import type { Operation } from "../../instrumentation/events.js";

/** What an operation came to. */
export interface Result extends Operation {
  /** The whole answer as JSON: errors, data, extensions. */
  readonly text: string;
  /** As they happened. */
  readonly errors: readonly GraphQLError[];
  /** Those errors as clients may see them. */
  readonly shown: readonly GraphQLFormattedError[];
  /** Did it run? What was refused has no data. */
  readonly hasRun: boolean;
  /** Does `text` show what was read? */
  readonly isTraced: boolean;
  /** What was read for it; `undefined` where nothing ran. */
  readonly trace: Trace | undefined;
}

/** Writes an answer. `data` is JSON, and left out where nothing ran. */
export function answerText(
  data: string | undefined,
  errors: readonly GraphQLFormattedError[],
  extensions: Readonly<Record<string, unknown>> | undefined,
): string {
  if (errors.length === 0 && extensions === undefined && data !== undefined) return `{"data":${data}}`;
  const parts = [
    ...(errors.length === 0 ? [] : [`"errors":${JSON.stringify(errors)}`]),
    ...(data === undefined ? [] : [`"data":${data}`]),
    ...(extensions === undefined ? [] : [`"extensions":${JSON.stringify(extensions)}`]),
  ];
  return `{${parts.join(",")}}`;
}
