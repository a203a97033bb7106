import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { now } from "../state/clock.js";
import { useStore } from "../state/store.js";
import { type Document, textOf } from "./document.js";
import { type Fault, faultsOf } from "./fault.js";
import type { DataFeed } from "./feed.js";
import { heard, line, session } from "./session.js";
import { traceOf } from "./trace.js";
import { written } from "./writes.js";

interface Answer<Result> {
  readonly data: Result | undefined;
  readonly faults: readonly Fault[];
  readonly at: number;
  readonly source: string;
  readonly retryAt: number | undefined;
}

/** How long it is waited after a fault that may pass, ms: longer each time, and never shorter than the fault says. */
const FIRST_WAIT_MS = 2_000;
const MOST_WAIT_MS = 10_000;

/** When to ask again after these faults, Unix ms; undefined where that is of no use. */
function retryTime(faults: readonly Fault[], failures: number): number | undefined {
  const passing = faults.filter(({ retryable }) => retryable);
  if (passing.length === 0) return undefined;
  const told = passing.map(({ retryAfterMs = 0 }) => retryAfterMs);
  return now() + Math.max(Math.min(MOST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures), ...told);
}

export interface ReadOptions {
  /** Read again so often, ms; not while the tab is hidden. Default: never by itself. */
  readonly everyMs?: number | undefined;
  /** Default: false. */
  readonly isPaused?: boolean | undefined;
}

/**
 * Reads a document, again when its variables change, when a write of this page was answered, when the line to the
 * gateway is made anew, and as often as asked for.
 */
export function useRead<Result, Variables extends object>(
  document: Document<Result, Variables>,
  variables: Variables,
  { everyMs, isPaused = false }: ReadOptions = {},
): DataFeed<Result> {
  const key = JSON.stringify(variables);
  // Variables that are equal are one value.
  const asked = useMemo(() => JSON.parse(key) as Variables, [key]);
  const [answer, setAnswer] = useState<{ readonly key: string; readonly answer: Answer<Result> }>();
  const { made } = useStore(line);
  const current = useStore(session);
  const writes = useStore(written);
  const turn = useRef(0);
  const failures = useRef(0);
  const retryAt = useRef<number>(undefined);

  const refresh = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    const { data, errors, extensions } = await current.query<Result, object>(textOf(document), asked, { trace: true });
    if (mine !== turn.current) return;
    if (data !== null) heard.set(now());
    const { ageMs, source } = traceOf(extensions);
    const faults = faultsOf(errors);
    const again = retryTime(faults, failures.current);
    failures.current = again === undefined ? 0 : failures.current + 1;
    retryAt.current = again;
    setAnswer((old) => ({
      key,
      // What was there stays on the screen while the gateway is away.
      answer: {
        data: data ?? (old?.key === key ? old.answer.data : undefined),
        faults,
        at: data ? now() - ageMs : (old?.answer.at ?? now()),
        source: data ? source : (old?.answer.source ?? ""),
        retryAt: again,
      },
    }));
  }, [current, document, asked, key]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: these say when to read again
  useEffect(() => {
    if (isPaused) return undefined;
    void refresh();
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (globalThis.document.visibilityState === "visible" && now() >= (retryAt.current ?? 0)) void refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [refresh, everyMs, isPaused, made, writes]);

  const again = answer?.answer.retryAt;
  useEffect(() => {
    if (again === undefined || isPaused) return undefined;
    const timer = setTimeout(() => void refresh(), Math.max(0, again - now()));
    return () => clearTimeout(timer);
  }, [again, isPaused, refresh]);

  const found = answer?.key === key ? answer.answer : undefined;
  const isFailed = found !== undefined && found.data === undefined;
  return {
    document: textOf(document),
    variables: asked,
    phase: found === undefined ? "loading" : isFailed ? "failed" : "ready",
    data: found?.data,
    at: found?.at,
    source: found?.source ?? "",
    stale: found !== undefined && found.data !== undefined && found.faults.some(({ place }) => place === ""),
    retryAt: found?.retryAt,
    faults: found?.faults ?? [],
    refresh: () => void refresh(),
  };
}
