import type { GraphEvent } from "@exchange-graph/client";
import { useEffect, useMemo, useRef, useState } from "react";
import { now } from "../state/clock.js";
import { useStore } from "../state/store.js";
import { type Document, textOf } from "./document.js";
import { type Fault, faultsOf } from "./fault.js";
import type { Feed } from "./feed.js";
import { heard, line, session } from "./session.js";

const NO_EXCHANGE = "The gateway's line to the exchange is interrupted";
const NO_GATEWAY = "The line to the gateway is interrupted";

interface Known {
  readonly key: string;
  /** Why nothing comes, where the gateway has said so. */
  readonly lost?: string | undefined;
  readonly at: number | undefined;
  readonly stale: boolean;
  readonly faults: readonly Fault[];
}

/** What an event says beside its data. */
export type EventWords = Omit<GraphEvent<never>, "data" | "errors">;

const NOTHING = { at: undefined, stale: false, faults: [] } as const;
/** Longer than the client waits before it asks again for what was refused, ms. */
const ACCEPTED_AFTER_MS = 15_000;

/** How often React gets the age of a stream that flows, ms. */
const REPORT_EVERY_MS = 1_000;

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
    let reported = 0;
    let wasStale = false;
    let accepted: ReturnType<typeof setTimeout> | undefined;
    const end = current.subscribe<Result, object>(textOf(document), asked, {
      next({ data, errors, ...words }) {
        const at = now();
        heard.set(at);
        if (data !== null) taker.current(data, words);
        else setKnown({ key, at: undefined, stale: false, faults: faultsOf(errors) });
        if (data === null || (at - reported < REPORT_EVERY_MS && words.stale === wasStale)) return;
        reported = at;
        wasStale = words.stale;
        setKnown({ key, at, stale: words.stale, faults: faultsOf(errors) });
      },
      lost(reason) {
        // Of a line that is lost everybody hears by its state.
        if (line.value.state !== "live") return;
        reported = 0;
        setKnown((old) => ({ ...(old?.key === key ? old : { key, ...NOTHING }), lost: reason.replace(/\.$/, "") }));
        // Where it is not refused again it was accepted, though there may be nothing to say yet.
        clearTimeout(accepted);
        accepted = setTimeout(() => setKnown((old) => old && { ...old, lost: undefined }), ACCEPTED_AFTER_MS);
      },
      error: (errors) => setKnown({ key, at: undefined, stale: false, faults: faultsOf(errors) }),
    });
    return () => {
      clearTimeout(accepted);
      end();
    };
  }, [document, asked, key, current, again]);

  const found = known?.key === key ? known : undefined;
  const isLost = state === "lost" || found?.lost !== undefined;
  const isFailed = found !== undefined && found.at === undefined && found.faults.length > 0;
  return {
    document: textOf(document),
    variables: asked ?? {},
    phase: isFailed ? "failed" : found?.at === undefined ? "loading" : "ready",
    at: found?.at,
    source: "STREAM",
    stale: (found?.stale ?? false) || (found !== undefined && isLost),
    broken: state === "lost" ? NO_GATEWAY : (found?.lost ?? (found?.stale === true ? NO_EXCHANGE : undefined)),
    faults: found?.faults ?? [],
    refresh: () => setAgain((times) => times + 1),
  };
}
