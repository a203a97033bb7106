import type { Clock } from "@exchange-graph/contract/clock";
import { executed, isReading, lockedBy, locksOf, type Run, Tables, type Value } from "./tables.js";

/** Commits of a session without `synchronous_commit` are on the disk after this time at the latest, ms. */
const FLUSH_MS = 600;

/** An error as the server reports it: `code` is its SQLSTATE. */
export class PostgresError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export interface Answer {
  readonly rows: readonly unknown[];
}

interface Asked {
  readonly session: Session;
  readonly text: string;
  readonly values: readonly Value[];
  readonly answer: (answer: Answer | Error) => void;
  /** Ends the wait for a lock. */
  cancel?: () => void;
}

/**
 * A PostgreSQL server with the tables of the journal. A statement is one step. Others see a transaction when it is committed; its
 * locks are kept until then. A commit of a session with `synchronous_commit=on` is on the disk before it is answered; another one
 * may be lost with the server.
 */
export class PostgresServer {
  #tables = new Tables();
  /** What is on the disk, while it is less than what is committed. */
  #onDisk: Tables | undefined;
  #lastSeq = 0;
  #version = 0;
  readonly sessions = new Set<Session>();
  #waiting: Asked[] = [];
  #paused: (() => void)[] | undefined;
  isDown = false;
  /** Promoted later: it takes no connection for writes. */
  isStandby = false;
  /** Maximum number of connections. */
  connections = Number.POSITIVE_INFINITY;
  isDiskFull = false;

  /** `clock`: the server's. */
  constructor(readonly clock: Clock) {}

  get tables(): Tables {
    return this.#tables;
  }

