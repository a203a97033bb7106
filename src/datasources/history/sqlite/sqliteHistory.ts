import { join, parse } from "node:path";
import { Worker } from "node:worker_threads";
import type { Clock } from "@exchange-graph/contract/clock";
import type { HistoryStore, HistoryStoreContext, OpenHistoryStore } from "../historyStore.js";
import type { Method, ThreadAnswer, ThreadData, ThreadRequest } from "./messages.js";
import type { SqliteStore } from "./sqliteStore.js";

/** Timeout of the disk. */
const ANSWER_WITHIN_MS = 30_000;
/** Maximum number of calls that wait for the thread: more are refused. */
const MAX_WAITING = 1_000;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly cancelTimeout: () => void;
}

/** The history in an SQLite file, which a thread of its own accesses. */
class SqliteHistory implements HistoryStore {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isClosed = false;

  // What the thread answers as it is.
  readonly release = this.#asking("release");
  readonly write = this.#asking("write");
  readonly points = this.#asking("points");
  readonly lastPoint = this.#asking("lastPoint");
  readonly records = this.#asking("records");
  readonly note = this.#asking("note");
  readonly prune = this.#asking("prune");

  constructor(
    private readonly data: ThreadData,
    private readonly clock: Clock,
  ) {}

  hold(holder: string, forMs: number): Promise<boolean> {
    return this.#ask("hold", holder, this.clock.now(), forMs);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    const worker = this.#worker;
    if (worker !== undefined) await this.#ask("close");
    this.#isClosed = true;
    await worker?.terminate();
  }

  #asking<M extends Method>(name: M) {
    return (...args: Parameters<SqliteStore[M]>): Promise<ReturnType<SqliteStore[M]>> => this.#ask(name, ...args);
  }

  #ask<M extends Method>(name: M, ...args: Parameters<SqliteStore[M]>): Promise<ReturnType<SqliteStore[M]>> {
    if (this.#isClosed) return Promise.reject(new Error("the history is closed"));
    if (this.#waiting.size >= MAX_WAITING) return Promise.reject(new Error("too many calls wait for the history's file"));
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const cancelTimeout = this.clock.after(ANSWER_WITHIN_MS, () => {
        this.#waiting.delete(id);
        if (this.#waiting.size === 0) this.#worker?.unref();
        reject(new Error("the history's file does not answer"));
      });
      // The thread answers with the result of the method of this name.
      this.#waiting.set(id, { resolve: (result) => resolve(result as ReturnType<SqliteStore[M]>), reject, cancelTimeout });
      const request: ThreadRequest = { id, name, args };
      const worker = this.#thread();
      // The process does not end while a call waits.
      if (this.#waiting.size === 1) worker.ref();
      worker.postMessage(request);
    });
  }

  #thread(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(new URL("./historyThread.js", import.meta.url), {
      workerData: this.data,
      env: {},
      name: "history",
    });
    worker.unref();
    worker.on("message", (answer: ThreadAnswer) => this.#received(answer));
    // The next call starts another one.
    worker.on("error", (error) => this.#ended(worker, error instanceof Error ? error : new Error(String(error))));
    worker.on("exit", () => this.#ended(worker, new Error("the history's thread has ended")));
    this.#worker = worker;
    return worker;
  }

  #received({ id, result, failure }: ThreadAnswer): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    waiting.cancelTimeout();
    if (failure === undefined) waiting.resolve(result);
    else waiting.reject(new Error(failure));
  }

  #ended(worker: Worker, error: Error): void {
    if (this.#worker === worker) this.#worker = undefined;
    for (const [id, { reject, cancelTimeout }] of this.#waiting) {
      this.#waiting.delete(id);
      cancelTimeout();
      reject(error);
    }
  }
}

/** The path of the history's file, beside the journal's: its name with `history` in place of `journal`. */
export function historyPathOf(journalPath: string): string {
  if (journalPath === ":memory:") return journalPath;
  const { dir, name, ext } = parse(journalPath);
  const own = name.endsWith("journal") ? `${name.slice(0, -"journal".length)}history` : `${name}-history`;
  return join(dir, `${own}${ext}`);
}

/** A file of its own beside the journal: losing it stops no write, and its size and retention are others. */
export const fileHistory =
  (path: string): OpenHistoryStore =>
  ({ clock, realm }: HistoryStoreContext) =>
    new SqliteHistory({ path, realm }, clock);
