import type { Fault } from "../errors/index.js";
import type { StreamEvent } from "./event.js";
import type { Listener, Unlisten } from "./listening.js";

/** The topic of an event of several streams, and its value or, if its stream has ended, the reason. */
export interface SubjectEvent<S, T> {
  readonly subject: S;
  readonly value: T | Fault;
}

interface SubjectStream<S, T> {
  /** Its name among the others. */
  readonly about: string;
  readonly subject: S;
  listen(listener: Listener<T>): Unlisten;
}

/**
 * Listens to several streams as one. A stream that fails emits an event with the reason, and the others continue; the failure of
 * the last one ends the whole. `now` is the exchange's time, Unix ms. The position of an event combines those of all streams.
 */
export function overMany<S, T>(
  sources: readonly SubjectStream<S, T>[],
  listener: Listener<SubjectEvent<S, T>>,
  now: () => number,
): Unlisten {
  const open = new Map<string, Unlisten>();
  const expected = new Set(sources.map(({ about }) => about));
  const positions = new Positions(sources.map(({ about }) => about));
  const behind = new Set(expected);
  const caughtUp = (about: string): void => {
    if (behind.delete(about) && behind.size === 0) listener.caughtUp?.();
  };
  const stop = (): void => {
    expected.clear();
    for (const unlisten of open.values()) unlisten();
    open.clear();
  };
  for (const { about, subject, listen } of sources) {
    const emit = (event: StreamEvent<T | Fault>) =>
      listener.next({ ...event, about, position: positions.with(about, event.position), value: { subject, value: event.value } });
    const unlisten = listen({
      next: (event) => {
        if (expected.has(about)) emit(event);
      },
      failed: (fault) => {
        open.delete(about);
        if (!expected.delete(about)) return;
        if (expected.size === 0) listener.failed(fault);
        else {
          emit({ kind: "update", time: now(), stale: true, value: fault });
          caughtUp(about);
        }
      },
      after: positions.partOf(listener.after, about),
      caughtUp: () => caughtUp(about),
    });
    if (expected.has(about)) open.set(about, unlisten);
    else unlisten();
  }
  return stop;
}

/** Combined positions of a listener to several streams. */
class Positions {
  readonly #positions = new Map<string, string>();

  constructor(private readonly names: readonly string[]) {}

  /** The combined position after an event of one of them. */
  with(name: string, position: string | undefined): string | undefined {
    if (this.names.length === 1) return position;
    if (position !== undefined) this.#positions.set(name, position);
    const parts = [...this.#positions].map(([about, position]) => `${encodeURIComponent(about)}:${position}`);
    return parts.length === 0 ? undefined : parts.join(",");
  }

  /** The position on one of them; for an invalid position one that is unknown to every stream. */
  partOf(position: string | null | undefined, name: string): string | null | undefined {
    if (this.names.length === 1 || typeof position !== "string") return position;
    const start = `${encodeURIComponent(name)}:`;
    return (
      position
        .split(",")
        .find((part) => part.startsWith(start))
        ?.slice(start.length) ?? ""
    );
  }
}
