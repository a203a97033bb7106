import { backoff, type Waiting } from "./clock.js";
import type { GraphRequest } from "./document.js";
import { type GraphError, graphErrorsFrom } from "./errors.js";
import { answerFrom, type GraphAnswer } from "./http.js";
import { isObject, textOr } from "./json.js";
import type { Line } from "./line.js";

/**
 * Missing events between an event and the one before it. State (a book, orders, positions) is complete in the event's snapshot.
 * Events that occur once (trades, fills, liquidations) are requested from the gateway after an interruption, and there is no gap
 * if it has all of them; otherwise a query from `since` on returns the rest.
 */
export interface Gap {
  /** The exchange's time from which on events may be missing; null if it is not known. */
  readonly since: string | null;
  /** The reason, for example a close code and its text. */
  readonly reason: string;
}

/** One event of a subscription. */
export interface GraphEvent<Data> {
  readonly data: Data | null;
  readonly errors: readonly GraphError[];
  /** `snapshot`: the data is complete and replaces former data; `update`: it is the changed part. */
  readonly kind: "snapshot" | "update";
  /** Time of the data at the exchange; null if an event has none. */
  readonly time: string | null;
  /** Whether the gateway's connection to the exchange is interrupted. */
  readonly stale: boolean;
  /** Number of earlier events that this one has replaced. */
  readonly missed: number;
  /** The events that are missing before the first event after an interruption. */
  readonly gap: Gap | null;
}

/** The gateway's temporary refusal of a subscription, and the pause before the next attempt. */
export interface Refusal {
  readonly errors: readonly GraphError[];
  readonly waitMs: number;
}

/** A listener of a subscription. */
export interface Listener<Event> {
  next(event: Event): void;
  /** The subscription is interrupted, and resumes by itself. With a refusal if the gateway refused it. */
  lost?(reason: string, refusal?: Refusal): void;
  /** The subscription has ended and does not resume. */
  error?(errors: readonly GraphError[]): void;
  /** The gateway has completed it. */
  complete?(): void;
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;

/**
 * Keeps a subscription running across lost connections and temporary errors. The gap is in `extensions.gap` of the next event.
 * `ended` is called when it has ended by itself.
 */
export function keepSubscribed(
  line: () => Line,
  request: GraphRequest,
  listener: Listener<GraphAnswer>,
  waiting: Waiting,
  ended: () => void,
) {
  const { clock, random } = waiting;
  let since: string | null = null;
  let gap: Gap | null = null;
  /** The last interruption: of several accounts, each has its own first event after it. */
  let interruption: Gap | null = null;
  /** Position of the last event, from the gateway. */
  let after: string | null = null;
  let failures = 0;
  let end = (): void => undefined;
  const lost = (reason: string, refusal?: Refusal) => {
    gap ??= { since, reason };
    interruption = gap;
    listener.lost?.(reason, refusal);
  };
  const start = () => {
    end = line().run({
      get request() {
        return { ...request, extensions: { ...request.extensions, after } };
      },
      lost,
      next(payload) {
        failures = 0;
        const answer = answerFrom(payload) ?? { data: null };
        const stream = streamIn(answer.extensions);
        if (stream.recovered === true) gap = null;
        else if (stream.recovered === false) gap = missedIn(stream.missed, gap ?? interruption);
        const extensions = { ...answer.extensions, ...(gap !== null && { gap }) };
        since = textOr(stream.time, since);
        after = textOr(stream.position, after);
        gap = null;
        listener.next({ ...answer, extensions });
      },
      error(raw) {
        const errors = graphErrorsFrom(raw);
        if (!errors.every(({ retryable }) => retryable)) {
          ended();
          listener.error?.(errors);
          return;
        }
        const retryAfter = Math.max(0, ...errors.map(({ retryAfterMs = 0 }) => retryAfterMs));
        const wait = Math.max(retryAfter, backoff(failures, FIRST_WAIT_MS, MAX_WAIT_MS, random));
        failures += 1;
        end = clock.after(wait, start);
        lost(errors.map(({ codeRaw, message }) => `${codeRaw} ${message}`).join("; "), { errors, waitMs: wait });
      },
      complete() {
        ended();
        listener.complete?.();
      },
    });
  };
  start();
  return (): void => end();
}

/** The gap with the time that the gateway names: of several accounts, the last event may be another one's, and later. */
function missedIn(missed: unknown, gap: Gap | null): Gap | null {
  if (gap === null || !isObject(missed) || gap.since === null) return gap;
  const from = textOr(missed.from, null);
  return { ...gap, since: from !== null && gap.since < from ? gap.since : from };
}

const streamIn = (extensions: unknown) => (isObject(extensions) && isObject(extensions.stream) ? extensions.stream : {});

/** Converts an answer to an event. */
export function eventFrom<Data>({ data, errors, extensions = {} }: GraphAnswer): GraphEvent<Data> {
  const { kind, time, stale } = streamIn(extensions);
  const { missed, gap } = extensions;
  return {
    data: (data ?? null) as Data | null,
    errors: graphErrorsFrom(errors),
    kind: kind === "update" ? "update" : "snapshot",
    time: textOr(time, null),
    stale: stale === true,
    missed: typeof missed === "number" ? missed : 0,
    gap: isObject(gap) ? { since: textOr(gap.since, null), reason: textOr(gap.reason, "") } : null,
  };
}
