import type { GraphEvent, Refusal } from "@exchange-graph/client";
import { eventOf } from "@exchange-graph/client/urql";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { type AnyVariables, createRequest, stringifyVariables, useClient } from "urql";
import { now } from "../state/clock.js";
import { useStore } from "../state/store.js";
import { t } from "../text/text.js";
import { type Document, textOf } from "./document.js";
import { useEqual } from "./equal.js";
import { type Fault, faultsOf } from "./fault.js";
import type { Feed } from "./feed.js";
import { line } from "./session.js";

const NO_EXCHANGE = t("The gateway's line to the exchange is interrupted");
const NO_GATEWAY = t("The line to the gateway is interrupted");

interface Known {
  readonly key: string;
  /** The reason of an interruption, if the gateway has sent one. */
  readonly lost?: string | undefined;
  /** The errors of a refusal, with the time of the retry, Unix ms. */
  readonly refused?: readonly Fault[] | undefined;
  readonly retryAt?: number | undefined;
  readonly at: number | undefined;
  readonly stale: boolean;
  readonly faults: readonly Fault[];
}

/** Fields of an event besides its data. */
export type EventWords = Omit<GraphEvent<never>, "data" | "errors">;

const NOTHING = { at: undefined, stale: false, faults: [] } as const;
/** Longer than the client's delay before it retries a refused subscription, ms. */
const ACCEPTED_AFTER_MS = 15_000;

/** Interval at which React receives the age of an active stream, ms. */
const REPORT_EVERY_MS = 1_000;

/** Keys that cannot collide with urql's own, which have 32 bits. */
let keys = 2 ** 32;
/**
 * urql would share one subscription among all listeners of a document, and a later one would have no data until the next event:
 * each has its own, which begins with a snapshot.
 */
const ownKey = (): number => {
  keys += 1;
  return keys;
};

/**
 * Subscribes while the component is mounted. Events are passed to `take`, outside of React, because `useSubscription` would
 * render for each of them. The feed only has their age. Undefined variables: no subscription.
 */
export function useLive<Result, Variables extends object & AnyVariables>(
  document: Document<Result, Variables>,
  variables: Variables | undefined,
  take: (data: Result, words: EventWords) => void,
): Feed {
  const key = variables === undefined ? undefined : stringifyVariables(variables);
  const equal = useEqual(variables ?? {});
  const [known, setKnown] = useState<Known>();
  const [again, setAgain] = useState(0);
  const client = useClient();
  const { state } = useStore(line);
  const taker = useEffectEvent(take);
  // Asked for again, it begins anew.
  const asked = useMemo(
    () => (key === undefined ? undefined : { variables: equal as Variables, attempt: again }),
    [key, equal, again],
  );

  useEffect(() => {
    if (asked === undefined || key === undefined) return undefined;
    let reported = 0;
    let wasStale = false;
    let accepted: ReturnType<typeof setTimeout> | undefined;
    const lose = (reason: string, refusal: Refusal | undefined) => {
      // A lost connection is shown by its own state.
      if (line.value.state !== "live") return;
      reported = 0;
      setKnown((old) => ({
        ...(old?.key === key ? old : { key, ...NOTHING }),
        lost: reason.replace(/\.$/, ""),
        ...(refusal && { refused: faultsOf(refusal.errors), retryAt: now() + refusal.waitMs }),
      }));
      // Without a further refusal the subscription was accepted, even if there is no event yet.
      clearTimeout(accepted);
      accepted = setTimeout(
        () => setKnown((old) => old && { ...old, lost: undefined, refused: undefined, retryAt: undefined }),
        ACCEPTED_AFTER_MS,
      );
    };
    const request = { ...createRequest(textOf(document), asked.variables), key: ownKey() };
    const { unsubscribe } = client.executeSubscription<Result, Variables>(request).subscribe((result) => {
      if (result.stale) {
        lose(String(result.extensions?.lost), result.extensions?.refusal);
        return;
      }
      // When the gateway ends a subscription, the last result is delivered once more.
      if (!result.hasNext && result.error === undefined) return;
      const { data, errors, ...words } = eventOf(result);
      const at = now();
      if (data === null) {
        setKnown({ key, at: undefined, stale: false, faults: faultsOf(errors) });
        return;
      }
      taker(data, words);
      if (at - reported < REPORT_EVERY_MS && words.stale === wasStale) return;
      reported = at;
      wasStale = words.stale;
      setKnown({ key, at, stale: words.stale, faults: faultsOf(errors) });
    });
    return () => {
      clearTimeout(accepted);
      unsubscribe();
    };
  }, [document, asked, key, client]);

  const found = known?.key === key ? known : undefined;
  const isLost = state === "lost" || found?.lost !== undefined;
  // With earlier data it is interrupted; the reason then has the text of the refusal.
  const faults = found?.at === undefined ? (found?.refused ?? found?.faults ?? []) : found.faults;
  const isFailed = found !== undefined && found.at === undefined && faults.length > 0;
  return {
    document: textOf(document).trim(),
    variables: variables ?? {},
    phase: isFailed ? "failed" : found?.at === undefined ? "loading" : "ready",
    at: found?.at,
    source: "STREAM",
    stale: (found?.stale ?? false) || (found !== undefined && isLost),
    broken: state === "lost" ? NO_GATEWAY : (found?.lost ?? (found?.stale === true ? NO_EXCHANGE : undefined)),
    retryAt: found?.retryAt,
    faults,
    refresh: () => setAgain((times) => times + 1),
  };
}
