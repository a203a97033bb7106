import type { AccountMode, ExchangeAccount } from "../../calls/index.js";
import type { RequestReads } from "../../reads/index.js";
import type { FeedUpstream } from "../feeds/channelFeed.js";
import type { Feed } from "../feeds/feed.js";
import { PrivateFeed } from "../feeds/privateFeed.js";
import type { AccountAccess, PrivateState } from "../feeds/privateState.js";
import type { MarketStreams } from "../listening.js";
import type { History, NewHistory, TopicName } from "../resumption/topicHistory.js";
import type { LiveKind } from "../state/kinds.js";

export interface ChannelParts {
  readonly upstream: FeedUpstream;
  readonly access: AccountAccess;
  readonly market: Pick<MarketStreams, "ticker">;
  /** Whether queries are answered from the executions of this account. */
  readonly isKept: (account: string) => boolean;
}

/** One kind of an account's state: how it is pushed, read, merged and listened to. `V` is the value of its events. */
export interface AccountChannel<V, F extends Feed<V> = Feed<V>> {
  open(parts: ChannelParts, account: ExchangeAccount): F;
  /** By the name of a channel: the kinds that its pushes imply a change of, which the channels of those kinds do not push. */
  readonly implies?: ReadonlyMap<string, readonly LiveKind[]>;
  /** Makes the history of an account, if all of its events matter. */
  readonly history?: (
    newHistory: NewHistory,
    topic: TopicName,
    account: ExchangeAccount,
    newReads: () => RequestReads,
  ) => History<V>;
}

/**
 * A channel over the exchange's private streams. `states` makes the state of a user in a mode: its pushes, its readings, and the
 * rule by which a later one wins.
 */
export const privateChannel = <V, K>(
  states: () => (account: ExchangeAccount, mode: AccountMode, isKept: () => boolean) => PrivateState<V, K>,
  traits: Omit<AccountChannel<V>, "open"> = {},
): AccountChannel<V, PrivateFeed<V, K>> => ({
  ...traits,
  open: ({ upstream, access, isKept }, account) =>
    new PrivateFeed(upstream, access, account, () => {
      const state = states();
      return (owner, mode) => state(owner, mode, () => isKept(account.name));
    }),
});
