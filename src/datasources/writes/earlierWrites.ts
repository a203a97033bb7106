import type { ExchangeAccount } from "../accounts/exchangeAccount.js";
import { Fault } from "../fault.js";
import type { Users } from "../identity/users.js";
import { type Owner, Unreadable } from "./flight.js";
import type { JournalEntry } from "./journal/entry.js";
import type { WriteJournal } from "./journal/writeJournal.js";
import { policyOf } from "./policies/index.js";
import type { Loss } from "./reconciler.js";
import type { Unjournaled } from "./unjournaled.js";
import type { WriteRequest } from "./write.js";

interface EarlierParts {
  readonly journal: WriteJournal;
  readonly unjournaled: Unjournaled;
  /** May a write that only takes risk away leave when the journal cannot be used? */
  readonly cancelWithoutJournal: boolean;
  /** How long a client waits for the exchange's answer. */
  readonly deadlineMs: number;
}

/** How long another process is waited for that has sent a write and knows first what became of it. */
const OTHERS_MS = 2_000;

/** Writes that have left before, under a key that comes again. */
export class EarlierWrites {
  constructor(private readonly parts: EarlierParts) {}

  /** The write that left under this key before. A key that was made up just now has none. */
  async find(key: WriteRequest<unknown>["key"], { user }: Owner): Promise<JournalEntry | Unreadable | undefined> {
    if (key === undefined) return undefined;
    const { journal, unjournaled, cancelWithoutJournal } = this.parts;
    try {
      return unjournaled.find(user, key.text) ?? (await journal.find(user, key.text));
    } catch (error) {
      if (!cancelWithoutJournal) throw error;
      return new Unreadable(error);
    }
  }

  /** How a write has ended that another process has under way, if that comes soon. */
  async endedElsewhere(entry: JournalEntry): Promise<JournalEntry | undefined> {
    const { journal, deadlineMs } = this.parts;
    try {
      return await journal.ended(entry, Math.min(OTHERS_MS, deadlineMs / 4));
    } catch (error) {
      // The exchange can be asked, whatever has become of the journal.
      if (error instanceof Fault) return undefined;
      throw error;
    }
  }
}

/** Whose account it is. Where the exchange cannot be asked, that holds up all but what may leave twice. */
export async function ownerOf(users: Users, account: ExchangeAccount): Promise<Owner> {
  try {
    return { user: await users.of(account), unknown: undefined };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { user: users.standInOf(account), unknown: new Unreadable(error) };
  }
}

/** Can it still be found out what became of this? */
export const isOpen = ({ state, endpoint }: JournalEntry): boolean =>
  state === "SENT" || (state === "UNKNOWN" && policyOf(endpoint)?.proof !== undefined);

/** A write that an earlier process, or an earlier request, has left open. */
export const lossOf = (entry: JournalEntry): Loss => ({ entry, problem: entry.problem ?? CUT_OFF, refusedAt: undefined });

const CUT_OFF = {
  code: "EXCHANGE_TIMEOUT",
  message: "the gateway was stopped before the exchange's answer came",
  retryable: false,
};
