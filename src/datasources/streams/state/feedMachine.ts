import {
  type FeedEffect,
  type FeedEvent,
  type FeedFailure,
  type FeedState,
  FIRST_PAUSE_MS,
  isOutOfDate,
  type Wait,
} from "./feedState.js";

/**
 * Keeps one kind of an account's state correct, as a pure state machine: channels open and break, missed changes are read, the
 * account changes its mode, or a write or another stream implies a change that these channels do not push. The records themselves
 * are kept elsewhere.
 */

/** A dead connection is detected late, and the exchange's lists may lag: the gap may have begun this much earlier. */
export const SLACK_MS = 90_000;
const LONGEST_PAUSE_MS = 30_000;
/** Interval at which a running stream checks its account's mode, which is usually cached. */
const MODE_CHECK_MS = 15_000;
/** Delay of a reading for a change without a push, so that several changes are read together. */
const GATHER_MS = 300;

type Step<C> = readonly [FeedState, readonly FeedEffect<C>[]];

/** The next state, and the effects in order. */
export function transition<C>(state: FeedState, event: FeedEvent<C>): Step<C> {
  if ("epoch" in event && event.epoch !== state.epoch) return [state, []];
  switch (event.type) {
    case "started":
      return [state, [{ type: "askMode" }]];
    case "modeKnown": {
      const { mode, channels, parts, hasSnapshot } = event;
      return then(waitFor({ ...state, mode, channels, parts, hasSnapshot }, "modeCheck", MODE_CHECK_MS), (next) => [
        next,
        [{ type: "open", epoch: next.epoch }],
      ]);
    }
    case "modeFailed":
      if (event.failure.isPassing && !event.failure.isOfMode) return pausedFor(state, "mode");
      return refused(state, event.failure);
    case "modeSeen":
      if (event.mode === undefined || event.mode === state.mode) return waitFor(state, "modeCheck", MODE_CHECK_MS);
      return reopened(state, event.at);
    case "up":
      return withRead({ ...state, up: new Set([...state.up, event.channel]) });
    case "down": {
      const up = new Set(state.up);
      up.delete(event.channel);
      return then(cancelled({ ...state, up }, "reading"), (next) => interrupted(next, event.at));
    }
    case "refused":
      return refused(state, event.failure);
    case "unreadable":
      // Further events do not postpone a scheduled reading.
      return then(interrupted(state, event.at), (next) => (next.waits.has("reading") ? [next, []] : pausedFor(next, "reading")));
    case "pushed":
      // Before the state is complete there is nothing to compare a change with: the snapshot will contain it.
      return [state, state.isComplete || !state.hasSnapshot ? emitted(state, event.change) : []];
    case "changedElsewhere":
      return withPending(state, event.parts ?? state.parts);
    case "compare":
      return state.isComplete && !state.isStale ? withRead(state, event.parts) : [state, []];
    case "reassigned":
      return reopened(state, event.at);
    case "read":
      return read(state, event);
    case "readFailed":
      return readFailed(state, event);
    case "due":
      return due({ ...state, waits: without(state.waits, event.wait) }, event.wait, event.at);
  }
}

const without = (waits: ReadonlySet<Wait>, wait: Wait): ReadonlySet<Wait> => new Set([...waits].filter((one) => one !== wait));

const then = <C>([state, effects]: Step<C>, next: (state: FeedState) => Step<C>): Step<C> => {
  const [after, more] = next(state);
  return [after, [...effects, ...more]];
};

const emitted = <C>(state: FeedState, change: C | undefined): readonly FeedEffect<C>[] =>
  change === undefined ? [] : [{ type: "emit", change, stale: isOutOfDate(state) }];

const waitFor = <C>(state: FeedState, wait: Wait, ms: number, isSpread = false): Step<C> => [
  { ...state, waits: new Set([...state.waits, wait]) },
  [{ type: "wait", wait, ms, isSpread }],
];

const pausedFor = <C>(state: FeedState, wait: Wait): Step<C> =>
  then(waitFor({ ...state, pauseMs: Math.min(LONGEST_PAUSE_MS, state.pauseMs * 2) }, wait, state.pauseMs, true), (next) => [
    next,
    !isOutOfDate(state) && isOutOfDate(next) ? [{ type: "emitUnchanged", stale: true }] : [],
  ]);

const cancelled = <C>(state: FeedState, wait: Wait): Step<C> =>
  state.waits.has(wait) ? [{ ...state, waits: without(state.waits, wait) }, [{ type: "cancel", wait }]] : [state, []];

/** Restarts on the channels of the account's current mode. Until the new state is complete the stream is stale. */
function reopened<C>(state: FeedState, at: number): Step<C> {
  const [last, effects] = state.mode === undefined ? [state, []] : interrupted<C>(state, at);
  return [
    {
      ...last,
      epoch: last.epoch + 1,
      mode: undefined,
      parts: [],
      channels: 0,
      up: new Set(),
      isComplete: false,
      hasMoved: true,
      pending: new Map(),
      waits: new Set(),
    },
    [
      ...effects,
      ...[...last.waits].map((wait): FeedEffect<C> => ({ type: "cancel", wait })),
      { type: "close" },
      { type: "askMode" },
    ],
  ];
}

/** Records that changes may be missed from now on. */
function interrupted<C>(state: FeedState, at: number): Step<C> {
  const round = state.round + 1;
  const next = { ...state, round, interruptedAt: round, gapSince: state.gapSince ?? at - SLACK_MS, isStale: true };
  return [next, isOutOfDate(state) ? [] : [{ type: "emitUnchanged", stale: true }]];
}

