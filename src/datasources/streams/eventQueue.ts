import { Fault } from "../fault.js";
import type { StreamEvent } from "./event.js";
import type { Unlisten } from "./index.js";
import type { Listener } from "./topicHub.js";

/** Events that may wait for a reader who wants them all; one more ends its stream. */
const MAX_WAITING = 5_000;

/** A stream's events for a reader that takes them one by one. */
interface EventQueue<T> extends AsyncIterableIterator<StreamEvent<T>> {
  /** Is something there already? Right after the start: the current state. */
  readonly hasWaiting: boolean;
  /** How many events have come, those that wait included. */
  readonly received: number;
  return(): Promise<IteratorReturnResult<undefined>>;
}

/**
 * Turns a subscription into an iterator. The events keep their order and wait in a bounded line; a reader that falls
 * too far behind is told so, and its stream ends. Throws `Fault` when the topic ends.
 */
export function eventQueue<T>(listen: (listener: Listener<T>) => Unlisten): EventQueue<T> {
  const waiting: StreamEvent<T>[] = [];
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
      waiting.push(event);
      received++;
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
    get hasWaiting() {
      return waiting.length > 0;
    },
    get received() {
      return received;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      while (waiting.length === 0 && ended === undefined)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      const event = waiting.shift();
      if (event !== undefined) return { done: false, value: event };
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
