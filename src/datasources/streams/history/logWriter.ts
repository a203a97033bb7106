import type { Clock } from "@exchange-graph/contract/clock";
import { type Appended, type EventLog, KEPT_EVENTS, type LogEntry } from "../../ports/eventLog.js";

interface WriterParts {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly failed: (error: unknown) => void;
  /** All that is proven here of the topic, oldest first; empty before anything is. */
  readonly entries: () => readonly LogEntry[];
}

/**
 * Adds what is proven here to the log, as long as this replica has the lease of the topic. Where another one has it only the beginning
 * is added: later events are in the log by that one, and a break here is none elsewhere. Whoever takes the lease over adds all that it knows.
 */
export class LogWriter {
  /** Has this replica the lease? Nothing before the log has said so. */
  #isWriter: boolean | undefined;
  /** Entries have been added up to the last one. */
  #isLogged = true;
  /** Breaks that are not in the log. */
  readonly #ownBreaks = new Set<string>();
  #cancelLook: () => void;
  #isClosed = false;

  constructor(
    private readonly parts: WriterParts,
    private readonly topic: string,
  ) {
    this.#cancelLook = this.#book();
  }

  /** Do other replicas know an entry, or will they? */
  isShared({ id }: LogEntry): boolean {
    return !this.#ownBreaks.has(id);
  }

  /** Entries that are new here. `after`: the one that they follow; nothing where nothing was known before. */
  add(after: string | undefined, entries: readonly LogEntry[]): void {
    if (this.#isWriter === false) this.#keepBreaks(entries);
    else if (this.#isLogged && entries.length <= KEPT_EVENTS) this.#append(after, entries);
    else this.#appendAll();
  }

  /** Entries that are no longer kept here. */
  forget(entries: readonly LogEntry[]): void {
    for (const { id } of entries) this.#ownBreaks.delete(id);
  }

  /** Another replica may write the topic. */
  close(): void {
    this.#isClosed = true;
    this.#cancelLook();
    if (this.#isWriter === true) this.parts.log.release(this.topic).catch(this.parts.failed);
  }

  #appendAll(): void {
    this.#isLogged = true;
    this.#append(undefined, [...this.parts.entries()]);
  }

  /** What is not known to stand in the log is added again with what comes next. */
  #append(after: string | undefined, entries: readonly LogEntry[]): void {
    const as = this.#isWriter === undefined ? "anyone" : "writer";
    this.parts.log.append(this.topic, after, entries, as).then(
      (appended) => this.#appended(appended, after === undefined, entries),
      (error: unknown) => {
        this.#isLogged = false;
        this.parts.failed(error);
      },
    );
  }

  #appended({ isAdded, isWriter }: Appended, isWhole: boolean, entries: readonly LogEntry[]): void {
    if (this.#isClosed) return;
    this.#isWriter = isWriter;
    if (!isWriter && !isAdded) this.#keepBreaks(entries);
    else if (!isAdded) this.#appendAll();
    else if (isWhole) this.#ownBreaks.clear();
  }

  #keepBreaks(entries: readonly LogEntry[]): void {
    for (const { id, kind } of entries) if (kind === "break") this.#ownBreaks.add(id);
  }

  /** Looks whether it has the lease, and keeps it: also where nothing happens. */
  #book(): () => void {
    return this.parts.clock.after(this.parts.log.lookEveryMs, () => {
      const last = this.parts.entries().at(-1);
      if (last !== undefined) this.#isLogged ? this.#append(last.id, []) : this.#appendAll();
      this.#cancelLook = this.#book();
    });
  }
}
