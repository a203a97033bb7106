import { backoff, type Waiting } from "./clock.js";
import type { GraphRequest } from "./document.js";
import { type GraphError, graphErrorsFrom } from "./errors.js";
import { answerFrom, type GraphAnswer } from "./http.js";
import { isObject, textOr } from "./json.js";
import type { Line } from "./line.js";

/**
 * What is missing between an event and the one before it. State (a book, orders, positions) needs nothing: the event is a
 * snapshot. What only happens once (trades, fills, liquidations) is asked of the gateway after an interruption, and there is no gap
 * where it has all of it; otherwise a query from `since` on has the rest.
 */
export interface Gap {
  /** The exchange's time of the last event before; null where there was none. */
  readonly since: string | null;
  /** Why, for example a close code with its reason. */
  readonly reason: string;
}

/** One event of a subscription. */
export interface GraphEvent<Data> {
  readonly data: Data | null;
  readonly errors: readonly GraphError[];
  /** `snapshot`: the data is all there is, throw away what you had; `update`: it is what has changed. */
  readonly kind: "snapshot" | "update";
  /** Time of the data at the exchange; null where an event has none. */
  readonly time: string | null;
  /** Is the gateway's line to the exchange interrupted? */
  readonly stale: boolean;
  /** Number of earlier events that this one has replaced. */
  readonly missed: number;
  /** The first event after an interruption says what is missing before it. */
  readonly gap: Gap | null;
}

/** Why the gateway has refused a subscription for now, and how long it is waited until it is asked again. */
export interface Refusal {
  readonly errors: readonly GraphError[];
  readonly waitMs: number;
}

/** Who listens to a subscription. */
export interface Listener<Event> {
  next(event: Event): void;
  /** It is interrupted, and goes on by itself. With a refusal where the gateway is there and has said no. */
  lost?(reason: string, refusal?: Refusal): void;
  /** It has ended, and does not go on by itself. */
  error?(errors: readonly GraphError[]): void;
  /** The gateway has ended it. */
  complete?(): void;
}

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 10_000;

/**
 * Keeps a subscription: over a line that is lost and comes back, and past errors that are worth another try. The gap goes into
 * `extensions.gap` of the event that comes after it.
 */
export function keepSubscribed(line: () => Line, request: GraphRequest, listener: Listener<GraphAnswer>, waiting: Waiting) {
  const { clock, random } = waiting;
  let since: string | null = null;
  let gap: Gap | null = null;
  /** Where the gateway says that it was with the last event. */
  let after: string | null = null;
  let failures = 0;
  let end = (): void => undefined;
  const lost = (reason: string, refusal?: Refusal) => {
    gap ??= { since, reason };
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
        const extensions = { ...answer.extensions, ...(gap !== null && { gap }) };
        since = textOr(stream.time, since);
        after = textOr(stream.position, after);
        gap = null;
        listener.next({ ...answer, extensions });
      },
      error(raw) {
        const errors = graphErrorsFrom(raw);
        if (!errors.every(({ retryable }) => retryable)) {
          listener.error?.(errors);
          return;
        }
        const asked = Math.max(0, ...errors.map(({ retryAfterMs = 0 }) => retryAfterMs));
        const wait = Math.max(asked, backoff(failures, FIRST_WAIT_MS, MAX_WAIT_MS, random));
        failures += 1;
        end = clock.after(wait, start);
        lost(errors.map(({ codeRaw, message }) => `${codeRaw} ${message}`).join("; "), { errors, waitMs: wait });
      },
      complete: () => listener.complete?.(),
    });
  };
  start();
  return (): void => end();
}

const streamIn = (extensions: unknown) => (isObject(extensions) && isObject(extensions.stream) ? extensions.stream : {});

/** Reads an answer as an event. */
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
