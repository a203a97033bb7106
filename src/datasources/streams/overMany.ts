import type { Fault } from "../fault.js";
import type { StreamEvent } from "./event.js";
import type { Unlisten } from "./streams.js";
import type { Listener } from "./topicHub.js";

/** What an event of several streams is about, and what it says: why there is no more of this one, where it has ended. */
export interface Said<S, T> {
  readonly subject: S;
  readonly value: T | Fault;
}

/** One of the streams. */
interface Source<S, T> {
  /** Tells it apart from the others. */
  readonly about: string;
  readonly subject: S;
  listen(listener: Listener<T>): Unlisten;
}

/**
 * Listens to several streams as one. A stream that fails says so in an event of its own, and the others go on; the last one's
 * failure ends the whole. `now` is the exchange's time, Unix ms.
 */
export function overMany<S, T>(sources: readonly Source<S, T>[], listener: Listener<Said<S, T>>, now: () => number): Unlisten {
  const open = new Map<string, Unlisten>();
  const expected = new Set(sources.map(({ about }) => about));
  const stop = (): void => {
    expected.clear();
    for (const unlisten of open.values()) unlisten();
    open.clear();
  };
  for (const { about, subject, listen } of sources) {
    const say = (event: StreamEvent<T | Fault>) => listener.next({ ...event, about, value: { subject, value: event.value } });
    const unlisten = listen({
      next: (event) => {
        if (expected.has(about)) say(event);
      },
      failed: (fault) => {
        open.delete(about);
        if (!expected.delete(about)) return;
        if (expected.size === 0) listener.failed(fault);
        else say({ kind: "update", time: now(), stale: true, value: fault });
      },
    });
    if (expected.has(about)) open.set(about, unlisten);
    else unlisten();
  }
  return stop;
}
