import { LRUCache } from "lru-cache";
import type { JournalEntry, NewEntry } from "./journal/entry.js";

/** Only what takes risk away is sent without the journal: there is never so much of it as this. */
const MAX_KEPT = 10_000;

/**
 * Writes that were sent although the journal could not be written. This process remembers them, so that a repetition under
 * the same key still sends nothing; after a restart nobody does. Their numbers are negative: the journal's are not.
 */
export class Unjournaled {
  readonly #entries = new LRUCache<string, JournalEntry>({ max: MAX_KEPT });
  #last = 0;

  /** Takes a write that is about to leave. */
  record(entry: NewEntry): JournalEntry {
    const recorded = { ...entry, seq: --this.#last, state: "SENT", reply: null, problem: null, settledAt: null } as const;
    this.settle(recorded);
    return recorded;
  }

  /** Notes what became of it. */
  settle(entry: JournalEntry): void {
    this.#entries.set(addressOf(entry.user, entry.key), entry);
  }

  /** The write that this key stands for; one that has not left stands for nothing. */
  find(user: string, key: string): JournalEntry | undefined {
    const found = this.#entries.get(addressOf(user, key));
    return found?.state === "UNSENT" ? undefined : found;
  }
}

/** Is this a write that the journal does not have? */
export const isUnjournaled = ({ seq }: Pick<JournalEntry, "seq">): boolean => seq < 0;

/** What users are called has no line ends. */
const addressOf = (user: string, key: string): string => `${user}\n${key}`;
