import { errorsOf } from "@exchange-graph/client/urql";
import { useMemo, useRef } from "react";
import { type AnyVariables, createRequest, stringifyVariables, useQuery } from "urql";
import { type Document, textOf } from "./document.js";
import { useEqual } from "./equal.js";
import { faultsOf } from "./fault.js";
import type { DataFeed } from "./feed.js";
import type { ReadContext, Reading } from "./rereading.js";
import { session } from "./session.js";

export interface ReadOptions extends ReadContext {
  /** Default: false. */
  readonly isPaused?: boolean | undefined;
}

/** Data of a query with its state. */
interface Kept<Result> extends Pick<Reading, "at" | "source" | "comparedAt"> {
  readonly key: string;
  readonly data: Result;
}

/**
 * Reads a document with urql, and again when its variables change or `Rereading` repeats it. Earlier data stays on the screen
 * while a read fails.
 */
export function useRead<Result, Variables extends object & AnyVariables>(
  document: Document<Result, Variables>,
  variables: Variables,
  { everyMs, isPaused = false }: ReadOptions = {},
): DataFeed<Result> {
  const key = stringifyVariables(variables);
  const asked = useEqual(variables);
  const context = useMemo((): ReadContext & { readonly trace: true } => ({ trace: true, everyMs }), [everyMs]);
  const query = textOf(document);
  const [result] = useQuery<Result, Variables>({ query, variables: asked, pause: isPaused, context });
  // Until the answer for new variables arrives, the result is that of the earlier ones.
  const isHere = result.operation !== undefined && stringifyVariables(result.operation.variables) === key;
  const reading: Reading | undefined = isHere ? result.extensions?.reading : undefined;
  const kept = useRef<Kept<Result>>(undefined);
  if (reading !== undefined && result.data) {
    const { at, source, comparedAt } = reading;
    kept.current = { key, data: result.data, at, source, comparedAt };
  }
  const known = kept.current?.key === key ? kept.current : undefined;
  const faults = isHere ? faultsOf(errorsOf(result.error)) : [];
  return {
    document: query.trim(),
    variables: asked,
    phase: known !== undefined ? "ready" : reading !== undefined ? "failed" : "loading",
    data: known?.data,
    at: known?.at ?? reading?.at,
    source: known?.source ?? "",
    comparedAt: known?.comparedAt,
    stale: known !== undefined && faults.some(({ place }) => place === ""),
    retryAt: reading?.retryAt,
    faults,
    refresh: () => session.value.rereading.again(createRequest(query, asked).key),
  };
}
