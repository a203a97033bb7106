import type { Channel, Push } from "@exchange-graph/contract/channels/channel";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { AccountMode, ExchangeAccount } from "../../accounts/exchangeAccount.js";
import type { RequestReads } from "../../requestReads.js";
import type { TopicHandle } from "../upstream/link.js";
import type { Change } from "./feed.js";
import { type ChannelSink, follow, type Upstream } from "./upstream.js";

/** One kind of an account's state: its pushes and its readings. */
export interface PrivateState<V, K = V> {
  readonly sources: readonly Source<V>[];
  /**
   * Reads the state over REST. `since`: nothing from before this time can be missing (Unix ms); undefined if nothing is known yet.
   * The returned function merges what was read and returns what was missed. It is called in the same turn in which that is
   * emitted, so that a push during the reading is neither overwritten nor followed by an older version.
   */
  read(reads: RequestReads, since: number | undefined): Promise<() => Reconciled<V>>;
  /** Snapshot for a new listener; undefined if there is no state. */
  current(): V | undefined;
  /** The state that queries are answered from, while it is proven. */
  queryState(): K | undefined;
  /** Whether a push referred to data that only a reading has. Default: pushes are complete. */
  isPartial?(): boolean;
  /** Value of an event that reports an interruption or its end: an update without changes. */
  unchanged(): V;
}

/** Result of a reading. */
export interface Reconciled<V> {
  /** What was missed, if anything. */
  readonly change: Change<V> | undefined;
  /** Whether all of it could be decoded. If not, the state is emitted as stale, and read again. */
  readonly isWhole: boolean;
  /** Whether it has changed the state beyond the emitted change. Default: false. */
  readonly hasFilledIn?: boolean;
}

/** Nothing was missed. */
export const NOTHING_MISSED: Reconciled<never> = { change: undefined, isWhole: true };

/** A channel that pushes changes of the state. */
export interface Source<V> {
  readonly channel: Channel;
  /** Reads whose cached answers a push makes stale: those that are invalidated by the writes that can have caused it. */
  readonly invalidates: readonly Endpoint[];
  open(upstream: Upstream, account: ExchangeAccount, sink: Omit<ChannelSink<V>, "items"> & SourceSink<V>): TopicHandle;
}

interface SourceSink<V> {
  /** `accept` returns the new part of the push. */
  pushed(accept: () => Change<V> | undefined, push: Push): void;
}

/** Makes a source of a channel, and erases the channel's types. `accept` returns the new part of a push. */
export const source = <P extends object, T, V>(
  channel: Channel<P, T>,
  parameters: P,
  invalidates: readonly Endpoint[],
  accept: (items: readonly T[], push: Push, isWhole: boolean) => Change<V> | undefined,
): Source<V> => ({
  channel,
  invalidates,
  open: (upstream, account, sink) =>
    follow(upstream, channel, parameters, account, {
      ...sink,
      items: (items, push, _source, isWhole) => sink.pushed(() => accept(items, push, isWhole), push),
    }),
});

/** Dependencies of private feeds besides the sockets. */
export interface AccountAccess {
  readonly modeOf: (account: ExchangeAccount) => Promise<AccountMode>;
  /** Drops the cached mode, which an answer contradicts. */
  readonly forgetMode: (account: ExchangeAccount) => void;
  /** New reads without earlier answers. */
  readonly newReads: () => RequestReads;
  /** Drops the cached answers of these endpoints. */
  readonly drop: (account: ExchangeAccount, endpoints: readonly string[]) => void;
  /** Called for each push. */
  readonly pushed?: (account: ExchangeAccount, channel: Channel) => void;
}
