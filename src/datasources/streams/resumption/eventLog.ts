/**
 * Recent events of topics whose events all matter, so that a resuming listener gets those it missed. All replicas that follow a
 * topic share its log. One of them writes it, by a lease; the others only add where their own events begin or are interrupted.
 * Existing entries are never moved. Bounded by `KEPT_EVENTS` and `KEPT_MS`; all of it may be lost.
 */
export interface EventLog {
  /** Whether other replicas use it. */
  readonly isShared: boolean;
  /** Interval in ms at which other replicas should try to take the lease. A lease that ends goes to the first. */
  readonly lookEveryMs: number;
  /** All kept entries of a topic, oldest first. Synchronous for this process's own memory. */
  read(topic: string): readonly LogEntry[] | Promise<readonly LogEntry[]>;
  /**
   * Takes the topic's lease if it is free, or renews it. Then adds the missing entries in this order, unless another replica has
   * the lease and `as` is `writer`. `after` is the entry that they follow; if the log does not have it, nothing is added. Without
   * `after` it is unknown what precedes them: a break is added before them, unless the log is empty or has one of them. Then those
   * before the first that it has are not added, because the log has dropped them, or began later. A break is added after them if
   * the log has events of other replicas that do not precede them here, because a listener with these entries may lack those.
   * Without entries it only extends the life of the log.
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
/**
 * An entry is dropped when the next one of another time has this age, and a topic when nothing was added for this long. Entries of
 * one time are dropped together: a reading that begins at that time would show a dropped one as new.
 */
export const KEPT_MS = 10 * 60_000;
