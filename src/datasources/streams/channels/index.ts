import type { ExchangeAccount } from "../../calls/index.js";
import type { Feed } from "../feeds/feed.js";
import type { AccountFigureStreams, Listener, StateView, Unlisten } from "../listening.js";
import { accountUpdates } from "./balances.js";
import { fills } from "./fills.js";
import { loans } from "./loans.js";
import { orders } from "./orders.js";
import { planOrders } from "./plans.js";
import { positionsOf as positions } from "./positions.js";

/** The channels of an account, each by the name of its subscription. */
export const ACCOUNT_CHANNELS = { orders, fills, planOrders, accountUpdates, positions, loans };

export type ChannelName = keyof typeof ACCOUNT_CHANNELS;

type Opened<N extends ChannelName> = ReturnType<(typeof ACCOUNT_CHANNELS)[N]["open"]>;

export type StreamedBy<N extends ChannelName> = Opened<N> extends Feed<infer V> ? V : never;

export type FeedOf<N extends ChannelName> = Opened<N> & Feed<StreamedBy<N>>;

export interface AccountStreams {
  /** Listens to a channel of an account: its current state first, then every change. */
  listen<N extends ChannelName>(
    channel: N,
    account: ExchangeAccount,
    listener: Listener<StreamedBy<N>>,
    view?: StateView,
  ): Unlisten;
}

/** Streams of accounts, and of their figures at current prices. */
export interface StreamsOfAccounts {
  readonly accounts: AccountStreams;
  readonly figures: AccountFigureStreams;
}
