import { createHash } from "node:crypto";
import { Fault, StoreUnreachable } from "../../errors/index.js";
import type { StreamEvent } from "../listening.js";
import { KEPT_EVENTS, type LogEntry } from "./eventLog.js";
import { LogWriter } from "./logWriter.js";
import type { ResumableTopic } from "./resumableTopics.js";
import { type PastParts, type ProvenPast, positionOf, Resumptions } from "./resumptions.js";

/** The exchange's lists may lag: readings begin this much before the last known item. */
const SLACK_MS = 90_000;

interface HistoryParts extends PastParts {
  /** Returns a unique text. */
  readonly newName: () => string;
  readonly report: (error: unknown) => void;
}

/** The history of a topic, as its hub uses it. */
export interface History<V> {
  /** Name of the topic in the log; empty before it has begun. */
  readonly topic: string;
  /** Reads the remembered entries before the first event. */
  begin(): void | Promise<void>;
  /** Position of a listener that has got all events so far. */
  readonly position: string | undefined;
  /** Records an event of the feed, and returns what of it is to be emitted: without items that a replica has already emitted. */
  take(event: StreamEvent<V>): StreamEvent<V>;
  /** The feed is up to date from now on. */
  live(): void;
  /** Called after an event has been emitted to all listeners. */
  settle(): void;
  /**
   * Answers with the events after a position as soon as they are certain; `null`: with the current position only. The returned
   * function cancels it.
   */
  resume(position: string | null, answer: (missed: StreamEvent<V>) => void): () => void;
  close(): void;
}

/** Name of a topic in the log. A promise, which never rejects, while the user of its account is read. */
export type TopicName = string | Promise<string>;

export type NewHistory = <T>(topic: TopicName, recording: ResumableTopic<T>) => History<readonly T[]>;

/**
 * The latest proven events of a topic: events of a stale feed are held back until it is certain that nothing before them is
 * missing. A listener's position is its last proven event. A listener that resumes from it gets all events after it, from this
 * replica or another one that shares the log.
 */
export class TopicHistory<T> implements History<readonly T[]>, ProvenPast {
  readonly #entries: LogEntry[] = [];
  #pending: LogEntry[] = [];
  readonly #ids = new Set<string>();
  readonly #writer: LogWriter;
  readonly #resumptions: Resumptions<T>;
  /** Whether events are being recorded, because everything before them is known. */
  #isOpen = false;
  #isClosing = false;
  /** Whether nothing is known of the time before. */
  #isCutOff = false;
  #isGapped = false;
  #isOver = false;
  /** Set before the log is used. */
  #topic = "";

  constructor(
    private readonly parts: HistoryParts,
    private readonly name: TopicName,
    private readonly recording: ResumableTopic<T>,
  ) {
    const own = { ...parts, topic: () => this.#topic, failed: (error: unknown) => this.#failed(error) };
    this.#writer = new LogWriter({ ...own, entries: () => (this.#isOpen ? this.#entries : []) });
    this.#resumptions = new Resumptions({ ...own, isItem: recording.isItem, past: this });
  }

  begin(): void | Promise<void> {
    return typeof this.name === "string" ? this.#begin(this.name) : this.name.then((name) => this.#begin(name));
  }

  #begin(topic: string): void | Promise<void> {
    this.#topic = topic;
    const read = this.parts.log.read(topic);
    if (!(read instanceof Promise)) return this.#seed(read);
    return read.then(
      (entries) => this.#seed(entries),
      (error: unknown) => {
        this.#isCutOff = true;
        this.#failed(error);
      },
    );
  }

  get topic(): string {
    return this.#topic;
  }

  get position(): string | undefined {
    // A break that is not in the log does not concern listeners that resume at another replica.
    const last = this.#entries.findLast((entry) => this.#writer.isShared(entry));
    return last === undefined || !this.#isOpen ? undefined : positionOf(last);
  }

  get entries(): readonly LogEntry[] {
    return this.#entries;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  get isSettled(): boolean {
    return this.#isOpen && !this.#isGapped && !this.#isClosing && !this.#isOver;
  }

