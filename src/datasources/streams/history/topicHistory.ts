import { createHash } from "node:crypto";
import type { Clock } from "@exchange-graph/contract/clock";
import { type EventLog, KEPT_EVENTS, type LogEntry } from "../../ports/eventLog.js";
import { StoreGone } from "../../ports/relayStore.js";
import type { Resumed, StreamEvent } from "../event.js";
import type { Recording } from "./recording.js";

/** A listener that comes back to an interrupted topic waits so long until what it missed is known for sure. */
const RESUME_MS = 8_000;
/** What is remembered of a topic is kept on so often while somebody listens to it. */
const TOUCH_MS = 60_000;
/** The exchange's lists may lag: what is asked of it begins this long before what is known. */
const SLACK_MS = 90_000;

/** What histories have in common. */
export interface HistoryParts {
  readonly log: EventLog;
  readonly clock: Clock;
  /** The exchange's time, Unix ms. */
  readonly exchangeNow: () => number;
  /** A text that nobody has had before. */
  readonly newName: () => string;
  readonly report: (error: unknown) => void;
}

/** What a topic's hub needs of its history. */
export interface History<V> {
  /** Reads what is remembered, before anything is heard. */
  begin(): void | Promise<void>;
  /** Where a listener is that has heard all so far. */
  readonly position: string | undefined;
  /** An event of the feed, before it is told. */
  take(event: StreamEvent<V>): void;
  /** The feed tells the truth from now on. */
  live(): void;
  /** To be called once everybody has been told of an event. */
  settle(): void;
  /** Tells what came after a position as soon as that is known for sure; `null`: where it is. The returned function takes it back. */
  resume(position: string | null, answer: (missed: StreamEvent<V>) => void): () => void;
  close(): void;
}

/** Makes what remembers the events of a topic. */
export type NewHistory = <T>(topic: string, recording: Recording<T>) => History<readonly T[]>;

/** What came after a place; oldest first. */
interface Missed<T> {
  readonly items: readonly T[];
  readonly resumed: Resumed | undefined;
}

interface Waiting<T> {
  /** Nothing where it asks for its position alone. */
  readonly after: Place | undefined;
  readonly answer: (missed: Missed<T>) => void;
  readonly cancel: () => void;
  /** It was looked for in the log already. */
  isLookedUp: boolean;
  isOver: boolean;
}

interface Place {
  readonly id: string;
  /** `null` where the position is none of ours. */
  readonly time: number | null;
}

/**
 * The latest events of a topic, as far as they are proven: what comes while the feed is stale is held back until nothing before it is
 * missing. A listener's position is the last event that it was told then. Whoever comes back with it is told all that follows it, by
 * this replica or by another that shares the log.
 */
export class TopicHistory<T> implements History<readonly T[]> {
  readonly #entries: LogEntry[] = [];
  #pending: LogEntry[] = [];
  readonly #known = new Set<string>();
  readonly #waiting = new Set<Waiting<T>>();
  /** Events are put down: all before them are known. */
  #isOpen = false;
  #isClosing = false;
  /** Nothing is known of what was before. */
  #isCutOff = false;
  /** Entries have been added to the log up to the last one. */
  #isLogged = true;
  #isGapped = false;
  #cancelTouch: (() => void) | undefined;
  #isOver = false;

  constructor(
    private readonly parts: HistoryParts,
    private readonly topic: string,
    private readonly recording: Recording<T>,
  ) {
    this.#touch();
  }

  begin(): void | Promise<void> {
    const read = this.parts.log.read(this.topic);
    if (!(read instanceof Promise)) return this.#seed(read);
    return read.then(
      (entries) => this.#seed(entries),
      (error: unknown) => {
        this.#isCutOff = true;
        this.#failed(error);
      },
    );
  }

  get position(): string | undefined {
    const last = this.#entries.at(-1);
    return last === undefined || !this.#isOpen ? undefined : positionOf(last);
  }

