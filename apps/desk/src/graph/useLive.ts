import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { type AnyVariables, stringifyVariables } from "urql";
import { now } from "../state/clock.js";
import { Store, useStore } from "../state/store.js";
import { t } from "../text/text.js";
import { type Document, textOf } from "./document.js";
import { useEqual } from "./equal.js";
import type { Feed } from "./feed.js";
import { type EventWords, follow, type LiveState, type Surroundings } from "./live.js";
import { type Line, line, receivedAt, session } from "./session.js";

const NO_EXCHANGE = t("The gateway's line to the exchange is interrupted");
/** Why nothing is read or checked while the line to the gateway is lost. */
export const NO_GATEWAY = t("The line to the gateway is interrupted");

/** This page, for its subscriptions. */
export const page: Surroundings = {
  now,
  after(ms, task) {
    const timer = setTimeout(task, ms);
    return () => clearTimeout(timer);
  },
  isConnected: () => line.value.state === "live",
  received: () => receivedAt.set(now()),
};

/**
 * Subscribes while the component is mounted. Events are passed to `take`, outside of React; the feed only has their age. Undefined
 * variables: no subscription.
 */
export function useLive<Result, Variables extends object & AnyVariables>(
  document: Document<Result, Variables>,
  variables: Variables | undefined,
  take: (data: Result, words: EventWords) => void,
): Feed {
  const key = variables === undefined ? undefined : stringifyVariables(variables);
  const equal = useEqual(variables ?? {});
  const { client } = useStore(session);
  const taker = useEffectEvent(take);
  const [attempt, setAttempt] = useState(0);
  const [store] = useState(() => new Store<{ readonly of: string; readonly state: LiveState } | undefined>(undefined, LIVE));
  // A new request restarts the subscription.
  const request = useMemo(
    () => (key === undefined ? undefined : { document, variables: equal as Variables, attempt }),
    [document, key, equal, attempt],
  );
  useEffect(() => {
    if (request === undefined || key === undefined) return undefined;
    const receiver = { take: taker, report: (state: LiveState) => store.set({ of: key, state }) };
    return follow(client, request, receiver, page);
  }, [request, key, client, store]);
  const found = useStore(store);
  return feedOf({ document, variables: variables ?? {} }, found?.of === key ? found?.state : undefined, useStore(line), () =>
    setAttempt((times) => times + 1),
  );
}

const LIVE = { isLive: true } as const;

/** The feed of a subscription in this state; undefined: there has been no event. */
export function feedOf<Result, Variables extends object>(
  { document, variables }: { readonly document: Document<Result, Variables>; readonly variables: object },
  found: LiveState | undefined,
  { state }: Line,
  refresh: () => void,
): Feed {
  const isLost = state === "lost" || found?.lost !== undefined;
  // With earlier data it is interrupted; the reason then has the text of the refusal.
  const faults = found?.at === undefined ? (found?.refused ?? found?.faults ?? []) : found.faults;
  const isFailed = found !== undefined && found.at === undefined && faults.length > 0;
  return {
    document: textOf(document).trim(),
    variables,
    phase: isFailed ? "failed" : found?.at === undefined ? "loading" : "ready",
    at: found?.at,
    source: "STREAM",
    stale: (found?.stale ?? false) || (found !== undefined && isLost),
    broken: state === "lost" ? NO_GATEWAY : (found?.lost ?? (found?.stale === true ? NO_EXCHANGE : undefined)),
    retryAt: found?.retryAt,
    faults,
    refresh,
  };
}
