import type { SharedRequester } from "../calls/index.js";
import { Fault } from "../errors/index.js";
import type { JournalEntry } from "./journal/entry.js";
import type { WriteResult } from "./write.js";

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
