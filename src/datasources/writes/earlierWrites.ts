import type { ExchangeAccount } from "../calls/index.js";
import { Fault } from "../errors/index.js";
import type { Users } from "../reads/index.js";
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
  /** Whether writes that only reduce risk are sent when the journal cannot be written. */
  readonly cancelWithoutJournal: boolean;
  /** Maximum time that a client waits for the exchange's answer. */
  readonly deadlineMs: number;
}

/** Maximum wait for another process that has sent the write and will know its outcome first. */
const OTHERS_MS = 2_000;

/** Finds earlier writes with a repeated key. */
export class EarlierWrites {
  constructor(private readonly parts: EarlierParts) {}

  /** The earlier write with this key. A generated key has none. */
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

  /** The outcome of a write of another process, if it is known soon. */
  async endedElsewhere(entry: JournalEntry): Promise<JournalEntry | undefined> {
    const { journal, deadlineMs } = this.parts;
    try {
      return await journal.ended(entry, Math.min(OTHERS_MS, deadlineMs / 4));
    } catch (error) {
      // The exchange can be asked without the journal.
      if (error instanceof Fault) return undefined;
      throw error;
    }
  }
}

/** The user of the account. If the exchange cannot be asked, only writes that may safely be sent twice are allowed. */
export async function ownerOf(users: Users, account: ExchangeAccount): Promise<Owner> {
  try {
    return { user: await users.of(account, "write"), unknown: undefined };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { user: users.standInOf(account), unknown: new Unreadable(error) };
  }
}

/** Whether the outcome can still be found out. */
export const isOpen = ({ state, endpoint }: JournalEntry): boolean =>
  state === "SENT" || (state === "UNKNOWN" && policyOf(endpoint)?.proof !== undefined);

/** A write that an earlier process, or an earlier request, has left open. */
export const lossOf = (entry: JournalEntry): Loss => ({ entry, problem: entry.problem ?? CUT_OFF, refusedAt: undefined });

const CUT_OFF = {
  code: "EXCHANGE_TIMEOUT",
  message: "the gateway was stopped before the exchange's answer came",
  retryable: false,
};
