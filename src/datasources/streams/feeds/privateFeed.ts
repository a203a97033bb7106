import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import type { AccountMode, ExchangeAccount } from "../../accounts/exchangeAccount.js";
import { Fault } from "../../fault.js";
import {
  type Failure,
  type FeedEffect,
  type FeedEvent,
  type FeedState,
  isProven,
  NEW_FEED,
  transition,
  type Wait,
} from "../../state/feedMachine.js";
import type { StreamEvent } from "../event.js";
import type { TopicHandle } from "../upstream/link.js";
import type { Change, Feed, FeedSink } from "./feed.js";
import type { AccountAccess, PrivateState, Reconciled, Source } from "./privateState.js";
import type { Upstream } from "./upstream.js";

/** A connection without any message for this long may be dead: then its pushes prove nothing. */
const SUSPECT_MS = 5_000;

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
  #records: PrivateState<V, K> | undefined;
  #handles: readonly TopicHandle[] = [];
  #sink: FeedSink<V> | undefined;
  #ready: Promise<void> | undefined;
  readonly #waits = new Map<Wait, () => void>();
  /** Channels whose pushes are overdue. */
  readonly #stalled = new Set<number>();

  constructor(
    private readonly upstream: Upstream,
    private readonly access: AccountAccess,
    private readonly account: ExchangeAccount,
    private readonly stateFor: (account: ExchangeAccount, mode: AccountMode) => PrivateState<V, K>,
  ) {}

  start(sink: FeedSink<V>): void {
    this.#sink = sink;
    this.#happen({ type: "started" });
  }

  stop(): void {
    this.#sink = undefined;
    this.#close();
    for (const cancel of this.#waits.values()) cancel();
    this.#waits.clear();
  }

  get isLive(): boolean {
    return !this.#isStale(this.#machine.isStale);
  }

  /** Whether events are stale, by the state of the records or because pushes are overdue. */
  #isStale(isStale: boolean): boolean {
    return isStale || this.#stalled.size > 0;
  }

  /** The account's mode, if it is known. */
  get mode(): AccountMode | undefined {
    return this.#machine.mode;
  }

  current(): StreamEvent<V> | undefined {
    const value = this.#machine.isComplete ? this.#records?.current() : undefined;
    return value === undefined ? undefined : { kind: "snapshot", time: this.#now(), stale: !this.isLive, value };
  }

  /** The state, while it is proven to be complete and current. */
  proven(): K | undefined {
    return this.#isProven() ? this.#records?.queryState() : undefined;
  }

  /** A new object with each change of the records; undefined while they are not proven, or for another mode. */
  version(mode: AccountMode | "BOTH"): object | undefined {
    return this.#isProven() && (mode === "BOTH" || mode === this.#machine.mode) ? this.#version : undefined;
  }

  /** A quiet connection is pinged long before it counts as suspect, so a live one always has recent messages. */
  #isProven(): boolean {
    const since = this.upstream.clock.now() - SUSPECT_MS;
    return (
      isProven(this.#machine) &&
      this.#stalled.size === 0 &&
      this.#handles.every(({ heardAt }) => heardAt === undefined || heardAt() >= since)
    );
  }

  /** A change that is not pushed here: the state is read before it counts as proven again. */
  changedElsewhere(): void {
    this.#happen({ type: "changedElsewhere" });
  }

  reassigned(ready: Promise<void> | undefined): void {
    this.#ready = ready;
    this.#happen({ type: "reassigned", at: this.#now() });
  }

  /** `time` and `fault` belong to the event: its time at the exchange, and its error. */
  #happen(
    event: FeedEvent<Change<V>>,
    { time, fault }: { readonly time?: number | undefined; readonly fault?: Fault } = {},
  ): void {
    if (this.#sink === undefined) return;
    if ("change" in event && event.change !== undefined) this.#version = {};
    const [next, effects] = transition(this.#machine, event);
    this.#machine = next;
    for (const effect of effects) if (this.#sink !== undefined) this.#do(effect, this.#sink, time, fault);
  }

  #do(effect: FeedEffect<Change<V>>, sink: FeedSink<V>, time: number | undefined, fault: Fault | undefined): void {
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
        this.#close();
        return;
      case "read":
        this.#read(effect.epoch, effect.round, effect.since);
        return;
      case "wait":
        this.#wait(effect.wait, effect.isSpread ? effect.ms * (0.5 + this.upstream.random() / 2) : effect.ms);
        return;
      case "cancel":
        this.#waits.get(effect.wait)?.();
        this.#waits.delete(effect.wait);
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

  /** A mode that was asked for another user of the account is ignored. */
  #askMode(): void {
    const { epoch } = this.#machine;
    const asked =
      this.#ready === undefined ? this.access.modeOf(this.account) : this.#ready.then(() => this.access.modeOf(this.account));
    const ifCurrent = (happen: () => void): void => {
      if (epoch === this.#machine.epoch) happen();
    };
    asked.then(
      (mode) => ifCurrent(() => this.#modeKnown(mode)),
      (error: unknown) => ifCurrent(() => this.#failed(error, (failure) => ({ type: "modeFailed", failure }))),
    );
  }

  #modeKnown(mode: AccountMode): void {
    this.#records = this.stateFor(this.account, mode);
    this.#version = {};
    this.#happen({ type: "modeKnown", mode, channels: this.#records.sources.length });
  }

  /** If the exchange cannot be reached, the mode is read at the next check. */
  #lookAtMode(epoch: number): void {
    const seen = (mode: AccountMode | undefined) => this.#happen({ type: "modeSeen", epoch, mode, at: this.#now() });
    this.access.modeOf(this.account).then(seen, () => seen(undefined));
  }

  /** A connection may refuse a channel at once, if all are full. */
  #open(epoch: number): void {
    try {
      this.#follow(epoch);
    } catch (error) {
      this.#failed(error, (failure) => ({ type: "refused", epoch, failure }));
    }
  }

  #follow(epoch: number): void {
    const records = this.#records;
    for (const [channel, one] of records?.sources.entries() ?? []) {
      if (this.#sink === undefined || this.#machine.epoch !== epoch) return;
      const handle = one.open(this.upstream, this.account, {
        pushed: (accept, push) => {
          this.#drop([one]);
          this.access.pushed?.(this.account, one.channel);
          this.#happen({ type: "pushed", epoch, change: accept() }, { time: push.time ?? undefined });
          this.#readWhatIsPartial();
        },
        up: () => {
          this.#stalled.delete(channel);
          this.#happen({ type: "up", epoch, channel });
        },
        down: () => {
          this.#stalled.delete(channel);
          this.#happen({ type: "down", epoch, channel, at: this.#now() });
        },
        stalled: (isStalled) => this.#setStalled(channel, isStalled),
        failed: (fault) => this.#failed(fault, (failure) => ({ type: "refused", epoch, failure })),
        unreadable: () => this.#happen({ type: "unreadable", epoch, at: this.#now() }),
      });
      this.#handles = [...this.#handles, handle];
    }
  }

  #setStalled(channel: number, isStalled: boolean): void {
    const wasLive = this.isLive;
    if (isStalled) this.#stalled.add(channel);
    else this.#stalled.delete(channel);
    if (this.#sink === undefined || !this.#machine.isComplete || wasLive === this.isLive) return;
    this.#emitUnchanged(this.#sink, this.#machine.isStale);
  }

  #close(): void {
    this.#stalled.clear();
    for (const handle of this.#handles) handle.close();
    this.#handles = [];
  }

  #read(epoch: number, round: number, since: number | undefined): void {
    const records = this.#records;
    if (records === undefined) return;
    this.#drop(records.sources);
    const merged = (merge: () => Reconciled<V>): void => {
      if (this.#sink === undefined || this.#records !== records) return;
      const { change, isWhole, hasFilledIn = false } = merge();
      if (hasFilledIn) this.#version = {};
      this.#happen({ type: "read", epoch, round, change, isWhole });
      this.#readWhatIsPartial();
    };
    records
      .read(this.access.newReads(), since)
      .then(merged)
      .catch((error: unknown) => this.#failed(error, (failure) => ({ type: "readFailed", epoch, round, failure })));
  }

  #readWhatIsPartial(): void {
    if (this.#records?.isPartial?.() === true) this.changedElsewhere();
  }

  #failed(error: unknown, event: (failure: Failure) => FeedEvent<Change<V>>): void {
    const fault = asFault(error);
    const { code, extensions } = fault;
    const isUnreadable = code === "EXCHANGE_BAD_RESPONSE";
    this.#happen(event({ isPassing: extensions.retryable, isOfMode: isAboutMode(fault), isUnreadable }), { fault });
  }

  #wait(wait: Wait, ms: number): void {
    this.#waits.get(wait)?.();
    const cancel = this.upstream.clock.after(ms, () => {
      this.#waits.delete(wait);
      this.#happen({ type: "due", wait, at: this.#now() });
    });
    this.#waits.set(wait, cancel);
  }

  #drop(sources: readonly Source<V>[]): void {
    for (const { invalidates } of sources)
      this.access.drop(
        this.account,
        invalidates.map(({ name }) => name),
      );
  }

  #now(): number {
    return this.upstream.exchangeNow();
  }
}

/** Codes for calls and sockets of an account that has the other mode or is changing it. */
const ABOUT_MODE: readonly string[] = [REFUSAL.classicAccount, REFUSAL.unifiedAccount, REFUSAL.accountChanging].map(
  ({ code }) => code,
);
const isAboutMode = ({ code, extensions: { exchange } }: Fault): boolean =>
  code === "ACCOUNT_MODE_MISMATCH" || (exchange !== undefined && ABOUT_MODE.includes(exchange.code));

/** The fault that listeners get for any error. */
const asFault = (error: unknown): Fault =>
  error instanceof Fault ? error : new Fault("INTERNAL_SERVER_ERROR", "the stream has failed", {}, { cause: error });
