import type { Channel, Push } from "@exchange-graph/contract/channels/channel";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import type { AccountMode } from "../../accounts/accountModes.js";
import type { ExchangeAccount } from "../../accounts/exchangeAccount.js";
import { Fault } from "../../fault.js";
import type { RequestReads } from "../../requestReads.js";
import type { StreamEvent } from "../event.js";
import { staleAfterPush } from "../staleAfterPush.js";
import type { TopicHandle } from "../upstream/link.js";
import type { Change, Feed, FeedSink } from "./feed.js";
import { type ChannelSink, follow, type Upstream } from "./upstream.js";

/** One kind of an account's state: what is pushed about it, and what can be read. */
export interface PrivateState<V> {
  readonly sources: readonly Source<V>[];
  /**
   * Reads the state and tells what had been missed. `since`: nothing before this moment can be missing (Unix ms);
   * without it nothing is known yet. What is pushed meanwhile is accepted meanwhile, and the newer of the two stands.
   */
  reconcile(reads: RequestReads, since: number | undefined): Promise<Reconciled<V>>;
  /** For a newcomer; nothing where there is no state to tell. */
  current(): V | undefined;
  /** What goes along with the news that the stream is interrupted, or is back: an update that changes nothing. */
  unchanged(): V;
}

/** What a reading has brought. */
export interface Reconciled<V> {
  /** What had been missed, if anything. */
  readonly change: Change<V> | undefined;
  /** Could all of it be read? If not, the state is told, stands as stale, and is read again. */
  readonly isWhole: boolean;
}

/** Nothing had been missed. */
export const NOTHING_MISSED: Reconciled<never> = { change: undefined, isWhole: true };

/** A channel that tells of the state. */
export interface Source<V> {
  readonly channel: Channel;
  open(upstream: Upstream, account: ExchangeAccount, sink: Omit<ChannelSink<V>, "items"> & SourceSink<V>): TopicHandle;
}

interface SourceSink<V> {
  /** `accept` gives what is new in the push. */
  pushed(accept: () => Change<V> | undefined, push: Push): void;
}

/** Makes a source of a channel; here the channel's own types meet for the last time. `accept` gives what is new in a push. */
export const source = <P extends object, T, V>(
  channel: Channel<P, T>,
  parameters: P,
  accept: (items: readonly T[], push: Push, isWhole: boolean) => Change<V> | undefined,
): Source<V> => ({
  channel,
  open: (upstream, account, sink) =>
    follow(upstream, channel, parameters, account, {
      ...sink,
      items: (items, push, _source, isWhole) => sink.pushed(() => accept(items, push, isWhole), push),
    }),
});

/** What private feeds need besides the sockets. */
export interface AccountAccess {
  readonly modeOf: (account: ExchangeAccount) => Promise<AccountMode>;
  /** What `modeOf` remembers is contradicted: it is to ask. */
  readonly forgetMode: (account: ExchangeAccount) => void;
  /** Reads of their own: nothing that was read before is taken for true again. */
  readonly newReads: () => RequestReads;
  /** Makes the cached answers of these endpoints stale. */
  readonly drop: (account: ExchangeAccount, endpoints: readonly string[]) => void;
}

/** A dead connection is noticed late, and the exchange's lists may lag: the gap may have begun this long before. */
const SLACK_MS = 90_000;
/** Pauses between tries to read the mode, or the state; each doubles the last one. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** How often a running stream looks whether its account still is what it was; that is remembered, so it mostly costs nothing. */
const MODE_CHECK_MS = 15_000;

/**
 * An account's state as a feed: pushes as they come, and after a gap what was missed in it. Between the break and the
 * end of that reading its events say that they are stale.
 *
 * An account that changes its mode falls silent on the channels of the former one: then those of the other are
 * followed, and their state is told as a new beginning.
 */
export class PrivateFeed<V> implements Feed<V> {
  #state: PrivateState<V> | undefined;
  #handles: readonly TopicHandle[] = [];
  readonly #up = new Set<Source<V>>();
  #isStopped = false;
  #isComplete = false;
  #hasMoved = false;
  #isStale = true;
  #gapSince: number | undefined;
  #round = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #cancelRetry: (() => void) | undefined;
  /** Is the state about to be read again? */
  #isBooked = false;
  #cancelReopening: (() => void) | undefined;
  #cancelModeCheck: (() => void) | undefined;

