import type { SharedRequester } from "../calls/index.js";
import { Fault } from "../errors/index.js";
import type { JournalEntry } from "./journal/entry.js";
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
