import { Worker } from "node:worker_threads";
import type { Clock } from "@exchange-graph/contract/clock";
import { INSTRUMENTATION, type Instrumentation } from "../../../../instrumentation/instrumentation.js";
import { Fault } from "../../../errors/index.js";
import { type JournalEntry, type NewEntry, sent, unsent } from "../journalEntry.js";
import { whenEnded } from "../whenEnded.js";
import {
  type Claim,
  JOURNAL_FAILURE,
  type JournalState,
  journalUnavailable,
  KeyTaken,
  type WriteJournal,
} from "../writeJournal.js";
import type { CallFailure, JournalCalls, ResultOf, ThreadData, ThreadMessage, ThreadRequest, ThreadState } from "./messages.js";

/** Timeout of the disk. */
const ANSWER_WITHIN_MS = 5_000;
/** Timeout of the first answer, which includes the start of the thread and opening the file. */
const FIRST_ANSWER_WITHIN_MS = 30_000;
/** Maximum time for which an outcome waits to be written before its client gets it. */
const SETTLE_WITHIN_MS = 250;
const SILENT = "the disk does not answer";
const CLOSED = "it is closed";

export interface SqliteJournalOptions extends ThreadData {
  readonly clock: Clock;
  readonly instrumentation?: Instrumentation | undefined;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The journal in an SQLite file. A separate thread accesses the file, so that the event loop never waits for the disk or a lock.
 */
export class SqliteJournal implements WriteJournal {
  readonly #instrumentation: Instrumentation;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #isClosed = false;
  #lastId = 0;
  #state: ThreadState = { unavailable: undefined, kept: 0, syncs: 0, hasLost: false, livesUntil: 0 };
  /** The last reported reason why it cannot be written. */
  #reported: string | undefined;
  #isSilent = false;
  #hasSpoken = false;

  // What the thread answers as it is.
  readonly probe = this.#asking("probe");
  readonly userOf = this.#asking("userOf");
  readonly remember = this.#asking("remember");
  readonly find = this.#asking("find");
  readonly open = this.#asking("open");
  readonly hold = this.#asking("hold");
  readonly giveUp = this.#asking("giveUp");
  readonly around = this.#asking("around");
  readonly since = this.#asking("since");
  readonly charged = this.#asking("charged");
  readonly page = this.#asking("page");
  readonly prune = this.#asking("prune");

  /** Does not open the file yet. */
  constructor(private readonly options: SqliteJournalOptions) {
    this.#instrumentation = options.instrumentation ?? INSTRUMENTATION;
  }

  get state(): JournalState {
    const { unavailable, kept, syncs, hasLost } = this.#state;
    return { unavailable: this.#isSilent ? SILENT : unavailable, kept, syncs, hasLost };
  }

  async ready(): Promise<void> {
    try {
      await this.#ask("ready");
    } catch (error) {
      throw error instanceof Error && error.cause instanceof Error ? error.cause : error;
    }
  }

  async record(entry: NewEntry): Promise<JournalEntry> {
    const recorded = this.#call("record", entry).then((seq) => sent(entry, seq));
    try {
      const line = await this.#within(this.#patienceMs, recorded);
      if (this.options.clock.now() < this.#state.livesUntil) return line;
    } catch (error) {
      // Nothing will be sent for an entry that is recorded too late.
      recorded.then(
        (line) => this.#withdraw(line),
        () => undefined,
      );
      throw error;
    }
    // The process was suspended for so long that another one may have taken the entry over.
    void recorded.then((line) => this.#withdraw(line));
    throw journalUnavailable("this process was suspended for too long");
  }

  async settle(entry: JournalEntry): Promise<void> {
    try {
      await this.#within(SETTLE_WITHIN_MS, this.#call("settle", entry), () => undefined);
    } catch (error) {
      // The thread has the outcome, or has ended: then the entry is open, and its outcome is looked up again.
      if (!(error instanceof Fault)) this.#failed(error);
    }
  }

  ended({ user, seq }: JournalEntry, withinMs: number): Promise<JournalEntry | undefined> {
    const read = async () => (await this.page(user, seq + 1, 1)).find((entry) => entry.seq === seq);
    return whenEnded(this.options.clock, withinMs, read);
  }

  async claim(): Promise<Claim> {
    const claim = await this.#ask("claim");
    if (claim.taken.length > 0) this.#instrumentation.journal.publish({ kind: "taken over", entries: claim.taken.length });
    return claim;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    const worker = this.#worker;
    const closing = worker === undefined ? undefined : this.#ask("close");
    this.#isClosed = true;
    try {
      await closing;
    } catch (error) {
      // The file is left as it is; the next process that opens it repairs it.
      if (!(error instanceof Error)) throw error;
      this.#failed(error);
    } finally {
      await worker?.terminate();
    }
  }

  #withdraw(line: JournalEntry): void {
    void this.settle(unsent(line, line.seq));
  }

  #asking<M extends keyof JournalCalls>(name: M) {
    return (...args: Parameters<JournalCalls[M]>): Promise<ResultOf<M>> => this.#ask(name, ...args);
  }

  #ask<M extends keyof JournalCalls>(name: M, ...args: Parameters<JournalCalls[M]>): Promise<ResultOf<M>> {
    return this.#within(this.#patienceMs, this.#call(name, ...args));
  }

