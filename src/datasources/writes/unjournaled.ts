import { growingLru } from "../errors/index.js";
import { addressOf, type JournalEntry, type NewEntry, sent } from "./journal/entry.js";

/** Maximum number; only writes that reduce risk are sent without the journal. */
const MAX_KEPT = 10_000;

/**
 * Writes that were sent although the journal could not be written. This process remembers them, so that a repetition with the
 * same key sends nothing; after a restart they are unknown. Their numbers are negative, unlike the journal's.
 */
export class Unjournaled {
  readonly #entries = growingLru<JournalEntry>(MAX_KEPT);
  #last = 0;

  /** Records a write that is about to be sent. */
  record(entry: NewEntry): JournalEntry {
    const recorded = sent(entry, --this.#last);
    this.settle(recorded);
    return recorded;
  }

  /** Records its outcome. */
  settle(entry: JournalEntry): void {
    this.#entries.set(addressOf(entry.user, entry.key), entry);
  }

  /** The sent write with this key; an unsent one does not count. */
  find(user: string, key: string): JournalEntry | undefined {
    const found = this.#entries.get(addressOf(user, key));
    return found?.state === "UNSENT" ? undefined : found;
  }
}

/** Whether this write is not in the journal. */
export const isUnjournaled = ({ seq }: Pick<JournalEntry, "seq">): boolean => seq < 0;
