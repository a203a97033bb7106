import type { Fault } from "../errors/index.js";
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
  const behind = new Set(expected);
  const positions = new Positions([...expected], listener.after, behind);
  const caughtUp = (about: string): void => {
    if (behind.delete(about) && behind.size === 0) listener.caughtUp?.();
  };
  const stop = (): void => {
    expected.clear();
    for (const unlisten of open.values()) unlisten();
    open.clear();
  };
  for (const { about, subject, listen } of sources) {
    const unlisten = listen({
      next: (event) => {
        if (!expected.has(about)) return;
        const position = positions.with(about, event.position);
        listener.next({ ...event, about, position, value: { subject, value: event.value } });
      },
      failed: (fault) => {
        open.delete(about);
        if (!expected.delete(about)) return;
        if (expected.size === 0) listener.failed(fault);
        else {
          // Without a position, since it may be sent after later events of the others.
          listener.next({ kind: "update", time: now(), stale: true, about, isLast: true, value: { subject, value: fault } });
          caughtUp(about);
        }
      },
      after: positions.partOf(about),
      followed: (position) => positions.follow(about, position),
      caughtUp: () => caughtUp(about),
    });
    if (expected.has(about)) open.set(about, unlisten);
    else unlisten();
  }
  return stop;
}

/** Combined positions of a listener to several streams. */
class Positions {
  readonly #last = new Map<string, string>();
  readonly #current = new Map<string, () => string | undefined>();

  constructor(
    private readonly names: readonly string[],
    private readonly after: string | null | undefined,
    /** Streams whose missed events the listener has not got yet, if it resumes. */
    private readonly behind: ReadonlySet<string>,
  ) {}

  /** `position` is that of a listener that has got all events of the stream so far. */
  follow(name: string, position: () => string | undefined): void {
    this.#current.set(name, position);
  }

  /** The combined position after an event of one of them. It has a part of each, so that none is lost with the next interruption. */
  with(name: string, position: string | undefined): string | undefined {
    if (this.names.length === 1) return position;
    if (position !== undefined) this.#last.set(name, position);
    const parts = this.names.flatMap((about) => {
      const part = this.#last.get(about) ?? this.#before(about);
      return part ? [`${encodeURIComponent(about)}:${part}`] : [];
    });
    return parts.length === 0 ? undefined : parts.join(",");
  }

  /** The position of the listener on a stream of which it has got no event. */
  #before(name: string): string | null | undefined {
    const isBehind = this.after !== undefined && this.behind.has(name);
    return isBehind ? this.partOf(name) : this.#current.get(name)?.();
  }

  /** The position on one of them that the listener resumes from; for an invalid position one that is unknown to every stream. */
  partOf(name: string): string | null | undefined {
    const { after } = this;
    if (this.names.length === 1 || typeof after !== "string") return after;
    const start = `${encodeURIComponent(name)}:`;
    return (
      after
        .split(",")
        .find((part) => part.startsWith(start))
        ?.slice(start.length) ?? ""
    );
  }
}
