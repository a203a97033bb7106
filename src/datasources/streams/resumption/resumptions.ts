import type { Resumed } from "../listening.js";
import type { LogEntry } from "./eventLog.js";
import type { WriterParts } from "./logWriter.js";

/** Maximum wait of a resuming listener for an interrupted topic until the missed events are certain. */
const RESUME_MS = 8_000;
/**
 * Events younger than this may still be added to the log by a replica that takes over from its writer, so the log is read again.
 * Events may also arrive out of order by this much, so some may be missing before a position.
 */
const LATE_MS = 10_000;
const LOOK_AGAIN_MS = 1_000;
/** Maximum error of the known time of the exchange, which a gap ends at. */
const TIME_ERROR_MS = 1_000;

/** Events after a position, oldest first. */
interface Missed<T> {
  readonly items: readonly T[];
  readonly resumed: Resumed | undefined;
}

export interface ProvenPast {
  /** Oldest first. */
  readonly entries: readonly LogEntry[];
  /** Whether anything has been proven yet. */
  readonly isOpen: boolean;
  readonly isSettled: boolean;
}

export interface PastParts extends Pick<WriterParts, "log" | "clock"> {
  /** The exchange's time, Unix ms. */
  readonly exchangeNow: () => number;
  /** The latest time from which the exchange's clock was set back, Unix ms; 0 if it never was. */
  readonly setBackFrom: () => number;
}

interface ResumptionParts<T> extends PastParts, Pick<WriterParts, "topic" | "failed"> {
  readonly isItem: (value: unknown) => value is T;
  readonly past: ProvenPast;
}

interface Place {
  readonly id: string;
  /** `null` if the position is invalid. */
  readonly time: number | null;
}

interface Waiting<T> {
  /** Undefined if the listener only requests its position. */
  readonly after: Place | undefined;
  readonly answer: (missed: Missed<T>) => void;
  cancel: () => void;
  /** Whether the log is being read for it, or will be. */
  isLookedUp: boolean;
}

/** Resuming listeners of a topic, each until its missed events are known. */
export class Resumptions<T> {
  readonly #waiting = new Set<Waiting<T>>();

  constructor(private readonly parts: ResumptionParts<T>) {}

