/**
 * Recent events of topics whose events all matter, so that a resuming listener gets those it missed. All replicas that follow a
 * topic share its log. One of them writes it, by a lease; the others only add where their own knowledge begins or is interrupted.
 * Existing entries are never moved. Bounded by `KEPT_EVENTS` and `KEPT_MS`; all of it may be lost.
 */
export interface EventLog {
  /** Interval in ms at which other replicas should try to take the lease. A lease that ends goes to the first. */
  readonly lookEveryMs: number;
  /** All kept entries of a topic, oldest first. Synchronous for this process's own memory. */
  read(topic: string): readonly LogEntry[] | Promise<readonly LogEntry[]>;
  /**
   * Takes the topic's lease if it is free, or renews it. Then adds the entries that are missing, in this order; nothing if
   * another replica has the lease and `as` is `writer`. `after`: the entry that they follow; if it is missing, nothing is added.
   * Without it, it is unknown what precedes them: a break is put in front, unless one of them exists already or the log is empty.
   * A break is also put behind them if others have added events before it that do not precede them here: a listener that has
   * these entries need not have those, unless another break is between them. Without entries it only extends the life of the log.
   */
  append(topic: string, after: string | undefined, entries: readonly LogEntry[], as: "writer" | "anyone"): Promise<Appended>;
  /** Releases the topic's lease if this replica has it. */
  release(topic: string): Promise<void>;
}

export interface Appended {
  /** Whether all entries are in the log now. */
  readonly isAdded: boolean;
  /** Whether this replica has the lease of the topic. */
  readonly isWriter: boolean;
}

/** `start`: no earlier state is known; `break`: events before it may be missing. */
export interface LogEntry {
  /** Unique; equal on every replica for the same event. */
  readonly id: string;
  readonly kind: "event" | "start" | "break";
  /** Time of the event, Unix ms. */
  readonly time: number;
  /** The event, as a JSON value. */
  readonly event?: unknown;
}

/** Maximum number of kept entries of a topic. */
export const KEPT_EVENTS = 500;
/** An entry is dropped when the one after it has this age, and a topic when nothing was added for this long. */
export const KEPT_MS = 10 * 60_000;