  #call<M extends keyof JournalCalls>(name: M, ...args: Parameters<JournalCalls[M]>): Promise<ResultOf<M>> {
    if (this.#isClosed) return Promise.reject(journalUnavailable(CLOSED));
    if (this.#isSilent && name !== "settle") return Promise.reject(journalUnavailable(SILENT));
    const worker = this.#thread();
    const id = ++this.#lastId;
    const request: ThreadRequest = { id, name, args, now: this.options.clock.now() };
    return new Promise((resolve, reject) => {
      // The thread answers with the result of the method of this name.
      this.#waiting.set(id, { resolve: (result) => resolve(result as ResultOf<M>), reject });
      // The process does not end while a call waits.
      if (this.#waiting.size === 1) worker.ref();
      worker.postMessage(request);
    });
  }

  get #patienceMs(): number {
    return this.#hasSpoken ? ANSWER_WITHIN_MS : FIRST_ANSWER_WITHIN_MS;
  }

  /** The result of a call, or the result of `late` after `ms`. */
  #within<T>(ms: number, promise: Promise<T>, late = () => this.#isLate()): Promise<T> {
    return new Promise((resolve, reject) => {
      const cancel = this.options.clock.after(ms, () => {
        late();
        reject(journalUnavailable(SILENT));
      });
      promise.then(resolve, reject).finally(cancel);
    });
  }

  /** Until the thread answers again, only outcomes are sent to it. */
  #isLate(): void {
    this.#isSilent = true;
    this.#report();
  }

  #thread(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const { path, realm } = this.options;
    const data: ThreadData = { path, realm };
    const worker = new Worker(new URL("./thread.js", import.meta.url), { workerData: data, env: {}, name: "journal" });
    worker.unref();
    worker.on("message", (message: ThreadMessage) => this.#onMessage(message));
    worker.on("error", (error) => this.#failed(error));
    worker.on("exit", () => this.#gone(worker));
    this.#worker = worker;
    return worker;
  }

  #onMessage(message: ThreadMessage): void {
    this.#state = message.state;
    this.#isSilent = false;
    this.#hasSpoken = true;
    this.#report();
    if ("kind" in message) this.#publish(message);
    else {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (this.#waiting.size === 0) this.#worker?.unref();
      if ("result" in message) waiting?.resolve(message.result);
      else waiting?.reject(errorOf(message.failure));
    }
  }

  #failed(error: unknown): void {
    this.#instrumentation.failure.publish({ error, what: JOURNAL_FAILURE });
  }

  #publish(message: Extract<ThreadMessage, { readonly kind: string }>): void {
    if (message.kind === "torn tail" || message.kind === "log gone" || message.kind === "copied")
      this.#instrumentation.journal.publish(message);
    else if (message.kind === "error") this.#failed(message.error);
  }

  /** Reports when it cannot be written any more, or can be written again. */
  #report(): void {
    const { unavailable } = this.state;
    if ((unavailable === undefined) === (this.#reported === undefined)) return;
    this.#reported = unavailable;
    this.#instrumentation.journal.publish(
      unavailable === undefined ? { kind: "available" } : { kind: "unavailable", why: unavailable },
    );
  }

  /** The thread has ended: the next call starts another one, as another owner. */
  #gone(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined;
    this.#hasSpoken = false;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(journalUnavailable("its thread has ended"));
  }
}

function errorOf({ kind, why }: CallFailure): Error {
  if (kind === "taken") return new KeyTaken(why);
  return kind === "unavailable" ? journalUnavailable(why, new Error(why)) : new Error(why);
}
