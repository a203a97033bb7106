import type { Channel, Push } from "@exchange-graph/contract/channels/channel";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import type { RequestReads } from "../../reads/index.js";
import type { TopicHandle } from "../upstream/link.js";
import { type ChannelSink, type FeedUpstream, follow } from "./channelFeed.js";
import type { FeedChange } from "./feed.js";

/** One kind of an account's state: its pushes and its readings. */
export interface PrivateState<V, K = V> {
  readonly sources: readonly PushSource<V>[];
  /** Its lists at the exchange: each is read with one call, as long as it has no more than a page. */
  readonly parts: readonly string[];
  /** Whether a part has open records: then it is compared with the exchange first. */
  hasOpen(part: string): boolean;
  /**
   * Reads these parts over REST. `since`: nothing from before this time can be missing (Unix ms); undefined if nothing is known yet.
   * The returned function merges what was read and returns what was missed. It is called in the same turn in which that is
   * emitted, so that a push during the reading is neither overwritten nor followed by an older version.
   */
  read(reads: RequestReads, since: number | undefined, parts: readonly string[]): Promise<() => Reconciled<V>>;
  /** Snapshot for a new listener; undefined if there is no state. */
  current(): V | undefined;
  /** Without a snapshot each change is an event of its own, and all are emitted. Default: true. */
  readonly hasSnapshot?: boolean;
  /** The state that queries are answered from, while it is proven. */
  queryState(): K | undefined;
  /** Parts with pushes that referred to data that only a reading has. Default: pushes are complete. */
  partialParts?(): readonly string[];
  /** Value of an event that reports an interruption or its end: an update without changes. */
  unchanged(): V;
}

/** A list that the state consists of. */
export interface FeedPart {
  readonly name: string;
  readonly isOpen: boolean;
  /** Whether it is about to be read because it has changed. */
  readonly isRead: boolean;
  /** When it was last compared with the exchange, Unix ms; undefined if it never was. */
  readonly comparedAt: number | undefined;
}

/** Makes the state of an account in a mode. What has to survive a change of the mode is shared by the states of one user. */
export type StateFor<V, K = V> = (account: ExchangeAccount, mode: AccountMode) => PrivateState<V, K>;

export interface Reconciled<V> {
  /** What was missed, if anything. */
  readonly change: FeedChange<V> | undefined;
  /** Whether all of it could be decoded. If not, the state is emitted as stale, and read again. */
  readonly isWhole: boolean;
  /** Whether it has changed the state beyond the emitted change. Default: false. */
  readonly hasFilledIn?: boolean;
}

export const NOTHING_MISSED: Reconciled<never> = { change: undefined, isWhole: true };

/** A channel that pushes changes of the state. */
export interface PushSource<V> {
  readonly channel: Channel;
  /** Reads whose cached answers a push makes stale: those that are invalidated by the writes that can have caused it. */
  readonly invalidates: readonly Endpoint[];
  open(upstream: FeedUpstream, account: ExchangeAccount, sink: SourceSink<V>): TopicHandle | undefined;
}

interface SourceSink<V> extends Omit<ChannelSink<V>, "items"> {
  /** `accept` applies the push and returns its new part; `categories` are the product categories of its records. */
  pushed(accept: () => FeedChange<V> | undefined, push: Push, categories: readonly string[]): void;
}

/** Makes a source of a channel, and erases the channel's types. `accept` returns the new part of a push. */
export const source = <P extends object, T extends object, V>(
  channel: Channel<P, T>,
  parameters: P,
  invalidates: readonly Endpoint[],
  accept: (items: readonly T[], push: Push, isWhole: boolean) => FeedChange<V> | undefined,
): PushSource<V> => ({
  channel,
  invalidates,
  open: (upstream, account, sink) =>
    follow(upstream, channel, parameters, account, {
      ...sink,
      items: (items, push, _source, isWhole) => sink.pushed(() => accept(items, push, isWhole), push, categoriesIn(items)),
    }),
});

/** Classic spot records have no category. */
const categoriesIn = (items: readonly object[]): readonly string[] => [
  ...new Set(items.map((item) => ("categoryRaw" in item && typeof item.categoryRaw === "string" ? item.categoryRaw : "SPOT"))),
];

/** Dependencies of private feeds besides the sockets. */
export interface AccountAccess {
  readonly modeOf: (account: ExchangeAccount) => Promise<AccountMode>;
  /** Drops the cached mode, which an answer contradicts. */
  readonly forgetMode: (account: ExchangeAccount) => void;
  /** New reads without earlier answers. */
  readonly newReads: () => RequestReads;
  /** Drops the cached answers of these endpoints. */
  readonly drop: (account: ExchangeAccount, endpoints: readonly string[]) => void;
  /** Called for each push, with the product categories that it is about. */
  readonly pushed?: (account: ExchangeAccount, channel: Channel, categories: readonly string[]) => void;
  /** Called when parts of an account's state have been read. */
  readonly compared?: (account: ExchangeAccount, parts: number) => void;
}
