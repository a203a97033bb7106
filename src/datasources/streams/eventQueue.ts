import { Fault } from "../fault.js";
import type { StreamEvent } from "./event.js";
import type { Unlisten } from "./index.js";
import type { Listener } from "./topicHub.js";

/** Events that may wait for a reader who wants them all; one more ends its stream. */
const MAX_WAITING = 5_000;

/** An event in line. */
export interface QueuedEvent<T> {
  readonly event: StreamEvent<T>;
  /** Its place among all that have come, counted from 1; that of the last one where it has replaced others. */
  readonly number: number;
  /** How many it has replaced. */
  readonly skipped: number;
}

/** A stream's events for a reader that takes them one by one, without a promise for each. */
export interface EventQueue<T> {
  /** How many events are there already. Right after the start: the current state, an event for each thing it is about. */
  readonly waiting: number;
  /** How many have come, those that wait included. */
  readonly received: number;
  /** Does nothing wait, and will nothing come any more? */
  readonly hasEnded: boolean;
  /** The first event in line, if there is one. Throws once what the stream has ended with. */
  take(): QueuedEvent<T> | undefined;
  /** Resolves when there is something to take, or nothing will come any more. */
  ready(): Promise<void>;
  stop(): void;
}

/**
 * The events of a subscription. They keep their order and wait in a bounded line; a reader that falls too far behind gets that as the
 * reason, a `Fault`, and its stream ends. For a reader who `wants` the newest alone that one waits, of each thing that the stream is
 * about, so however long it takes over an event, the next one is of now.
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
      // It takes the place in line of what it replaces, so that what changes often does not wait for ever.
      const place = wants === "newest" ? waiting.findIndex((each) => each.event.about === event.about) : -1;
      const replaced = place < 0 ? undefined : waiting[place];
      if (replaced === undefined) waiting.push({ event, number: received, skipped: 0 });
      else waiting[place] = { event, number: received, skipped: replaced.skipped + 1 };
      if (waiting.length > MAX_WAITING) {
        unlisten?.();
        end(
          new Fault("RATE_LIMITED", `the stream is ahead of its reader by more than ${MAX_WAITING} events`, {
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
