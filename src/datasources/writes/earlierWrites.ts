import type { ExchangeAccount, SharedRequester } from "../calls/index.js";
import { Fault } from "../errors/index.js";
import type { Users } from "../reads/index.js";
import type { JournalEntry } from "./journal/entry.js";
import type { WriteJournal } from "./journal/writeJournal.js";
import { policyOf } from "./policies/index.js";
import type { Loss } from "./reconciler.js";
import type { Unjournaled } from "./unjournaled.js";
import type { WriteRequest, WriteResult } from "./write.js";

/** The user of the account; while it is not known, its placeholder and the reason. */
export interface Owner {
  readonly user: string;
  readonly unknown: Unreadable | undefined;
}

/** It is not known whether the key was used before. */
export class Unreadable {
  constructor(readonly why: unknown) {}
}

/** A running write, or the earlier one with the same key. */
export interface RunningWrite {
  readonly digest: string;
  readonly arrival: Promise<WriteEnd | WriteResult<never>>;
}

/** Outcome of a write that was sent. */
export interface WriteEnd {
  readonly ended: JournalEntry;
  /** Whether it was not sent by this flight but earlier, or by another process. */
  readonly isReplay: boolean;
}

/** A flight that is being found or started, and the requesters that wait for it. */
export interface SharedWrite {
  readonly requester: SharedRequester;
  readonly flight: Promise<RunningWrite>;
}

/** Whether nothing was sent because no client waited for it any more. */
export const isGivenUp = (error: unknown): boolean => error instanceof Fault && error.code === "CLIENT_GONE";

/** The end of a flight. */
export const arrivalOf = (flight: Promise<RunningWrite>): Promise<unknown> => flight.then(({ arrival }) => arrival);

/** A write with its owner, its key and the digest of its values. */
export interface Identified {
  readonly request: WriteRequest<unknown>;
  readonly owner: Owner;
  readonly key: string;
  readonly digest: string;
  readonly address: string;
  /** Why it is not known whether the key was used before. */
  readonly unreadable?: Unreadable | undefined;
}

/** The end of a write; `failed`: why it was not sent, if its client cannot fix the cause. */
export type Departed = WriteEnd | WriteResult<never> | { readonly failed: unknown };

export function arrived(end: Departed): WriteEnd | WriteResult<never> {
  if ("failed" in end) throw end.failed;
  return end;
}

export function alone<T>(all: readonly T[]): T {
  const [only] = all;
  if (only === undefined) throw new TypeError("one write has one end");
  return only;
}

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
