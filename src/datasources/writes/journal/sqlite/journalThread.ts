import type { Clock } from "@exchange-graph/contract/clock";
import { type JournalEntry, type NewEntry, unsent } from "../journalEntry.js";
import { KeyTaken, LEASE_MS, MAX_KEPT } from "../writeJournal.js";
import { isAboutTheFile, isLocked, reasonOf } from "./file.js";
import { GroupSync } from "./groupSync.js";
import { JournalDatabase } from "./journalDatabase.js";
import { lossText } from "./mark.js";
import type { CallFailure, JournalCalls, ResultOf, ThreadData, ThreadMessage, ThreadRequest, ThreadState } from "./messages.js";
import { tornTail } from "./walTail.js";

/** Maximum wait of a new entry for another process's lock. */
const LOCK_WAIT_MS = 2_000;
/** Interval of attempts. */
const LOCK_LOOK_MS = 5;
/** Interval at which an unavailable journal is tried again. */
const RETRY_MS = 100;

/** A journal that was written this recently counts as writable. */
const FRESH_MS = 1_000;

/** An error of the disk or the file rather than of the call. */
class Unavailable extends Error {}

const FILE_GONE = "its file was moved, removed or replaced while it was in use: put it back, or start the gateway again";

const WHAT_TO_DO =
  "restore a backup that has them, or check the accounts at the exchange and accept the loss with npm run journal -- accept-loss";

/** What answers each call, with the open file and the time of the call (Unix ms). */
type Answers = {
  readonly [M in keyof JournalCalls]: (
    store: JournalDatabase,
    now: number,
    ...args: Parameters<JournalCalls[M]>
  ) => ResultOf<M> | Promise<ResultOf<M>>;
};

/**
 * Serves the calls for one journal file. Calls that wait for a lock or the disk do not delay others. Outcomes that cannot be
 * written are kept and tried again.
 */
export class JournalThread {
  readonly #sync = new GroupSync(() => this.#makeDurable());
  #store: JournalDatabase | undefined;
  #unavailable: string | undefined;
  #retry: (() => void) | undefined;