  take({ kind, value, stale, time }: StreamEvent<readonly T[]>): void {
    const items = [...value].reverse().map((item) => this.#entryOf(item, time));
    const first = items.findIndex(({ id }) => this.#known.has(id));
    const isBeginning = kind === "snapshot" || !this.#isOpen;
    const needsOverlap = this.recording.continues === "overlap" && isBeginning && this.#entries.length > 0;
    if (needsOverlap && items.length > 0 && first === -1) this.#break(time);
    // What is older than all that is known is not news.
    for (const item of needsOverlap && first > 0 ? items.slice(first) : items) this.#remember(item);
    if (stale) this.#isGapped = true;
    else this.live();
  }

  live(): void {
    if (this.#isClosing || this.#isOver) return;
    const { continues } = this.recording;
    if (this.#isGapped && continues === "nothing" && this.#entries.length > 0) this.#breakBefore();
    this.#isGapped = false;
    if (this.#isOpen) this.#commit();
    else this.#open();
  }

  settle(): void {
    if (this.#isSettled) for (const waiting of [...this.#waiting]) this.#answer(waiting);
  }

  resume(position: string | null, answer: (missed: StreamEvent<readonly T[]>) => void): () => void {
    const after = position === null ? undefined : placeIn(position);
    const waiting: Waiting<T> = {
      after,
      answer: ({ items, resumed }) => {
        if (waiting.isOver) return;
        end();
        const value = [...items].reverse();
        answer({
          kind: "update",
          time: this.parts.exchangeNow(),
          stale: !this.#isSettled,
          value,
          position: this.position,
          resumed,
        });
      },
      cancel: () => cancel(),
      isLookedUp: false,
      isOver: false,
    };
    // A topic that is not there yet comes, or fails.
    const tire = () => (this.#isOpen ? waiting.answer(this.#unknown(after)) : wait());
    let cancel = (): void => undefined;
    const wait = (): void => {
      cancel = this.parts.clock.after(RESUME_MS, tire);
    };
    wait();
    const end = () => {
      waiting.isOver = true;
      waiting.cancel();
      this.#waiting.delete(waiting);
    };
    this.#waiting.add(waiting);
    this.settle();
    return end;
  }

  close(): void {
    this.#isOver = true;
    this.#cancelTouch?.();
    for (const { cancel } of this.#waiting) cancel();
    this.#waiting.clear();
  }

  #seed(entries: readonly LogEntry[]): void {
    for (const entry of entries.slice(-KEPT_EVENTS)) {
      const isReadable = entry.kind !== "event" || this.recording.isItem(entry.event);
      this.#entries.push(isReadable ? entry : { id: entry.id, kind: "break", time: entry.time });
      this.#known.add(entry.id);
    }
  }

  #open(): void {
    const { continues, past } = this.recording;
    const last = this.#entries.at(-1);
    if (last === undefined) {
      const time = this.parts.exchangeNow();
      const start: LogEntry = { id: this.parts.newName(), kind: this.#isCutOff ? "break" : "start", time };
      this.#pending.unshift(start);
    } else if (continues === "nothing") this.#breakBefore();
    else if (continues === "reading" && past !== undefined) {
      this.#close(last, past);
      return;
    }
    this.#isOpen = true;
    this.#commit();
  }

  /** Reads what happened between what is known and what has been heard. */
  #close({ time }: LogEntry, past: NonNullable<Recording<T>["past"]>): void {
    this.#isClosing = true;
    const closed = (items: readonly T[] | undefined) => {
      if (this.#isOver) return;
      const heard = this.#pending;
      this.#pending = [];
      if (items === undefined) this.#break(time);
      // What is older than all that is known, or than the last break, is not news.
      const oldest = (this.#entries.findLast(({ kind }) => kind !== "event") ?? this.#entries[0])?.time ?? 0;
      const entries = (items ?? []).map((item) => this.#entryOf(item, time)).sort((a, b) => a.time - b.time);
      const news = entries.filter((entry) => entry.time >= oldest && !this.#known.has(entry.id));
      // What is learnt late was told to nobody, or by somebody who did not tell what is known after it: where that is unknown.
      const late = news.filter((entry) => entry.time < time);
      this.#pending.push(...late);
      if (late.length > 0) this.#break(time);
      this.#pending.push(...news.slice(late.length));
      const read = new Set(this.#pending.map(({ id }) => id));
      this.#pending.push(...heard.filter(({ id }) => !read.has(id)));
      for (const { id } of this.#pending) this.#known.add(id);
      this.#isClosing = false;
      this.#isOpen = true;
      if (this.#isGapped) return;
      this.live();
      this.settle();
    };
    past(time - SLACK_MS).then(closed, (error: unknown) => {
      this.parts.report(error);
      closed(undefined);
    });
  }

  #entryOf(item: T, now: number): LogEntry {
    const id = createHash("sha256").update(this.recording.identify(item)).digest("base64url").slice(0, 16);
    return { id, kind: "event", time: this.recording.timeOf(item) ?? now, event: item };
  }

  #remember(entry: LogEntry): void {
    if (this.#known.has(entry.id)) return;
    this.#known.add(entry.id);
    this.#pending.push(entry);
    // What cannot be held back any longer is lost for whoever comes back, and that is said.
    if (this.#pending.length > 2 * KEPT_EVENTS) {
      for (const { id } of this.#pending.splice(0, this.#pending.length - KEPT_EVENTS)) this.#known.delete(id);
      this.#breakBefore();
    }
  }

  #break(time: number): void {
    this.#pending.push({ id: this.parts.newName(), kind: "break", time });
  }

  #breakBefore(): void {
    this.#pending.unshift({ id: this.parts.newName(), kind: "break", time: this.#pending[0]?.time ?? this.parts.exchangeNow() });
  }

  /** Puts down what is proven, here and in the log. */
  #commit(): void {
    if (this.#pending.length === 0 || this.#isClosing) return;
    const last = this.#entries.at(-1)?.id;
    const news = this.#pending;
    this.#pending = [];
    this.#entries.push(...news);
    for (const { id } of this.#entries.splice(0, Math.max(0, this.#entries.length - KEPT_EVENTS))) this.#known.delete(id);
    if (this.#isLogged && news.length <= KEPT_EVENTS) this.#log(last, news);
    else this.#log(undefined, this.#entries);
  }

  /** What is not known to stand in the log is added again with what comes next. */
  #log(after: string | undefined, entries: readonly LogEntry[]): void {
    const isWhole = after === undefined;
    if (isWhole) this.#isLogged = true;
    this.parts.log.append(this.topic, after, entries).then(
      (isAdded) => {
        if (isAdded || this.#isOver) return;
        if (isWhole) this.#isLogged = false;
        else this.#log(undefined, [...this.#entries]);
      },
      (error: unknown) => {
        this.#isLogged = false;
        this.#failed(error);
      },
    );
  }

  #touch(): void {
    this.#cancelTouch = this.parts.clock.after(TOUCH_MS, () => {
      if (this.#isOpen) this.#log(undefined, this.#isLogged ? [] : [...this.#entries]);
      this.#touch();
    });
  }

  get #isSettled(): boolean {
    return this.#isOpen && !this.#isGapped && !this.#isClosing && !this.#isOver;
  }

  #answer(waiting: Waiting<T>, log: readonly LogEntry[] = []): void {
    const { after, answer } = waiting;
    const inLog = after === undefined ? -1 : log.findLastIndex(({ id }) => id === after.id);
    const later = new Set(log.slice(inLog + 1).map(({ id }) => id));
    const at = after === undefined ? -1 : this.#entries.findLastIndex(({ id }) => id === after.id);
    if (after === undefined) answer({ items: [], resumed: undefined });
    else if (at !== -1) answer(this.#since(this.#entries.slice(at + 1), after));
    else if (inLog !== -1)
      answer(this.#since([...log.slice(inLog + 1), ...this.#entries.filter(({ id }) => !later.has(id))], after));
    else if (waiting.isLookedUp) answer(this.#unknown(after));
    else this.#lookUp(waiting);
  }

  /** Another replica may have put down what its listener was told last after this one had begun. */
  #lookUp(waiting: Waiting<T>): void {
    waiting.isLookedUp = true;
    const read = this.parts.log.read(this.topic);
    if (!(read instanceof Promise)) {
      this.#answer(waiting);
      return;
    }
    this.#waiting.delete(waiting);
    const answer = (log: readonly LogEntry[]) => {
      if (this.#isOver || waiting.isOver) return;
      // While the feed is interrupted what it tells is not proven: once it is, it is found here.
      if (this.#isSettled) this.#answer(waiting, log);
      else this.#waiting.add(waiting);
    };
    read.then(answer, (error: unknown) => {
      this.#failed(error);
      answer([]);
    });
  }

  #since(entries: readonly LogEntry[], after: Place): Missed<T> {
    const items = entries.flatMap(({ event }) => (this.recording.isItem(event) ? [event] : []));
    const gap = entries.findLast(({ kind }) => kind === "break");
    if (gap === undefined) return { items, resumed: { isWhole: true } };
    return { items, resumed: { isWhole: false, from: after.time, to: gap.time } };
  }

  #unknown(after: Place | undefined): Missed<T> {
    return { items: [], resumed: after && { isWhole: false, from: after.time, to: this.parts.exchangeNow() } };
  }

  /** That a store is gone is nothing new. */
  #failed(error: unknown): void {
    if (!(error instanceof StoreGone)) this.parts.report(error);
  }
}

const positionOf = ({ id, time }: LogEntry): string => `${time.toString(36)}.${id}`;

function placeIn(position: string): Place {
  const [, time = "", id = ""] = /^([0-9a-z]{1,11})\.(\S+)$/.exec(position) ?? [];
  return { id, time: id === "" ? null : Number.parseInt(time, 36) };
}
