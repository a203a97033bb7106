import { Fault } from "../fault.js";
import type { StreamEvent } from "./event.js";
import type { Unlisten } from "./index.js";
import type { Listener } from "./topicHub.js";

/** Events that may wait for a reader who wants them all; one more ends its stream. */
const MAX_WAITING = 5_000;

/** How far a reader has come with its stream. */
export interface Progress {
  /** How many events have come, those that wait included. */
  readonly received: number;
  /** Which of them was taken last, counted from 1. */
  readonly taken: number;
  /** How many that one replaced: they were not taken. */
  readonly skipped: number;
}

/** An event in line, and how many it has replaced. */
interface Waiting<T> {
  readonly event: StreamEvent<T>;
  readonly number: number;
  readonly skipped: number;
}

/** A stream's events for a reader that takes them one by one. */
interface EventQueue<T> extends AsyncIterableIterator<StreamEvent<T>>, Progress {
  /** How many events are there already. Right after the start: the current state, an event for each thing it is about. */
  readonly waiting: number;
  return(): Promise<IteratorReturnResult<undefined>>;
}

/**
 * Turns a subscription into an iterator. The events keep their order and wait in a bounded line; a reader that falls
 * too far behind gets that as the reason, and its stream ends. For a reader who `wants` the newest alone that one waits, of each thing
 * that the stream is about, so however long it takes over an event, the next one is of now. Throws `Fault` when the topic ends.
 */
export function eventQueue<T>(listen: (listener: Listener<T>) => Unlisten, wants: "all" | "newest" = "all"): EventQueue<T> {
  const waiting: Waiting<T>[] = [];
  let received = 0;
  let taken = 0;
  let skipped = 0;
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
  const stop = async (): Promise<IteratorReturnResult<undefined>> => {
    unlisten?.();
    waiting.length = 0;
    end();
    return { done: true, value: undefined };
  };
  return {
    get waiting() {
      return waiting.length;
    },
    get received() {
      return received;
    },
    get taken() {
      return taken;
    },
    get skipped() {
      return skipped;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      while (waiting.length === 0 && ended === undefined)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      const next = waiting.shift();
      if (next !== undefined) {
        taken = next.number;
        skipped = next.skipped;
        return { done: false, value: next.event };
      }
      if (ended?.fault !== undefined) {
        const { fault } = ended;
        ended = { fault: undefined };
        throw fault;
      }
      return { done: true, value: undefined };
    },
    return: stop,
  };
}