/** Reads if all channels are up; otherwise the return of the last channel triggers the reading. */
function withRead<C>(state: FeedState, parts = state.parts): Step<C> {
  if (state.mode === undefined || state.up.size < state.channels || parts.length === 0) return [state, []];
  const round = state.round + 1;
  const since = state.isComplete || !state.hasSnapshot ? state.gapSince : undefined;
  return [{ ...state, round }, [{ type: "read", epoch: state.epoch, round, parts, since }]];
}

/** Reads what has changed; after an interruption everything. */
const withPendingRead = <C>(state: FeedState): Step<C> =>
  withRead(state, state.isComplete && !state.isStale ? [...state.pending.keys()] : state.parts);

function withPending<C>(state: FeedState, parts: readonly string[]): Step<C> {
  const own = parts.filter((part) => state.parts.includes(part));
  if (own.length === 0) return [state, []];
  return scheduledReading({
    ...state,
    pending: new Map([...state.pending, ...own.map((part) => [part, state.round + 1] as const)]),
  });
}

/** While the stream is stale a reading is scheduled, or follows when the channels return. */
const scheduledReading = <C>(state: FeedState): Step<C> =>
  state.waits.has("reading") || state.isStale ? [state, []] : waitFor(state, "reading", GATHER_MS);

/** The result of a reading is emitted even if the stream has broken meanwhile: it will not be found again. */
function read<C>(state: FeedState, event: FeedEvent<C> & { readonly type: "read" }): Step<C> {
  const isValid = event.round > state.interruptedAt;
  const found = isValid && event.isWhole ? withParts(state, event) : state;
  const reported = reportedReading<C>(found, event.change, isOutOfDate(state) && !isOutOfDate(found));
  if (!isValid) return reported;
  // Rows that could not be decoded are read again.
  if (!event.isWhole) return then(reported, (next) => pausedFor(unread(next, event.parts), "reading"));
  return found.pending.size === 0 ? reported : then(reported, (next) => scheduledReading(next));
}

/** With the parts that a reading has seen; a reading of all of them ends an interruption. */
function withParts(state: FeedState, { round, parts }: { readonly round: number; readonly parts: readonly string[] }): FeedState {
  const pending = new Map([...state.pending].filter(([part, first]) => !parts.includes(part) || round < first));
  if (state.isStale && state.parts.some((part) => !parts.includes(part))) return { ...state, pending };
  return { ...state, isStale: false, gapSince: undefined, pauseMs: FIRST_PAUSE_MS, pending };
}

/** Parts that could not be read prove nothing until a reading succeeds. */
const unread = (state: FeedState, parts: readonly string[]): FeedState =>
  state.isStale
    ? state
    : { ...state, pending: new Map([...parts.map((part) => [part, state.round + 1] as const), ...state.pending]) };

function reportedReading<C>(state: FeedState, change: C | undefined, isBack: boolean): Step<C> {
  const stale = isOutOfDate(state);
  if (!state.isComplete) {
    const all: FeedEffect<C> = { type: "emitAll", stale, hasMoved: state.hasMoved };
    const [first = all] = state.hasSnapshot ? [] : emitted(state, change);
    return [{ ...state, isComplete: true }, [{ type: "ready" }, first]];
  }
  if (change !== undefined) return [state, emitted(state, change)];
  return [state, isBack ? [{ type: "emitUnchanged", stale }] : []];
}

function readFailed<C>(state: FeedState, event: FeedEvent<C> & { readonly type: "readFailed" }): Step<C> {
  const { round, parts, failure } = event;
  if (round <= state.interruptedAt) return [state, []];
  if (failure.isOfMode) return refused(state, failure);
  // A comparison that failed is made again in its turn.
  const isNeeded = state.isStale || parts.some((part) => state.pending.has(part));
  if (failure.isPassing) return isNeeded ? pausedFor(state, "reading") : [state, []];
  // A running stream continues with its pushes if a reading cannot be decoded, or if it is refused although the channels are up,
  // for example after a key change for which they have not logged in again. Nothing is proven until a reading succeeds.
  const outlasts = state.isComplete && (failure.isUnreadable || !state.isStale);
  return outlasts ? pausedFor(unread(state, parts), "reading") : refused(state, failure);
}

/**
 * A running stream survives temporary failures, above all a change of the account's mode: it is opened again until it succeeds.
 */
function refused<C>(state: FeedState, failure: FeedFailure): Step<C> {
  const hasBegun = state.isComplete || state.hasMoved;
  const forget: readonly FeedEffect<C>[] = failure.isOfMode ? [{ type: "forgetMode" }] : [];
  if (!hasBegun || !(failure.isOfMode || failure.isPassing)) return [state, [...forget, { type: "fail" }]];
  // It is opened again in any case, because a refused channel does not return by itself.
  if (state.waits.has("reopening")) return [state, forget];
  return then([state, forget], (next) => pausedFor(next, "reopening"));
}

function due<C>(state: FeedState, wait: Wait, at: number): Step<C> {
  switch (wait) {
    case "mode":
      return [state, [{ type: "askMode" }]];
    case "modeCheck":
      return [state, [{ type: "lookAtMode", epoch: state.epoch }]];
    case "reading":
      return withPendingRead(state);
    case "reopening":
      return reopened(state, at);
  }
}
