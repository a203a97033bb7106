import { createHash } from "node:crypto";
import type { Clock } from "@exchange-graph/contract/clock";
import { type EventLog, KEPT_EVENTS, type LogEntry } from "../../ports/eventLog.js";
import { StoreGone } from "../../ports/relayStore.js";
import type { StreamEvent } from "../event.js";
import { LogWriter } from "./logWriter.js";
import type { Recording } from "./recording.js";
import { type ProvenPast, positionOf, Resumptions } from "./resumptions.js";

/** The exchange's lists may lag: what is asked of it begins this long before what is known. */
const SLACK_MS = 90_000;

/** What histories have in common. */
interface HistoryParts {
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
  /** An event of the feed, before it is emitted. */
  take(event: StreamEvent<V>): void;
  /** The feed is up to date from now on. */
  live(): void;
  /** To be called once an event has been emitted to all listeners. */
  settle(): void;
  /** Answers with what came after a position as soon as that is certain; `null`: with where it is. The returned function cancels that. */
  resume(position: string | null, answer: (missed: StreamEvent<V>) => void): () => void;
  close(): void;
}

/** Makes what remembers the events of a topic. */
export type NewHistory = <T>(topic: string, recording: Recording<T>) => History<readonly T[]>;

/**
 * The latest events of a topic, as far as they are proven: what comes while the feed is stale is held back until nothing before it is
 * missing. A listener's position is the last event that it got then. A listener that resumes from it gets all that follows it, from
 * this replica or by another that shares the log.
 */
export class TopicHistory<T> implements History<readonly T[]>, ProvenPast {
  readonly #entries: LogEntry[] = [];
  #pending: LogEntry[] = [];
  readonly #known = new Set<string>();
  readonly #writer: LogWriter;
  readonly #resumptions: Resumptions<T>;
  /** Events are put down: all before them are known. */
  #isOpen = false;
  #isClosing = false;
  /** Nothing is known of what was before. */
  #isCutOff = false;
  #isGapped = false;
  #isOver = false;

  constructor(
    private readonly parts: HistoryParts,
    private readonly topic: string,
    private readonly recording: Recording<T>,
  ) {
    const { log, clock, exchangeNow } = parts;
    const failed = (error: unknown) => this.#failed(error);
    this.#writer = new LogWriter({ log, clock, failed, entries: () => (this.#isOpen ? this.#entries : []) }, topic);
    const { isItem } = recording;
    this.#resumptions = new Resumptions({ log, topic, clock, exchangeNow, isItem, past: this, failed });
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
    // A break that is not in the log is none for whoever comes back to another replica.
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
      // What is read late was emitted to nobody, or by another replica: which of the later items it has emitted is unknown.
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
    const forgotten = this.#entries.splice(0, Math.max(0, this.#entries.length - KEPT_EVENTS));
    for (const { id } of forgotten) this.#known.delete(id);
    this.#writer.forget(forgotten);
    this.#writer.add(last, news);
  }

  /** That a store is gone is nothing new. */
  #failed(error: unknown): void {
    if (!(error instanceof StoreGone)) this.parts.report(error);
  }
}