  constructor(
    private readonly upstream: Upstream,
    private readonly access: AccountAccess,
    private readonly account: ExchangeAccount,
    private readonly stateFor: (account: ExchangeAccount, mode: AccountMode) => PrivateState<V>,
  ) {}

  start(sink: FeedSink<V>): void {
    this.#open(sink).catch((error: unknown) => this.#refused(sink, asFault(error)));
  }

  stop(): void {
    this.#isStopped = true;
    this.#close();
  }

  get isLive(): boolean {
    return !this.#isStale;
  }

  current(): StreamEvent<V> | undefined {
    const value = this.#isComplete ? this.#state?.current() : undefined;
    return value === undefined ? undefined : { kind: "snapshot", time: this.#now(), stale: this.#isStale, value };
  }

  async #open(sink: FeedSink<V>): Promise<void> {
    const mode = await this.#mode();
    if (this.#isStopped) return;
    const state = this.stateFor(this.account, mode);
    this.#state = state;
    this.#watchMode(sink, mode);
    for (const one of state.sources) {
      const handle = one.open(this.upstream, this.account, {
        pushed: (accept, push) => {
          this.#drop([one]);
          const change = accept();
          // Until the state is whole there is nothing that a change could be told against.
          if (this.#isComplete) this.#emit(sink, change, push.time ?? undefined);
        },
        up: () => {
          this.#up.add(one);
          if (this.#up.size === state.sources.length) this.#reconcile(sink, state);
        },
        down: () => {
          this.#up.delete(one);
          this.#interrupted(sink, state);
        },
        failed: (fault) => this.#refused(sink, fault),
        unreadable: () => {
          this.#becomeStale(sink, state);
          // However many more come: what is booked stays booked.
          if (!this.#isBooked) this.#reconcileLater(sink, state);
        },
      });
      this.#handles = [...this.#handles, handle];
    }
  }

  /** An exchange that cannot be asked right now is asked again, for as long as anybody waits for the stream. */
  async #mode(): Promise<AccountMode> {
    for (;;) {
      try {
        return await this.access.modeOf(this.account);
      } catch (error) {
        const fault = asFault(error);
        if (this.#isStopped || !fault.extensions.retryable || isAboutMode(fault)) throw error;
        await new Promise<void>((resolve) => {
          this.#cancelRetry = this.#afterPause(resolve);
        });
      }
    }
  }

  #watchMode(sink: FeedSink<V>, mode: AccountMode): void {
    const again = () => this.#watchMode(sink, mode);
    this.#cancelModeCheck = this.upstream.clock.after(MODE_CHECK_MS, () => {
      const checked = this.#state;
      const unlessOver = (then: () => void) => !this.#isStopped && checked === this.#state && then();
      this.access.modeOf(this.account).then(
        (now) => unlessOver(() => (now === mode ? again() : this.#reopen(sink))),
        // Whether the exchange cannot be reached or will not say: it is asked again the next time.
        () => unlessOver(again),
      );
    });
  }

  /** Begins anew, on the channels of whatever the account is by now. */
  #reopen(sink: FeedSink<V>): void {
    if (this.#state !== undefined) this.#interrupted(sink, this.#state);
    this.#close();
    this.#state = undefined;
    this.#isComplete = false;
    this.#gapSince = undefined;
    this.#hasMoved = true;
    this.start(sink);
  }

  #close(): void {
    this.#cancelBooked();
    this.#cancelReopening?.();
    this.#cancelReopening = undefined;
    this.#cancelModeCheck?.();
    for (const handle of this.#handles) handle.close();
    this.#handles = [];
    this.#up.clear();
  }

  #interrupted(sink: FeedSink<V>, state: PrivateState<V>): void {
    this.#cancelBooked();
    this.#becomeStale(sink, state);
  }

  #cancelBooked(): void {
    this.#cancelRetry?.();
    this.#isBooked = false;
  }

  #becomeStale(sink: FeedSink<V>, state: PrivateState<V>): void {
    this.#round++;
    this.#gapSince ??= this.#now() - SLACK_MS;
    if (this.#isStale) return;
    this.#isStale = true;
    this.#emit(sink, { kind: "update", value: state.unchanged() });
  }

  #reconcile(sink: FeedSink<V>, state: PrivateState<V>): void {
    const round = ++this.#round;
    this.#drop(state.sources);
    state
      .reconcile(this.access.newReads(), this.#isComplete ? this.#gapSince : undefined)
      .then((found) => this.#reconciled(sink, state, found, round))
      .catch((error: unknown) => this.#failed(sink, state, asFault(error), round));
  }

  /** What a reading found is told even when the stream has broken again meanwhile: it will not be found twice. */
  #reconciled(sink: FeedSink<V>, state: PrivateState<V>, { change, isWhole: isRead }: Reconciled<V>, round: number): void {
    if (this.#isStopped || state !== this.#state) return;
    // What stays away because a row could not be read is looked for again.
    if (!isRead && round === this.#round) this.#reconcileLater(sink, state);
    const isWhole = isRead && round === this.#round;
    if (isWhole) {
      this.#isStale = false;
      this.#gapSince = undefined;
      this.#pauseMs = FIRST_PAUSE_MS;
    }
    if (this.#isComplete) {
      this.#emit(sink, change ?? (isWhole ? { kind: "update", value: state.unchanged() } : undefined));
      return;
    }
    this.#isComplete = true;
    sink.ready();
    const value = state.current();
    if (value !== undefined) this.#emit(sink, { kind: "snapshot", value });
    else if (this.#hasMoved) this.#emit(sink, { kind: "update", value: state.unchanged() });
  }

  #failed(sink: FeedSink<V>, state: PrivateState<V>, fault: Fault, round: number): void {
    if (this.#isStopped || state !== this.#state || round !== this.#round) return;
    // A stream that has begun goes on with its pushes, stale, where a reading cannot be understood.
    const outlasts = this.#isComplete && fault.code === "EXCHANGE_BAD_RESPONSE";
    if (!isAboutMode(fault) && (fault.extensions.retryable || outlasts)) this.#reconcileLater(sink, state);
    else this.#refused(sink, fault);
  }

  /** A stream that has begun outlasts what passes, the account's change above all: it is opened again and again. */
  #refused(sink: FeedSink<V>, fault: Fault): void {
    if (this.#isStopped) return;
    const hasBegun = this.#isComplete || this.#hasMoved;
    const isOfMode = isAboutMode(fault);
    if (isOfMode) this.access.forgetMode(this.account);
    // Whatever happens meanwhile, it is opened again: the channel that was refused will not come back by itself.
    if (hasBegun && (isOfMode || fault.extensions.retryable))
      this.#cancelReopening ??= this.#afterPause(() => this.#reopen(sink));
    else sink.failed(fault);
  }

  #reconcileLater(sink: FeedSink<V>, state: PrivateState<V>): void {
    this.#cancelBooked();
    this.#isBooked = true;
    this.#cancelRetry = this.#afterPause(() => {
      this.#isBooked = false;
      // While a channel is down its return is waited for, and brings the reading along.
      if (this.#up.size === state.sources.length) this.#reconcile(sink, state);
    });
  }

  #afterPause(task: () => void): () => void {
    const pause = this.#pauseMs * (0.5 + this.upstream.random() / 2);
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
    return this.upstream.clock.after(pause, task);
  }

  #drop(sources: readonly Source<V>[]): void {
    for (const { channel } of sources) this.access.drop(this.account, staleAfterPush.get(channel.name) ?? []);
  }

  #emit(sink: FeedSink<V>, change: Change<V> | undefined, time = this.#now()): void {
    if (change !== undefined) sink.emit({ ...change, time, stale: this.#isStale });
  }

  #now(): number {
    return this.upstream.exchangeNow();
  }
}

/** What the exchange says to an account of the other API version, or to one that is about to be: in calls and on sockets. */
const ABOUT_MODE: readonly string[] = [REFUSAL.classicAccount, REFUSAL.unifiedAccount, REFUSAL.accountChanging].map(
  ({ code }) => code,
);
const isAboutMode = ({ code, extensions: { exchange } }: Fault): boolean =>
  code === "ACCOUNT_MODE_MISMATCH" || (exchange !== undefined && ABOUT_MODE.includes(exchange.code));

/** Whatever it is, the listeners hear of it. */
const asFault = (error: unknown): Fault =>
  error instanceof Fault ? error : new Fault("INTERNAL_SERVER_ERROR", "the stream has failed", {}, { cause: error });
