/**
 * What has happened lately on topics of which each event counts, so that a listener who comes back hears what it missed. It is
 * shared by all who follow a topic. One of them writes it, by a lease; the others add only what it cannot know: where their own
 * knowledge begins or breaks. What is there already stays where it is. Bounded by `KEPT_EVENTS` and `KEPT_MS`; all of it may be lost.
 */
export interface EventLog {
  /** A lease that ends is free for whoever looks next: how often that is to be done, ms. */
  readonly lookEveryMs: number;
  /** All that is kept of a topic, oldest first. At once where it is this process's own. */
  read(topic: string): readonly LogEntry[] | Promise<readonly LogEntry[]>;
  /**
   * Takes the topic's lease if nobody has it, or keeps it. Then adds entries that are not there yet, in this order; nothing where another
   * replica has the lease and `as` is `writer`. `after`: the entry that they follow; nothing is added where that is not there. Without it
   * nothing is known to come before them: a break is put in front, unless one of them is there already or nothing is. A break is put
   * behind them where others have added events before that do not come before them here: whoever has these need not have those, unless a
   * break of their own is between them. No entries: what is there is kept on.
   */
  append(topic: string, after: string | undefined, entries: readonly LogEntry[], as: "writer" | "anyone"): Promise<Appended>;
  /** Gives the topic's lease up, if it is held. */
  release(topic: string): Promise<void>;
}

export interface Appended {
  /** All entries are there now. */
  readonly isAdded: boolean;
  /** This replica has the lease of the topic. */
  readonly isWriter: boolean;
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
