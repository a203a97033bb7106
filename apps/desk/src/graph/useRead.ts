import { errorsOf } from "@exchange-graph/client/urql";
import { useMemo, useState } from "react";
import { type AnyVariables, createRequest, stringifyVariables, useQuery } from "urql";
import { useStore } from "../state/store.js";
import { type Document, textOf } from "./document.js";
import { useEqual } from "./equal.js";
import { faultsOf, isUnanswered } from "./fault.js";
import type { DataFeed } from "./feed.js";
import type { ReadContext, Reading } from "./rereading.js";
import { line, session } from "./session.js";

export interface ReadOptions extends ReadContext {
  /** Default: false. */
  readonly isPaused?: boolean | undefined;
}

/** The last answer with data, and the variables that it is for. */
interface LastAnswer<Result> {
  readonly key: string;
  readonly data: Result;
  readonly reading: Reading;
}

/**
 * Reads a document with urql, and again when its variables change or `Rereading` repeats it. Earlier data stays on the screen
 * while a read fails. A lost line to the gateway is shown by its own state, and is no fault of what is read over it.
 */
export function useRead<Result, Variables extends object & AnyVariables>(
  document: Document<Result, Variables>,
  variables: Variables,
  { everyMs, isPaused = false }: ReadOptions = {},
): DataFeed<Result> {
  const key = stringifyVariables(variables);
  const equal = useEqual(variables);
  const context = useMemo((): ReadContext & { readonly trace: true } => ({ trace: true, everyMs }), [everyMs]);
  const query = textOf(document);
  const [result] = useQuery<Result, Variables>({ query, variables: equal, pause: isPaused, context });
  // Until the answer for new variables arrives, the result is that of the earlier ones.
  const isHere = result.operation !== undefined && stringifyVariables(result.operation.variables) === key;
  const reading: Reading | undefined = isHere ? result.extensions?.reading : undefined;
  const [last, setLast] = useState<LastAnswer<Result>>();
  // React repeats the rendering at once with the new answer, before it draws anything.
  if (reading !== undefined && result.data && (last?.reading !== reading || last.key !== key))
    setLast({ key, data: result.data, reading });
  const answer = last?.key === key ? last : undefined;
  const { state, since } = useStore(line);
  const isOfLine = state === "lost" || (reading !== undefined && reading.at < since);
  const faults = isHere ? faultsOf(errorsOf(result.error)).filter((fault) => !(isOfLine && isUnanswered(fault))) : [];
  return {
    document: query.trim(),
    variables: equal,
    phase: answer !== undefined ? "ready" : reading !== undefined ? "failed" : "loading",
    data: answer?.data,
    at: answer?.reading.at ?? reading?.at,
    source: answer?.reading.source ?? "",
    comparedAt: answer?.reading.comparedAt,
    stale: answer !== undefined && faults.some(({ place }) => place === ""),
    retryAt: reading?.retryAt,
    faults,
    refresh: () => session.value.rereading.again(createRequest(query, equal).key),
  };
}
