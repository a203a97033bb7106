import type { GraphQLError, GraphQLFormattedError } from "graphql";
import type { Trace } from "../../datasources/reads/index.js";
import type { Operation } from "../../instrumentation/events.js";

/** Result of an operation. */
export interface Result extends Operation {
  /** The response as JSON: errors, data, extensions. */
  readonly text: string;
  /** In the order in which they occurred. */
  readonly errors: readonly GraphQLError[];
  /** The errors as clients may see them. */
  readonly shown: readonly GraphQLFormattedError[];
  /** Whether it was executed. A refused operation has no data. */
  readonly hasRun: boolean;
  /** Whether `text` includes the trace. */
  readonly isTraced: boolean;
  /** The reads of the operation; undefined if nothing was executed. */
  readonly trace: Trace | undefined;
}

/** Writes a response. `data` is JSON; undefined if nothing was executed. */
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
