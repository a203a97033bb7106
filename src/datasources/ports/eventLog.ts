/**
 * What has happened lately on topics of which each event counts, so that a listener who comes back hears what it missed. It is
 * shared by all who follow a topic: each adds what it learns, and what is there already stays where it is. Bounded by
 * `KEPT_EVENTS` and `KEPT_MS`; all of it may be lost.
 */
export interface EventLog {
  /** All that is kept of a topic, oldest first. At once where it is this process's own. */
  read(topic: string): readonly LogEntry[] | Promise<readonly LogEntry[]>;
  /**
   * Adds entries that are not there yet, in this order. `after`: the entry that they follow; false where that is not there, and then
   * nothing is added. Without it nothing is known to come before them: a break is put in front, unless one of them is there already
   * or nothing is. A break is put behind them where others have added something before that does not come before them here: whoever has
   * these need not have that. No entries: what is there is kept on.
   */
  append(topic: string, after: string | undefined, entries: readonly LogEntry[]): Promise<boolean>;
}

/** `start`: nothing was known before; `break`: something before it may be missing. */
export interface LogEntry {
  /** Different for each; equal wherever the same thing is learnt. */
  readonly id: string;
  readonly kind: "event" | "start" | "break";
  /** When it happened, Unix ms. */
  readonly time: number;
  /** What happened, as JSON has it. */
  readonly event?: unknown;
}

/** Entries that are kept of a topic. */
export const KEPT_EVENTS = 500;
/** An entry is kept until the one after it is so old, and a topic until nothing was added for so long. */
export const KEPT_MS = 10 * 60_000;
