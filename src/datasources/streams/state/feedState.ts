import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import type { AccountMode } from "../../calls/index.js";
import type { Fault } from "../../errors/index.js";

/** State of a feed of an account's state, what happens to it, and what it does: see `feedMachine.ts`. */

/** The consequences of a failure for the stream. */
export interface FeedFailure {
  /** Whether the same may succeed later. */
  readonly isPassing: boolean;
  /** Whether it is about the account's mode: the account has the other mode, or is changing. */
  readonly isOfMode: boolean;
  /** Whether an answer could not be decoded. */
  readonly isUnreadable: boolean;
}

export type Wait = "mode" | "modeCheck" | "reading" | "reopening";

export interface FeedState {
  /** Counts how often the channels were opened: events of an earlier epoch are ignored. */
  readonly epoch: number;
  /** The mode whose channels are open; undefined while it is being read. */
  readonly mode: AccountMode | undefined;
  /** The parts of the state: its lists at the exchange. Each is read, and proven, by itself. */
  readonly parts: readonly string[];
  /** Number of channels, and which of them are up. */
  readonly channels: number;
  readonly up: ReadonlySet<number>;
  /**
   * Whether it begins with a snapshot. Without one each change is an event of its own: none is left out while the state is incomplete,
   * and a gap outlasts the channels on which it began.
   */
  readonly hasSnapshot: boolean;
  /** Whether all of the state has been read once. */
  readonly isComplete: boolean;
  /** Whether the account has changed its mode while there were listeners. */
  readonly hasMoved: boolean;
  /** Whether changes may have been missed that no list has shown since. */
  readonly isStale: boolean;
  /** Time since when changes may have been missed, by the clock of the events. */
  readonly gapSince: number | undefined;
  /** Number of the last reading. An interruption takes a number too. */
  readonly round: number;
  /** Number of the last interruption: a reading from before it proves nothing. */
  readonly interruptedAt: number;
  /** Parts with a change that was not pushed, and the first reading that includes it. */
  readonly pending: ReadonlyMap<string, number>;
  /** The next pause after a failure. */
  readonly pauseMs: number;
  readonly waits: ReadonlySet<Wait>;
}

/** Events of a feed. `at`: Unix ms, by the local clock, which does not follow the exchange's. */
export type FeedEvent<C> =
  | { readonly type: "started" }
  | {
      readonly type: "modeKnown";
      readonly mode: AccountMode;
      readonly channels: number;
      readonly parts: readonly string[];
      readonly hasSnapshot: boolean;
    }
  | { readonly type: "modeFailed"; readonly failure: FeedFailure }
  /** The mode was read again; undefined if it could not be read. */
  | { readonly type: "modeSeen"; readonly epoch: number; readonly mode: AccountMode | undefined; readonly at: number }
  | { readonly type: "up"; readonly epoch: number; readonly channel: number }
  | { readonly type: "down"; readonly epoch: number; readonly channel: number; readonly at: number }
  | { readonly type: "refused"; readonly epoch: number; readonly failure: FeedFailure }
  /** A push, or a row of one, could not be decoded. */
  | { readonly type: "unreadable"; readonly epoch: number; readonly at: number }
  | { readonly type: "pushed"; readonly epoch: number; readonly change: C | undefined }
  /** A change that the channels do not push: by a write of this gateway, or implied by another stream. Default: of all parts. */
  | { readonly type: "changedElsewhere"; readonly parts?: readonly string[] }
  /** Parts are to be compared with the exchange although nothing is known to have changed. */
  | { readonly type: "compare"; readonly parts: readonly string[] }
  /** The account has another key, maybe of another user. */
  | { readonly type: "reassigned"; readonly at: number }
  | {
      readonly type: "read";
      readonly epoch: number;
      readonly round: number;
      readonly parts: readonly string[];
      readonly change: C | undefined;
      readonly isWhole: boolean;
    }
  | {
      readonly type: "readFailed";
      readonly epoch: number;
      readonly round: number;
      readonly parts: readonly string[];
      readonly failure: FeedFailure;
    }
  | { readonly type: "due"; readonly wait: Wait; readonly at: number };

/** Effects. `stale`: state of the emitted event. */
export type FeedEffect<C> =
  | { readonly type: "askMode" }
  | { readonly type: "lookAtMode"; readonly epoch: number }
  | { readonly type: "forgetMode" }
  | { readonly type: "open"; readonly epoch: number }
  | { readonly type: "close" }
  | {
      readonly type: "read";
      readonly epoch: number;
      readonly round: number;
      readonly parts: readonly string[];
      readonly since: number | undefined;
    }
  | { readonly type: "wait"; readonly wait: Wait; readonly ms: number; readonly isSpread: boolean }
  | { readonly type: "cancel"; readonly wait: Wait }
  | { readonly type: "emit"; readonly change: C; readonly stale: boolean }
  /** An event without changes, which reports the state of the stream. */
  | { readonly type: "emitUnchanged"; readonly stale: boolean }
  | { readonly type: "emitAll"; readonly stale: boolean; readonly hasMoved: boolean }
  | { readonly type: "ready" }
  /** The stream ends with the failure of the event. */
  | { readonly type: "fail" };

/** First pause between attempts to read the mode or the state; it doubles each time. */
export const FIRST_PAUSE_MS = 1_000;

/** A feed before its start. */
export const NEW_FEED: FeedState = {
  epoch: 0,
  mode: undefined,
  parts: [],
  channels: 0,
  up: new Set(),
  hasSnapshot: true,
  isComplete: false,
  hasMoved: false,
  isStale: true,
  gapSince: undefined,
  round: 0,
  interruptedAt: 0,
  pending: new Map(),
  pauseMs: FIRST_PAUSE_MS,
  waits: new Set(),
};

/** Whether a part of the state, or all of it, is known as of now, so that queries can be answered from it. */
export const isProven = ({ isComplete, isStale, pending }: FeedState, part?: string): boolean =>
  isComplete && !isStale && (part === undefined ? pending.size === 0 : !pending.has(part));

/**
 * Whether what listeners have may be out of date: after a gap, or because a change is known to exist and two readings of it in a row
 * have failed. Events without a state are complete in themselves.
 */
export const isOutOfDate = ({ isStale, hasSnapshot, pending, pauseMs }: FeedState): boolean =>
  isStale || (hasSnapshot && pending.size > 0 && pauseMs > 2 * FIRST_PAUSE_MS);

/** Codes for calls and sockets of an account that has the other mode or is changing it. */
const ABOUT_MODE: readonly string[] = [REFUSAL.classicAccount, REFUSAL.unifiedAccount, REFUSAL.accountChanging].map(
  ({ code }) => code,
);

/** What a fault means for the stream. */
export const failureOf = ({ code, extensions: { exchange, retryable } }: Fault): FeedFailure => ({
  isPassing: retryable,
  isOfMode: code === "ACCOUNT_MODE_MISMATCH" || (exchange !== undefined && ABOUT_MODE.includes(exchange.code)),
  isUnreadable: code === "EXCHANGE_BAD_RESPONSE",
});
