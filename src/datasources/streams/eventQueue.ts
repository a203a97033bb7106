import { Fault } from "../errors/index.js";
import type { Listener, StreamEvent, Unlisten } from "./listening.js";

/** Maximum number of pending events for a reader that wants all of them; one more ends its stream. */
const MAX_WAITING = 5_000;

interface QueuedEvent<T> {
  readonly event: StreamEvent<T>;
  /** Its number among all received events, from 1. An event that has replaced others has its own number, not theirs. */
  readonly number: number;
  /** Number of events that it has replaced. */
  readonly skipped: number;
}

/** A stream's events for a reader that takes them one by one, without a promise for each. */
export interface EventQueue<T> {
  /** Number of pending events. Directly after the start: the current state, one event per topic. */
  readonly waiting: number;
  /** Number of received events, including pending ones. */
  readonly received: number;
  /** Whether no event is pending and none will follow. */
  readonly hasEnded: boolean;
  /** Takes the first pending event. Throws once the stream's error, if it ended with one. */
  take(): QueuedEvent<T> | undefined;
  /** Resolves when there is an event to take, or when the stream has ended. */
  ready(): Promise<void>;
  stop(): void;
}

/**
 * Queues the events of a subscription in order, up to a bound; the stream of a reader that falls further behind ends with a
 * `Fault`. For a reader that wants the `newest` only, one event per topic is queued, so that the next event is always current.
 */
export function eventQueue<T>(listen: (listener: Listener<T>) => Unlisten, wants: "all" | "newest" = "all"): EventQueue<T> {
  const waiting: QueuedEvent<T>[] = [];
  let received = 0;
  let ended: { readonly fault: Fault | undefined } | undefined;
  let wake: (() => void) | undefined;
  const end = (fault?: Fault): void => {
    ended ??= { fault };
    wake?.();
  };
  let unlisten: Unlisten | undefined;
  unlisten = listen({
    next: (event) => {
      if (ended !== undefined) return;
      received++;
      // A newer event takes the position of the one that it replaces, so that frequently changing topics do not wait forever.
      const place = wants === "newest" ? waiting.findIndex((each) => each.event.about === event.about) : -1;
      const replaced = place < 0 ? undefined : waiting[place];
      if (replaced === undefined) waiting.push({ event, number: received, skipped: 0 });
      else waiting[place] = { event, number: received, skipped: replaced.skipped + 1 };
      if (waiting.length > MAX_WAITING) {
        unlisten?.();
        end(
          new Fault("RATE_LIMITED", `the reader of the stream is more than ${MAX_WAITING} events behind`, {
            retryAfterMs: 1_000,
          }),
        );
      }
      wake?.();
    },
    failed: end,
  });
  return {
    get waiting() {
      return waiting.length;
    },
    get received() {
      return received;
    },
    get hasEnded() {
      return waiting.length === 0 && ended !== undefined && ended.fault === undefined;
    },
    take() {
      const next = waiting.shift();
      if (next !== undefined || ended?.fault === undefined) return next;
      const { fault } = ended;
      ended = { fault: undefined };
      throw fault;
    },
    ready() {
      if (waiting.length > 0 || ended !== undefined) return READY;
      return new Promise((resolve) => {
        wake = resolve;
      });
    },
    stop() {
      unlisten?.();
      waiting.length = 0;
      end();
    },
  };
}

const READY = Promise.resolve();
