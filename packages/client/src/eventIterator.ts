import type { GraphError } from "./errors.js";
import type { GraphEvent, Listener } from "./subscription.js";

/** Maximum number of events that wait for a busy reader. Beyond it the subscription restarts with the current state. */
const MAX_WAITING = 1_000;

/** A subscription has ended and does not resume by itself. */
export class SubscriptionEnded extends Error {
  override readonly name = "SubscriptionEnded";

  constructor(readonly errors: readonly GraphError[]) {
    super(errors.map(({ codeRaw, message }) => `${codeRaw}: ${message}`).join("; "));
  }
}

/** A subscription as an iterable. Each iteration is a separate subscription, with its end in `ends`. */
export async function* eventsOf<Data>(
  subscribe: (listener: Listener<GraphEvent<Data>>) => () => void,
  ends: Set<() => void>,
  signal?: AbortSignal,
): AsyncGenerator<GraphEvent<Data>, void, void> {
  let waiting: GraphEvent<Data>[] = [];
  let last: string | null = null;
  let isTooSlow = false;
  let ended: "open" | "complete" | SubscriptionEnded = "open";
  let wake = (): void => undefined;
  const complete = (): void => {
    ended = "complete";
    wake();
  };
  const start = () =>
    subscribe({
      next(event) {
        waiting.push(isTooSlow ? { ...event, gap: { since: last, reason: "the reader was too slow" } } : event);
        isTooSlow = false;
        if (waiting.length > MAX_WAITING) {
          waiting = [];
          isTooSlow = true;
          leave();
          leave = start();
        }
        wake();
      },
      error(errors) {
        ended = new SubscriptionEnded(errors);
        wake();
      },
      complete,
    });
  let leave = start();
  ends.add(complete);
  const stop = () => wake();
  signal?.addEventListener("abort", stop);
  try {
    while (signal?.aborted !== true) {
      const event = waiting.shift();
      if (event !== undefined) {
        last = event.time ?? last;
        yield event;
      } else if (ended === "open")
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      else if (ended === "complete") return;
      else throw ended;
    }
  } finally {
    ends.delete(complete);
    signal?.removeEventListener("abort", stop);
    leave();
  }
}