  /**
   * What processes hold, or wait for: leases of open writes and of rights, writes without an outcome, statements without an answer.
   * An order that the exchange may still execute has no outcome yet.
   */
  held(mayBeExecuted: (clientOid: string) => boolean): readonly string[] {
    const now = this.clock.now();
    const { writes, rights } = this.#tables;
    const open = [...writes.values()].filter(({ state }) => state === "SENT" || state === "UNKNOWN");
    return [
      ...open.flatMap(({ seq, leaseUntil }) => (leaseUntil > now ? [`a lease of write ${seq}`] : [])),
      ...open
        .filter(({ state, clientOid }) => state === "SENT" && (typeof clientOid !== "string" || !mayBeExecuted(clientOid)))
        .map(({ seq }) => `write ${seq} without an outcome`),
      ...[...rights].flatMap(([name, { until }]) => (until > now ? [`a lease of ${name}`] : [])),
      ...(this.#waiting.length > 0 ? [`${this.#waiting.length} statements that wait`] : []),
    ];
  }

  /** Opens a session. Throws `PostgresError`. */
  connect(options: string, lockTimeoutMs: number, notified: (payload: string) => void, ended: () => void): Session {
    if (this.sessions.size >= this.connections) throw new PostgresError("53300", "too many connections");
    const session = new Session(this, /synchronous_commit=on/.test(options), lockTimeoutMs, notified, ended);
    this.sessions.add(session);
    return session;
  }

  /** Does something at once, or when the server goes on. */
  whenRunning(task: () => void): void {
    if (this.#paused === undefined) task();
    else this.#paused.push(task);
  }

  pause(): void {
    this.#paused ??= [];
  }

  resume(): void {
    const tasks = this.#paused ?? [];
    this.#paused = undefined;
    for (const task of tasks) task();
  }

  /** Ends like a process in a power failure. */
  kill(): void {
    this.isDown = true;
    this.#paused = undefined;
    this.#waiting = [];
    if (this.#onDisk !== undefined) this.#tables = this.#onDisk;
    this.#onDisk = undefined;
    this.#version++;
    for (const session of [...this.sessions]) session.cut();
  }

  start(isStandby = false): void {
    this.isDown = false;
    this.isStandby = isStandby;
  }

  promote(): void {
    this.isStandby = false;
  }

  execute(asked: Asked): void {
    const { session, text, values, answer } = asked;
    if (!this.sessions.has(session)) return;
    const { exclusive, shared } = locksOf(text, values, this.#tables);
    const isBlocked = [...this.sessions].some(
      (other) => other !== session && [...exclusive, ...shared].some((lock) => other.locks.has(lock)),
    );
    if (isBlocked) {
      asked.cancel ??= this.clock.after(session.lockTimeoutMs, () => {
        this.#waiting = this.#waiting.filter((one) => one !== asked);
        session.fail();
        answer(new PostgresError("55P03", "canceling statement due to lock timeout"));
      });
      this.#waiting.push(asked);
      return;
    }
    asked.cancel?.();
    try {
      if (this.isDiskFull && !isReading(text)) throw new PostgresError("53100", "could not extend file: No space left on device");
      if (session.isStandby && !isReading(text)) throw new PostgresError("25006", "cannot execute in a read-only transaction");
      answer({ rows: session.isInTransaction ? this.#inTransaction(asked, exclusive) : this.#alone(asked) });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      session.fail();
      answer(error);
    }
  }

  /** Makes the changes of a transaction visible. */
  commit(session: Session, statements: Session["statements"]): void {
    this.#beforeCommit(session.isSynchronous);
    const notices: string[] = [];
    for (const { text, values } of statements) executed(text, values, this.#run(session, this.#tables, notices));
    this.#announce(notices);
  }

  /** Locks were released. */
  goOn(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const asked of waiting) this.execute(asked);
  }

  #alone({ session, text, values }: Asked): readonly unknown[] {
    if (!isReading(text)) this.#beforeCommit(session.isSynchronous);
    const notices: string[] = [];
    const rows = executed(text, values, this.#run(session, this.#tables, notices));
    this.#announce(notices);
    return rows;
  }

  /** A transaction sees its own changes over what is committed. */
  #inTransaction({ session, text, values }: Asked, locks: readonly string[]): readonly unknown[] {
    if (session.view?.version !== this.#version) {
      const tables = this.#tables.copy();
      for (const one of session.statements) executed(one.text, one.values, this.#run(session, tables, []));
      session.view = { tables, version: this.#version };
    }
    const rows = executed(text, values, this.#run(session, session.view.tables, []));
    if (!isReading(text)) session.statements.push({ text, values });
    for (const lock of [...locks, ...lockedBy(text, rows)]) session.locks.add(lock);
    return rows;
  }

  #run(session: Session, tables: Tables, notices: string[]): Run {
    return {
      tables,
      now: this.clock.now(),
      nextSeq: () => ++this.#lastSeq,
      notify: (payload) => notices.push(payload),
      isLocked: (seq) => [...this.sessions].some((other) => other !== session && other.locks.has(`row ${seq}`)),
    };
  }

  #beforeCommit(isSynchronous: boolean): void {
    this.#version++;
    if (isSynchronous) this.#onDisk = undefined;
    else if (this.#onDisk === undefined) {
      const before = this.#tables.copy();
      this.#onDisk = before;
      this.clock.after(FLUSH_MS, () => {
        if (this.#onDisk === before) this.#onDisk = undefined;
      });
    }
  }

  #announce(payloads: readonly string[]): void {
    for (const payload of payloads) for (const session of this.sessions) if (session.isListening) session.notified(payload);
  }
}

/** One connection, as the server sees it. */
export class Session {
  readonly locks = new Set<string>();
  /** Statements of the transaction that change something. */
  statements: { readonly text: string; readonly values: readonly Value[] }[] = [];
  view: { readonly tables: Tables; readonly version: number } | undefined;
  isInTransaction = false;
  isListening = false;
  readonly isStandby: boolean;
  #hasFailed = false;

  constructor(
    private readonly server: PostgresServer,
    readonly isSynchronous: boolean,
    readonly lockTimeoutMs: number,
    readonly notified: (payload: string) => void,
    private readonly ended: () => void,
  ) {
    this.isStandby = server.isStandby;
  }

  ask(text: string, values: readonly Value[], answer: (answer: Answer | Error) => void): void {
    if (text === "BEGIN") {
      this.isInTransaction = true;
      answer(NOTHING);
    } else if (text === "COMMIT") answer(this.#commit());
    else if (text.startsWith("LISTEN ")) {
      this.isListening = true;
      answer(NOTHING);
    } else if (text.startsWith("SELECT pg_is_in_recovery()")) answer({ rows: [{ standby: this.server.isStandby }] });
    else if (this.#hasFailed) answer(new PostgresError("25P02", "current transaction is aborted"));
    else this.server.execute({ session: this, text, values, answer });
  }

  /** A statement has failed: so has its transaction. */
  fail(): void {
    this.#hasFailed = this.isInTransaction;
  }

  /** The client is gone: what is not committed has not happened. */
  end(): void {
    if (this.server.sessions.delete(this)) this.#release();
  }

  /** The server ends the session. */
  cut(): void {
    if (!this.server.sessions.delete(this)) return;
    this.#release();
    this.ended();
  }

  #commit(): Answer {
    if (!this.#hasFailed) this.server.commit(this, this.statements);
    this.#release();
    return NOTHING;
  }

  #release(): void {
    this.isInTransaction = false;
    this.#hasFailed = false;
    this.statements = [];
    this.view = undefined;
    this.locks.clear();
    this.server.goOn();
  }
}

const NOTHING: Answer = { rows: [] };