  take(event: StreamEvent<readonly T[]>): StreamEvent<readonly T[]> {
    const { kind, value, stale, time } = event;
    const items = [...value].reverse().map((item) => this.#entryOf(item, time));
    const isNew = items.map(({ id }) => !this.#ids.has(id)).reverse();
    const first = items.findIndex(({ id }) => this.#ids.has(id));
    const isBeginning = kind === "snapshot" || !this.#isOpen;
    const needsOverlap = this.recording.continues === "overlap" && isBeginning && this.#entries.length > 0;
    if (needsOverlap && items.length > 0 && first === -1) this.#break(time);
    // Items older than all known ones are not new.
    for (const item of needsOverlap && first > 0 ? items.slice(first) : items) this.#remember(item);
    if (stale) this.#isGapped = true;
    else this.live();
    return this.recording.continues === "reading" ? { ...event, value: value.filter((_, at) => isNew[at]) } : event;
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
    this.#resumptions.settle();
  }

  resume(position: string | null, answer: (missed: StreamEvent<readonly T[]>) => void): () => void {
    return this.#resumptions.add(position, ({ items, resumed }) => {
      const value = [...items].reverse();
      const time = this.parts.exchangeNow();
      answer({ kind: "update", time, stale: !this.isSettled, value, position: this.position, resumed });
    });
  }

  close(): void {
    this.#isOver = true;
    this.#writer.close();
    this.#resumptions.close();
  }

  #seed(entries: readonly LogEntry[]): void {
    for (const entry of entries.slice(-KEPT_EVENTS)) {
      const isReadable = entry.kind !== "event" || this.recording.isItem(entry.event);
      this.#entries.push(isReadable ? entry : { id: entry.id, kind: "break", time: entry.time });
      this.#ids.add(entry.id);
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

  /** Reads the items between the last known one and the first received one. */
  #close({ time }: LogEntry, past: NonNullable<ResumableTopic<T>["past"]>): void {
    this.#isClosing = true;
    // Items from now on are pushed.
    const readUntil = Math.max(time, this.parts.exchangeNow());
    const closed = (items: readonly T[] | undefined) => {
      if (this.#isOver) return;
      const pushed = this.#pending;
      this.#pending = [];
      if (items === undefined) this.#break(readUntil);
      // Items older than the last break and all known ones after it, or than all known ones without a break, are not new.
      const since = this.#entries.slice(
        Math.max(
          0,
          this.#entries.findLastIndex(({ kind }) => kind !== "event"),
        ),
      );
      const oldest = Math.min(...since.map((entry) => entry.time));
      const entries = (items ?? []).map((item) => this.#entryOf(item, time)).sort((a, b) => a.time - b.time);
      const unseen = entries.filter((entry) => entry.time >= oldest && !this.#ids.has(entry.id));
      // Items that are read late were emitted by another replica, or not at all; it is unknown which of the later items it has
      // emitted.
      const late = unseen.filter((entry) => entry.time < time);
      this.#pending.push(...late);
      if (late.length > 0) this.#break(time);
      this.#pending.push(...unseen.slice(late.length));
      const read = new Set(this.#pending.map(({ id }) => id));
      this.#pending.push(...pushed.filter(({ id }) => !read.has(id)));
      for (const { id } of this.#pending) this.#ids.add(id);
      this.#isClosing = false;
      this.#isOpen = true;
      if (this.#isGapped) return;
      this.live();
      this.settle();
    };
    // After the exchange's clock has moved back, it is not known what came after its last event.
    if (time - SLACK_MS > this.parts.exchangeNow()) {
      closed(undefined);
      return;
    }
    past(time - SLACK_MS, time).then(closed, (error: unknown) => {
      this.#failed(error);
      closed(undefined);
    });
  }

  #entryOf(item: T, now: number): LogEntry {
    const id = createHash("sha256").update(this.recording.identify(item)).digest("base64url").slice(0, 16);
    return { id, kind: "event", time: this.recording.timeOf(item) ?? now, event: item };
  }

  #remember(entry: LogEntry): void {
    if (this.#ids.has(entry.id)) return;
    this.#ids.add(entry.id);
    // Ordered by time, as at other replicas: an item may be pushed before earlier ones have been read.
    const before = this.#pending.findLastIndex(({ kind, time }) => kind !== "event" || time <= entry.time);
    this.#pending.splice(before + 1, 0, entry);
    // Events that can no longer be held back are lost for resuming listeners, which a break records.
    if (this.#pending.length > 2 * KEPT_EVENTS) {
      for (const { id } of this.#pending.splice(0, this.#pending.length - KEPT_EVENTS)) this.#ids.delete(id);
      this.#breakBefore();
    }
  }

  #break(time: number): void {
    this.#pending.push({ id: this.parts.newName(), kind: "break", time });
  }

  #breakBefore(): void {
    this.#pending.unshift({ id: this.parts.newName(), kind: "break", time: this.#pending[0]?.time ?? this.parts.exchangeNow() });
  }

  /** Records proven events, here and in the log. */
  #commit(): void {
    if (this.#pending.length === 0 || this.#isClosing) return;
    const last = this.#entries.at(-1)?.id;
    const added = this.#pending;
    this.#pending = [];
    this.#entries.push(...added);
    const forgotten = this.#entries.splice(0, Math.max(0, this.#entries.length - KEPT_EVENTS));
    for (const { id } of forgotten) this.#ids.delete(id);
    this.#writer.forget(forgotten);
    this.#writer.add(last, added);
  }

  /** An unreachable store or exchange is reported elsewhere, and its caller may have left. */
  #failed(error: unknown): void {
    if (!(error instanceof StoreUnreachable || error instanceof Fault)) this.parts.report(error);
  }
}
