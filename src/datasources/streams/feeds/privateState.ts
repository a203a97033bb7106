import type { Channel, Push } from "@exchange-graph/contract/channels/channel";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { AccountMode, ExchangeAccount } from "../../accounts/exchangeAccount.js";
import type { RequestReads } from "../../requestReads.js";
import type { TopicHandle } from "../upstream/link.js";
import type { Change } from "./feed.js";
import { type ChannelSink, follow, type Upstream } from "./upstream.js";

/** One kind of an account's state: what is pushed about it, and what can be read. */
export interface PrivateState<V, K = V> {
  readonly sources: readonly Source<V>[];
  /**
   * Reads the state, and gives what had been missed. `since`: nothing before this moment can be missing (Unix ms);
   * without it nothing is known yet. What is pushed meanwhile is accepted meanwhile, and the newer of the two stands.
   */
  reconcile(reads: RequestReads, since: number | undefined): Promise<Reconciled<V>>;
  /** For a newcomer; nothing where there is no state. */
  current(): V | undefined;
  /** What queries are answered from, while it is proven. */
  known(): K | undefined;
  /** Has a push mentioned something that only a reading carries in full? Left out: pushes carry everything. */
  isPartial?(): boolean;
  /** What goes along with the news that the stream is interrupted, or is back: an update that changes nothing. */
  unchanged(): V;
}

/** What a reading has brought. */
interface Reconciled<V> {
  /** What had been missed, if anything. */
  readonly change: Change<V> | undefined;
  /** Could all of it be read? If not, the state is reported, stands as stale, and is read again. */
  readonly isWhole: boolean;
  /** Has it changed what is known beyond what is news? Default: no. */
  readonly hasFilledIn?: boolean;
}

/** Nothing had been missed. */
export const NOTHING_MISSED: Reconciled<never> = { change: undefined, isWhole: true };

/** A channel that reports changes of the state. */
export interface Source<V> {
  readonly channel: Channel;
  /** Reads of the account whose cached answers a push makes stale: those that the write does that can have caused it. */
  readonly invalidates: readonly Endpoint[];
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

/** What private feeds need besides the sockets. */
export interface AccountAccess {
  readonly modeOf: (account: ExchangeAccount) => Promise<AccountMode>;
  /** What `modeOf` remembers is contradicted: it is to ask. */
  readonly forgetMode: (account: ExchangeAccount) => void;
  /** Reads of their own: nothing that was read before is taken for true again. */
  readonly newReads: () => RequestReads;
  /** Makes the cached answers of these endpoints stale. */
  readonly drop: (account: ExchangeAccount, endpoints: readonly string[]) => void;
  /** Hears of each push. */
  readonly pushed?: (account: ExchangeAccount, channel: Channel) => void;
}
