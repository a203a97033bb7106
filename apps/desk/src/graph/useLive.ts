import type { GraphEvent } from "@exchange-graph/client";
import { useEffect, useMemo, useRef, useState } from "react";
import { now } from "../state/clock.js";
import { useStore } from "../state/store.js";
import { type Document, textOf } from "./document.js";
import { type Fault, faultsOf } from "./fault.js";
import type { Feed } from "./feed.js";
import { heard, line, session } from "./session.js";

interface Known {
  readonly key: string;
  readonly at: number | undefined;
  readonly stale: boolean;
  readonly faults: readonly Fault[];
}

/** What an event says beside its data. */
export type EventWords = Omit<GraphEvent<never>, "data" | "errors">;

/** How often the age of a stream that flows is told to React, ms. */
const TOLD_EVERY_MS = 1_000;

/**
 * Listens to a subscription as long as the component is there. Events go to `take`, outside React; the feed says no more
 * than how fresh they are. Undefined variables: not now.
 */
export function useLive<Result, Variables extends object>(
  document: Document<Result, Variables>,
  variables: Variables | undefined,
  take: (data: Result, words: EventWords) => void,
): Feed {
  const key = JSON.stringify(variables);
  const asked = useMemo(() => (key === undefined ? undefined : (JSON.parse(key) as Variables)), [key]);
  const [known, setKnown] = useState<Known>();
  const [again, setAgain] = useState(0);
  const current = useStore(session);
  const { state } = useStore(line);
  const taker = useRef(take);
  taker.current = take;

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again, it begins anew
  useEffect(() => {
    if (asked === undefined || key === undefined) return undefined;
    let told = 0;
    let wasStale = false;
    return current.subscribe<Result, object>(textOf(document), asked, {
      next({ data, errors, ...words }) {
        const at = now();
        heard.set(at);
        if (data !== null) taker.current(data, words);
        else setKnown({ key, at: undefined, stale: false, faults: faultsOf(errors) });
        if (data === null || (at - told < TOLD_EVERY_MS && words.stale === wasStale)) return;
        told = at;
        wasStale = words.stale;
        setKnown({ key, at, stale: words.stale, faults: faultsOf(errors) });
      },
      error: (errors) => setKnown({ key, at: undefined, stale: false, faults: faultsOf(errors) }),
    });
  }, [document, asked, key, current, again]);

  const found = known?.key === key ? known : undefined;
  return {
    document: textOf(document),
    variables: asked ?? {},
    phase: found === undefined ? "loading" : found.at === undefined ? "failed" : "ready",
    at: found?.at,
    source: "STREAM",
    stale: (found?.stale ?? false) || (found !== undefined && state === "lost"),
    faults: found?.faults ?? [],
    refresh: () => setAgain((times) => times + 1),
  };
}
