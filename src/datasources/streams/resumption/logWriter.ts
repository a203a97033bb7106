import type { Clock } from "@exchange-graph/contract/clock";
import { type Appended, type EventLog, KEPT_EVENTS, type LogEntry } from "./eventLog.js";

export interface WriterParts {
  readonly log: EventLog;
  readonly topic: () => string;
  readonly clock: Clock;
  readonly failed: (error: unknown) => void;
  /** All proven entries of the topic, oldest first; empty before the first. */
  readonly entries: () => readonly LogEntry[];
}

/**
 * Adds proven entries to the log while this replica has the lease of the topic. While another replica has it, only the first entry
 * is added: the other replica adds later events, and has not missed what this one has. A replica that takes over the lease adds all
 * its entries.
 */
export class LogWriter {
  /** Whether this replica has the lease; undefined before the log has answered. */
  #isWriter: boolean | undefined;
  #isLogged = true;
  /** Breaks that are not in the log. */
  readonly #ownBreaks = new Set<string>();
  #cancelLook: () => void;
  #isClosed = false;

  constructor(private readonly parts: WriterParts) {
    this.#cancelLook = this.#book();
  }

  /** Whether other replicas know an entry, or will. */
  isShared({ id }: LogEntry): boolean {
    return !this.#ownBreaks.has(id);
  }

  /** New entries. `after`: the entry that they follow; undefined if nothing was known before. */
  add(after: string | undefined, entries: readonly LogEntry[]): void {
    if (this.#isWriter === false) this.#keepBreaks(entries);
    else if (this.#isLogged && entries.length <= KEPT_EVENTS) this.#append(after, entries);
    else this.#appendAll();
  }

  /** Entries that are no longer kept here. */
  forget(entries: readonly LogEntry[]): void {
    for (const { id } of entries) this.#ownBreaks.delete(id);
  }

  /** Releases the topic for another replica. */
  close(): void {
    this.#isClosed = true;
    this.#cancelLook();
    if (this.#isWriter === true) this.parts.log.release(this.parts.topic()).catch(this.parts.failed);
  }

  #appendAll(): void {
    this.#isLogged = true;
    this.#append(undefined, [...this.parts.entries()]);
  }

  /** Entries that may not be in the log are added again with the next ones. */
  #append(after: string | undefined, entries: readonly LogEntry[]): void {
    const as = this.#isWriter === undefined ? "anyone" : "writer";
    this.parts.log.append(this.parts.topic(), after, entries, as).then(
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

  /** Renews or tries the lease at intervals, even without new entries. */
  #book(): () => void {
    return this.parts.clock.after(this.parts.log.lookEveryMs, () => {
      const last = this.parts.entries().at(-1);
      if (last !== undefined) this.#isLogged ? this.#append(last.id, []) : this.#appendAll();
      this.#cancelLook = this.#book();
    });
  }
}