  readonly #answers: Answers = {
    ready: () => undefined,
    probe: (store, now) => this.#probe(store, now),
    record: (store, now, entry) => this.#record(store, entry, now),
    settle: (store, _now, entry) => this.#settle(store, entry),
    userOf: (store, _now, key) => this.#reading(() => store.userOf(key)),
    remember: (store, _now, key, user) => this.#writing(store, () => store.remember(key, user)),
    find: (store, _now, user, key) => this.#reading(() => store.find(user, key)),
    open: (store) => this.#reading(() => store.open()),
    claim: (store, now) => this.#writing(store, () => store.claim(now)),
    hold: (store, now, right, forMs) => this.#writing(store, () => store.hold(right, forMs, now)),
    giveUp: (store, _now, right) => this.#writing(store, () => store.giveUp(right)),
    around: (store, _now, entry, withinMs) => this.#reading(() => store.around(entry, withinMs)),
    since: (store, _now, entry) => this.#reading(() => store.since(entry)),
    charged: (store, _now, from) => this.#reading(() => store.charged(from)),
    page: (store, _now, user, before, limit) => this.#reading(() => store.page(user, before, limit)),
    prune: (store, _now, before) => this.#writing(store, () => store.prune(before)),
    close: (store) => this.#close(store),
  };

  constructor(
    private readonly data: ThreadData,
    private readonly clock: Clock,
    private readonly post: (message: ThreadMessage) => void,
  ) {}

  take(request: ThreadRequest): void {
    const { id } = request;
    this.#answer(request).then(
      (result) => this.post({ id, result, state: this.#state() }),
      (error: unknown) => this.post({ id, failure: failureOf(error), state: this.#state() }),
    );
  }

  async #answer({ name, args, now }: ThreadRequest): Promise<unknown> {
    // The caller's type has checked that the arguments are the method's.
    return (this.#answers[name] as (store: JournalDatabase, now: number, ...args: readonly unknown[]) => unknown)(
      ...[this.#opened(now), now],
      ...args,
    );
  }

  /** Readiness checks are frequent, so a recent result is used. */
  async #probe(store: JournalDatabase, now: number): Promise<void> {
    this.#complete(this.#writable(store));
    if (this.#unavailable !== undefined || store.livesUntil < now + LEASE_MS - FRESH_MS)
      await this.#patiently(() => store.renew(now));
  }

  #close(store: JournalDatabase): void {
    store.close();
    this.#retry?.();
    this.#store = undefined;
  }

  #writing<T>(store: JournalDatabase, write: () => T): Promise<T> {
    return this.#patiently(() => {
      this.#writable(store);
      return write();
    });
  }

  async #record(first: JournalDatabase, entry: NewEntry, now: number): Promise<number> {
    if (first.kept > MAX_KEPT) throw new Unavailable("too many outcomes of writes wait to be written");
    const seq = await this.#patiently(() => {
      const store = this.#complete(this.#writable(this.#opened(now)));
      store.writeKept();
      return store.insert(entry, now);
    });
    try {
      await this.#sync.flush();
    } catch (error) {
      await this.#settle(this.#opened(now), unsent(entry, seq));
      this.#failed(error);
      throw new Unavailable(reasonOf(error), { cause: error });
    }
    return seq;
  }

  /** The outcome is visible from here on; if it cannot be written now, that is tried again. */
  async #settle(store: JournalDatabase, entry: JournalEntry): Promise<void> {
    store.keep(entry);
    try {
      await this.#patiently(() => this.#store?.writeKept());
    } catch (error) {
      if (!(error instanceof Unavailable)) this.post({ kind: "error", error: asError(error), state: this.#state() });
    }
  }

  /**
   * No new entry is written to a file that was moved or removed, because it would be lost with this process. Outcomes of its own
   * entries are still written to it.
   */
  #writable(store: JournalDatabase): JournalDatabase {
    if (!store.isFileGone) return store;
    const gone = new Unavailable(FILE_GONE);
    this.#failed(gone);
    throw gone;
  }

  /** Nothing new is recorded while entries are missing: their keys would be sent a second time. */
  #complete(store: JournalDatabase): JournalDatabase {
    const { loss } = store;
    if (loss === undefined) return store;
    const lost = new Unavailable(`${lossText(loss)}: ${WHAT_TO_DO}`);
    this.#failed(lost);
    throw lost;
  }

  /** The file, once it is open. Errors of opening may be temporary. */
  #opened(now: number): JournalDatabase {
    const { path } = this.data;
    try {
      if (this.#store !== undefined) return this.#withItsLog(this.#store);
      const bytes = tornTail(path);
      const copied = (copy: string): void => this.post({ kind: "copied", copy, state: this.#state() });
      this.#store = new JournalDatabase({ ...this.data, now, copied });
      if (bytes > 0) this.post({ kind: "torn tail", bytes, state: this.#state() });
      const { loss } = this.#store;
      if (loss !== undefined) this.#failed(new Unavailable(`${lossText(loss)}: ${WHAT_TO_DO}`));
      return this.#store;
    } catch (error) {
      throw new Unavailable(reasonOf(error), { cause: error });
    }
  }

  /** Repeats a statement for a while if another process locks the file, unless that was in vain just before. */
  async #patiently<T>(write: () => T): Promise<T> {
    const until = this.clock.now() + LOCK_WAIT_MS;
    for (;;) {
      try {
        const written = write();
        this.#succeeded();
        return written;
      } catch (error) {
        const mayWait = isLocked(error) && this.#unavailable === undefined && this.clock.now() < until;
        if (!mayWait) throw this.#refused(error);
        await new Promise<void>((resolve) => this.clock.after(LOCK_LOOK_MS, resolve));
      }
    }
  }

  /** A failed read says nothing about writing. */
  #reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw isAboutTheFile(error) ? new Unavailable(reasonOf(error), { cause: error }) : error;
    }
  }

  #refused(error: unknown): unknown {
    if (!isAboutTheFile(error)) return error;
    this.#failed(error);
    return new Unavailable(reasonOf(error), { cause: error });
  }

  async #makeDurable(): Promise<void> {
    const store = this.#store;
    if (store === undefined) return;
    if (this.#withItsLog(this.#writable(store)) === store) await store.sync();
  }

  /** If the WAL file was removed from its folder, what is written to it would be lost with this process. */
  #withItsLog(store: JournalDatabase): JournalDatabase {
    if (!store.isLogGone || store.isFileGone) return store;
    const next = store.reopened(this.data);
    this.#store = next;
    this.post({ kind: "log gone", state: this.#state() });
    return next;
  }

  #failed(error: unknown): void {
    const isNew = this.#unavailable === undefined;
    this.#unavailable = reasonOf(error);
    if (isNew) this.post({ kind: "state", state: this.#state() });
    this.#retry ??= this.clock.after(RETRY_MS, () => this.#tryAgain());
  }

  #succeeded(): void {
    if (this.#unavailable === undefined || (this.#store?.kept ?? 0) > 0 || this.#store?.isFileGone === true) return;
    if (this.#store?.loss !== undefined) return;
    this.#unavailable = undefined;
    this.post({ kind: "state", state: this.#state() });
  }

  #tryAgain(): void {
    this.#retry = undefined;
    try {
      this.#store?.writeKept();
      if (this.#store !== undefined) this.#complete(this.#writable(this.#store)).rewriteLease();
      this.#succeeded();
    } catch (error) {
      this.#failed(error);
    }
  }

  #state(): ThreadState {
    const { kept = 0, livesUntil = 0 } = this.#store ?? {};
    const hasLost = this.#store?.loss !== undefined;
    return { unavailable: this.#unavailable, kept, syncs: this.#sync.syncs, livesUntil, hasLost };
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

function failureOf(error: unknown): CallFailure {
  const why = reasonOf(error);
  if (error instanceof KeyTaken) return { kind: "taken", why };
  return { kind: error instanceof Unavailable ? "unavailable" : "unexpected", why };
}
