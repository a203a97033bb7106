import { Fault } from "../fault.js";
import type { SharedRequester } from "../scheduler/requester.js";
import type { JournalEntry } from "./journal/entry.js";
import type { WriteResult } from "./write.js";

/** Whose account it is; as long as that is not known, what stands for it, and why. */
export interface Owner {
  readonly user: string;
  readonly unknown: Unreadable | undefined;
}

/** It cannot be said what a key stands for. */
export class Unreadable {
  constructor(readonly why: unknown) {}
}

/** A write under way, or one of before that its key stands for. */
export interface Flight {
  readonly digest: string;
  readonly arrival: Promise<Arrival | WriteResult<never>>;
}

/** What became of a write that has left. */
export interface Arrival {
  readonly ended: JournalEntry;
  /** Has it not left with this flight, but before, or from another process? */
  readonly isReplay: boolean;
}

/** A flight that is being found or begun, and all who wait for it. */
export interface SharedFlight {
  readonly requester: SharedRequester;
  readonly flight: Promise<Flight>;
}

/** Did nothing leave because nobody waited for it any more? */
export const isGivenUp = (error: unknown): boolean => error instanceof Fault && error.code === "CLIENT_GONE";

/** How a flight ends. */
export const arrivalOf = (flight: Promise<Flight>): Promise<unknown> => flight.then(({ arrival }) => arrival);