  /**
   * Answers with the events after a position as soon as they are certain; `null`: with none. The returned function cancels it.
   */
  add(position: string | null, answer: (missed: Missed<T>) => void): () => void {
    const waiting: Waiting<T> = {
      after: position === null ? undefined : placeIn(position),
      answer: (missed) => {
        if (!this.#waiting.has(waiting)) return;
        this.#end(waiting);
        answer(missed);
      },
      cancel: () => undefined,
      isLookedUp: false,
    };
    this.#waiting.add(waiting);
    this.#wait(waiting);
    this.settle();
    return () => this.#end(waiting);
  }

  /** Called when more events may be known. */
  settle(): void {
    if (this.parts.past.isSettled) for (const waiting of [...this.#waiting]) this.#answer(waiting);
  }

  close(): void {
    for (const waiting of this.#waiting) this.#end(waiting);
  }

  /** A topic that has not started yet either starts or fails. */
  #wait(waiting: Waiting<T>): void {
    waiting.cancel = this.parts.clock.after(RESUME_MS, () => {
      if (this.parts.past.isOpen) waiting.answer(this.#unknown(waiting.after));
      else this.#wait(waiting);
    });
  }

  #end(waiting: Waiting<T>): void {
    waiting.cancel();
    this.#waiting.delete(waiting);
  }

  #answer(waiting: Waiting<T>): void {
    const { after, answer } = waiting;
    const at = after === undefined ? -1 : this.#entries.findLastIndex(({ id }) => id === after.id);
    if (after === undefined) answer({ items: [], resumed: undefined });
    else if (at !== -1) answer(this.#since(this.#following(at), after));
    else if (!waiting.isLookedUp) this.#lookUp(waiting, after);
  }

  /** The known entries after this one. Without other replicas, a listener at this place has had all those before it. */
  #following(at: number): readonly LogEntry[] {
    return this.parts.log.isShared ? following(this.#entries, at) : this.#entries.slice(at + 1);
  }

  get #entries(): readonly LogEntry[] {
    return this.parts.past.entries;
  }

  /** Another replica may have added the listener's last event after this replica had started. */
  #lookUp(waiting: Waiting<T>, after: Place): void {
    waiting.isLookedUp = true;
    const read = this.parts.log.read(this.parts.topic());
    if (!(read instanceof Promise)) {
      waiting.answer(this.#unknown(after));
      return;
    }
    read.then(
      (log) => this.#lookedUp(waiting, after, log),
      (error: unknown) => {
        this.parts.failed(error);
        this.#lookedUp(waiting, after, undefined);
      },
    );
  }

  /** `log`: its entries; undefined if it cannot be read. */
  #lookedUp(waiting: Waiting<T>, after: Place, log: readonly LogEntry[] | undefined): void {
    if (!this.#waiting.has(waiting)) return;
    const at = log?.findLastIndex(({ id }) => id === after.id) ?? -1;
    // While the feed is interrupted its events are not proven; the search is repeated when they are.
    if (!this.parts.past.isSettled) waiting.isLookedUp = false;
    else if (log !== undefined && at !== -1) waiting.answer(this.#since([...following(log, at), ...this.#notIn(log, at)], after));
    else if (log === undefined || after.time === null || this.parts.exchangeNow() - after.time >= LATE_MS)
      waiting.answer(this.#unknown(after));
    else
      this.parts.clock.after(LOOK_AGAIN_MS, () => {
        waiting.isLookedUp = false;
        if (this.#waiting.has(waiting)) this.settle();
      });
  }

  /**
   * Entries known here only: they follow the log, and prove that nothing is missing between its entries that are also known here.
   * The last of those has to come after the listener's place (`at`) in the log, or to be an event with no break between it and that
   * place: otherwise it is not known what happened between the entries of others and those that are known here only.
   */
  #notIn(log: readonly LogEntry[], at: number): readonly LogEntry[] {
    const ids = new Set(log.map(({ id }) => id));
    const isIn = ({ id }: LogEntry) => ids.has(id);
    const [first, last] = [this.#entries.findIndex(isIn), this.#entries.findLastIndex(isIn)];
    const known = this.#entries[last];
    const since = log.findLastIndex(({ id }) => id === known?.id);
    const isProven = since > at || (since !== -1 && log.slice(since, at + 1).every(({ kind }) => kind === "event"));
    const own = this.#entries.filter(
      (entry, place) => !isIn(entry) && (place > last || (place > first && entry.kind === "event")),
    );
    const { time } = known ?? this.#entries[0] ?? { time: this.parts.exchangeNow() };
    return isProven ? own : [{ id: "", kind: "break", time }, ...own];
  }

  #since(entries: readonly LogEntry[], after: Place): Missed<T> {
    const items = entries.flatMap(({ event }) => (this.parts.isItem(event) ? [event] : []));
    const gap = entries.findLast(({ kind }) => kind === "break");
    if (gap === undefined) return { items, resumed: { isWhole: true } };
    return { items, resumed: this.#gapOf(after, gap.time) };
  }

  #unknown(after: Place | undefined): Missed<T> {
    return { items: [], resumed: after && this.#gapOf(after, this.parts.exchangeNow()) };
  }

  /**
   * A gap that ended at a time of the exchange's clock. If that was set back, events in the gap may be dated later. A position later
   * than the end shows that it was: it is then unknown when the gap began.
   */
  #gapOf({ time }: Place, end: number): Resumed {
    const from = time === null || time - LATE_MS > end ? null : time - LATE_MS;
    return { isWhole: false, from, to: Math.max(end, time ?? end, this.parts.setBackFrom()) + TIME_ERROR_MS };
  }
}

/**
 * The entries after this one, and the later events before it: another replica, where the listener was, may have received them after
 * it. If a break is between them and it, events between both may be missing.
 */
function following(entries: readonly LogEntry[], at: number): readonly LogEntry[] {
  const time = entries[at]?.time ?? 0;
  const before = entries.slice(0, at);
  const later = before.filter((entry) => entry.kind === "event" && entry.time > time);
  const [first] = later;
  const isBroken = first !== undefined && before.slice(before.indexOf(first)).some(({ kind }) => kind !== "event");
  const gap = isBroken ? [{ id: "", kind: "break" as const, time: first.time }] : [];
  return [...gap, ...later, ...entries.slice(at + 1)];
}

/** The position of a listener whose last event is this entry. */
export const positionOf = ({ id, time }: LogEntry): string => `${time.toString(36)}.${id}`;

function placeIn(position: string): Place {
  const [, time = "", id = ""] = /^([0-9a-z]{1,11})\.(\S+)$/.exec(position) ?? [];
  return { id, time: id === "" ? null : Number.parseInt(time, 36) };
}
