import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import { Fault } from "../../errors/index.js";
import type { StreamEvent } from "../listening.js";
import { SLACK_MS, transition } from "../state/feedMachine.js";
import {
  type FeedEffect,
  type FeedEvent,
  type FeedFailure,
  type FeedState,
  failureOf,
  isOutOfDate,
  isProven,
  NEW_FEED,
  type Wait,
} from "../state/feedState.js";
import { partsShowing } from "../state/kinds.js";
import { Timers } from "../upstream/timings.js";
import type { FeedUpstream } from "./channelFeed.js";
import type { Feed, FeedChange, FeedSink } from "./feed.js";
import { OpenChannels } from "./openChannels.js";
import type { AccountAccess, FeedPart, PrivateState, PushSource, Reconciled, StateFor } from "./privateState.js";

/**
 * An account's state as a feed: pushes, and after a gap a reading of what was missed. From the interruption to the end of that
 * reading its events are stale. `state/feedMachine.ts` decides; this class executes its effects.
 *
 * When an account changes its mode, the channels of the former mode become silent: then those of the other are opened, and their
 * state is emitted as a new snapshot.
 */
export class PrivateFeed<V, K = V> implements Feed<V> {
  #machine: FeedState = NEW_FEED;
  #version: object = {};
  #unbroken: object = {};
  #stateFor: StateFor<V, K>;
  #records: PrivateState<V, K> | undefined;
  #sink: FeedSink<V> | undefined;
  #ready: Promise<void> | undefined;
  readonly #timers: Timers;
  readonly #channels: OpenChannels<V>;
  /** When each part was last compared with the exchange: its time at the beginning of the reading, Unix ms. */
  readonly #comparedAt = new Map<string, number>();
  /** The beginning of the current or last gap, in the exchange's time when it began. */
  #gapBegan = Number.POSITIVE_INFINITY;

  constructor(
    private readonly upstream: FeedUpstream,
    private readonly access: AccountAccess,
    private readonly account: ExchangeAccount,
    /** Called for each user that the account has. */
    private readonly newStates: () => StateFor<V, K>,
  ) {
    this.#stateFor = newStates();
    this.#timers = new Timers(upstream.clock);
    this.#channels = new OpenChannels(upstream, account);
  }

  start(sink: FeedSink<V>): void {
    this.#sink = sink;
    this.#happen({ type: "started" });
  }

  stop(): void {
    this.#sink = undefined;
    this.#channels.close();
    this.#timers.stopAll();
  }

  get isLive(): boolean {
    return !this.#isStale(isOutOfDate(this.#machine));
  }

  /** Whether events are stale, by the state of the records or because pushes are overdue. */
  #isStale(isStale: boolean): boolean {
    return isStale || this.#channels.areStalled;
  }

  /** The account's mode, if it is known. */
  get mode(): AccountMode | undefined {
    return this.#machine.mode;
  }

  current(): StreamEvent<V> | undefined {
    const value = this.#machine.isComplete ? this.#records?.current() : undefined;
    return value === undefined ? undefined : { kind: "snapshot", time: this.#now(), stale: !this.isLive, value };
  }

  /** The state, while it, or this part of it, is proven to be complete and current. */
  proven(part?: string): K | undefined {
    return this.isProven(part) ? this.#records?.queryState() : undefined;
  }

  /** The state, proven or not, while its channels are up. */
  live(): K | undefined {
    return this.#isUp ? this.#records?.queryState() : undefined;
  }

  /** A new object with each change of the records; undefined while the channels are not up. */
  liveVersion(): object | undefined {
    return this.#isUp ? this.#version : undefined;
  }

  get #isUp(): boolean {
    return this.#machine.isComplete && !this.#machine.isStale && this.#channels.areReceiving;
  }

  /** A new object with each change of the records; undefined while this part of them is not proven, or for another mode. */
  version(mode: AccountMode | "BOTH", part?: string): object | undefined {
    return this.isProven(part) && (mode === "BOTH" || mode === this.#machine.mode) ? this.#version : undefined;
  }

  /** Like `version`, with a new object after each gap too, because records may have changed in it and changed back. */
  unbroken(mode: AccountMode | "BOTH", part?: string): object | undefined {
    return this.version(mode, part) && this.#unbroken;
  }

  isProven(part?: string): boolean {
    return isProven(this.#machine, part) && this.#channels.areReceiving;
  }

  /** The lists that the state consists of; empty while the account's mode is not known. */
  get parts(): readonly FeedPart[] {
    const { parts, pending } = this.#machine;
    return parts.map((name) => ({
      name,
      isOpen: this.#records?.hasOpen(name) === true,
      isRead: pending.has(name),
      comparedAt: this.#comparedAt.get(name),
    }));
  }

  /** A change that is not pushed here, in these categories or anywhere: those parts are read before they count as proven again. */
  changedElsewhere(categories?: readonly string[]): void {
    if (categories === undefined) this.#happen({ type: "changedElsewhere" });
    else this.#happen({ type: "changedElsewhere", parts: partsShowing(this.#machine.parts, categories) });
  }

  /** Makes a scheduled reading now, because a query has to read the same: both share the call. */
  hurry(): void {
    if (this.#machine.isStale || !this.#machine.waits.has("reading")) return;
    this.#timers.stop("reading");
    this.#happen({ type: "due", wait: "reading", at: this.upstream.clock.now() });
  }

  /** Records that another reading, at this time (Unix ms), has confirmed the parts of these categories. */
  confirmed(categories: readonly string[], at: number): void {
    for (const part of partsShowing(this.#machine.parts, categories))
      this.#comparedAt.set(part, Math.max(at, this.#comparedAt.get(part) ?? 0));
  }

  /** When this part, or all of them, were last compared with the exchange, the earliest time, Unix ms; undefined if one never was. */
  comparedAt(part?: string): number | undefined {
    const parts = part === undefined ? this.#machine.parts : [part];
    const times = parts.map((one) => this.#comparedAt.get(one)).filter((time) => time !== undefined);
    return times.length === parts.length && times.length > 0 ? Math.min(...times) : undefined;
  }

  /** Compares parts with the exchange although no change of them is known. */
  compare(parts: readonly string[]): void {
    this.#happen({ type: "compare", parts });
  }

  reassigned(isSameUser: boolean | Promise<boolean>): void {
    const decided = (isSame: boolean): void => {
      if (!isSame) this.#stateFor = this.newStates();
    };
    if (typeof isSameUser === "boolean") {
      decided(isSameUser);
      this.#ready = undefined;
    } else this.#ready = isSameUser.then(decided);
    this.#happen({ type: "reassigned", at: this.upstream.clock.now() });
  }

  /** `time` and `fault` belong to the event: its time at the exchange, and its error. */
  #happen(
    event: FeedEvent<FeedChange<V>>,
    { time, fault }: { readonly time?: number | undefined; readonly fault?: Fault } = {},
  ): void {
    if (this.#sink === undefined) return;
    if ("change" in event && event.change !== undefined) this.#version = {};
    const [next, effects] = transition(this.#machine, event);
    const isGap = (next.isStale && !this.#machine.isStale) || next.pending.size > this.#machine.pending.size;
    if (isGap || ("change" in event && event.change !== undefined)) this.#unbroken = {};
    if (next.gapSince !== this.#machine.gapSince && next.gapSince !== undefined)
      this.#gapBegan = this.#inTimeOfNow(next.gapSince);
    this.#machine = next;
    for (const effect of effects) if (this.#sink !== undefined) this.#do(effect, this.#sink, time, fault);
  }

  #do(effect: FeedEffect<FeedChange<V>>, sink: FeedSink<V>, time: number | undefined, fault: Fault | undefined): void {
    switch (effect.type) {
      case "askMode":
        this.#askMode();
        return;
      case "lookAtMode":
        this.#lookAtMode(effect.epoch);
        return;
      case "forgetMode":
        this.access.forgetMode(this.account);
        return;
      case "open":
        this.#open(effect.epoch);
        return;
      case "close":
        this.#channels.close();
        return;
      case "read":
        this.#read(effect.epoch, effect.round, effect.since, effect.parts);
        return;
      case "wait":
        this.#wait(effect.wait, effect.isSpread ? effect.ms * (0.5 + this.upstream.random() / 2) : effect.ms);
        return;
      case "cancel":
        this.#timers.stop(effect.wait);
        return;
      case "emit":
        sink.emit({ ...effect.change, time: time ?? this.#now(), stale: this.#isStale(effect.stale) });
        return;
      case "emitUnchanged":
        this.#emitUnchanged(sink, effect.stale);
        return;
      case "emitAll": {
        const value = this.#records?.current();
        if (value !== undefined) sink.emit({ kind: "snapshot", value, time: this.#now(), stale: this.#isStale(effect.stale) });
        else if (effect.hasMoved) this.#emitUnchanged(sink, effect.stale);
        return;
      }
      case "ready":
        sink.ready();
        return;
      case "fail":
        sink.failed(fault ?? asFault(undefined));
    }
  }

  #emitUnchanged(sink: FeedSink<V>, stale: boolean): void {
    if (this.#records === undefined) return;
    sink.emit({ kind: "update", value: this.#records.unchanged(), time: this.#now(), stale: this.#isStale(stale) });
  }

  /** A mode that was read for a former user of the account is ignored. */
  #askMode(): void {
    const { epoch } = this.#machine;
    const modeRead =
      this.#ready === undefined ? this.access.modeOf(this.account) : this.#ready.then(() => this.access.modeOf(this.account));
    const ifCurrent = (happen: () => void): void => {
      if (epoch === this.#machine.epoch) happen();
    };
    modeRead.then(
      (mode) => ifCurrent(() => this.#modeKnown(mode)),
      (error: unknown) => ifCurrent(() => this.#failed(error, (failure) => ({ type: "modeFailed", failure }))),
    );
  }

  #modeKnown(mode: AccountMode): void {
    this.#records = this.#stateFor(this.account, mode);
    this.#version = {};
    this.#comparedAt.clear();
    const { sources, parts, hasSnapshot = true } = this.#records;
    this.#happen({ type: "modeKnown", mode, channels: sources.length, parts, hasSnapshot });
  }

  /** If the exchange cannot be reached, the mode is read at the next check. */
  #lookAtMode(epoch: number): void {
    const seen = (mode: AccountMode | undefined) =>
      this.#happen({ type: "modeSeen", epoch, mode, at: this.upstream.clock.now() });
    this.access.modeOf(this.account).then(seen, () => seen(undefined));
  }

  #open(epoch: number): void {
    const { clock } = this.upstream;
    this.#channels.open(this.#records?.sources ?? [], () => this.#sink !== undefined && this.#machine.epoch === epoch, {
      pushed: (source, accept, push, categories) => {
        this.#drop([source]);
        this.access.pushed?.(this.account, source.channel, categories);
        this.#happen({ type: "pushed", epoch, change: accept() }, { time: push.time ?? undefined });
        this.#readWhatIsPartial();
      },
      up: (channel) => this.#happen({ type: "up", epoch, channel }),
      down: (channel) => this.#happen({ type: "down", epoch, channel, at: clock.now() }),
      stalled: () => {
        if (this.#sink !== undefined && this.#machine.isComplete && !this.#machine.isStale)
          this.#emitUnchanged(this.#sink, isOutOfDate(this.#machine));
      },
      failed: (fault) => this.#failed(fault, (failure) => ({ type: "refused", epoch, failure })),
      unreadable: () => this.#happen({ type: "unreadable", epoch, at: clock.now() }),
    });
  }

  #read(epoch: number, round: number, since: number | undefined, parts: readonly string[]): void {
    const records = this.#records;
    if (records === undefined) return;
    this.#drop(records.sources);
    this.access.compared?.(this.account, parts.length);
    const beganAt = this.#now();
    const merged = (merge: () => Reconciled<V>): void => {
      if (this.#sink === undefined || this.#records !== records) return;
      const { change, isWhole, hasFilledIn = false } = merge();
      if (hasFilledIn) this.#version = {};
      if (isWhole) for (const part of parts) this.#comparedAt.set(part, beganAt);
      this.#happen({ type: "read", epoch, round, parts, change, isWhole });
      this.#readWhatIsPartial();
    };
    records
      .read(this.access.newReads(), since === undefined ? undefined : this.#exchangeTimeOf(since), parts)
      .then(merged)
      .catch((error: unknown) => this.#failed(error, (failure) => ({ type: "readFailed", epoch, round, parts, failure })));
  }

  #readWhatIsPartial(): void {
    const parts = this.#records?.partialParts?.() ?? [];
    if (parts.length > 0) this.#happen({ type: "changedElsewhere", parts });
  }

  #failed(error: unknown, event: (failure: FeedFailure) => FeedEvent<FeedChange<V>>): void {
    const fault = asFault(error);
    this.#happen(event(failureOf(fault)), { fault });
  }

  #wait(wait: Wait, ms: number): void {
    this.#timers.after(wait, ms, () => this.#happen({ type: "due", wait, at: this.upstream.clock.now() }));
  }

  #drop(sources: readonly PushSource<V>[]): void {
    for (const { invalidates } of sources)
      this.access.drop(
        this.account,
        invalidates.map(({ name }) => name),
      );
  }

  #now(): number {
    return this.upstream.exchangeNow();
  }

  /**
   * The beginning of a gap, from which on events may be missing, in the exchange's time. The exchange's clock may have jumped during
   * the gap: back, so the length of the gap is taken from the local clock; or ahead, so events may have dates from before the jump.
   */
  #exchangeTimeOf(gapSince: number): number {
    return Math.min(this.#gapBegan, this.#inTimeOfNow(gapSince));
  }

  /** A past time of the local clock in the exchange's current time, at least `SLACK_MS` ago. */
  #inTimeOfNow(past: number): number {
    return this.#now() - Math.max(SLACK_MS, this.upstream.clock.now() - past);
  }
}

/** The fault that listeners get for any error. */
const asFault = (error: unknown): Fault =>
  error instanceof Fault ? error : new Fault("INTERNAL_SERVER_ERROR", "the stream has failed", {}, { cause: error });
