import type { ExchangeAccount } from "../calls/index.js";
import type { Fault } from "../errors/index.js";
import type { LiveAnswers } from "../reads/index.js";
import type { AccountStreams } from "./channels/index.js";
import type { AccountFigureStreams, MarketStreams, Unlisten } from "./listening.js";
import type { AnswerCount, MarketKind } from "./live/liveAnswers.js";
import type { LiveList, LiveWorth, UnprovenReason } from "./live/liveList.js";
import type { Role } from "./sharing.js";
import type { LiveKind } from "./state/kinds.js";
import type { TopicState } from "./topicHub.js";
import type { ConnectionState } from "./upstream/upstreamConnections.js";

/** An open topic: the kind of its stream, and its state. */
export interface OpenTopic extends TopicState {
  readonly stream: string;
  /** The account of a private topic. */
  readonly account: string | undefined;
}

/** State of the streams, for operators. */
export interface StreamGauges {
  /** Including topics without listeners that linger. */
  readonly topics: readonly OpenTopic[];
  readonly connections: readonly ConnectionState[];
  /** Streams that are kept open for queries, and the numbers of answered and missed reads. */
  readonly live: {
    readonly kept: readonly { readonly account: string; readonly kind: LiveKind }[];
    readonly symbols: readonly { readonly name: string; readonly kind: MarketKind }[];
    readonly counts: readonly AnswerCount<LiveKind | MarketKind>[];
    /** The lists of the accounts that are kept open. */
    lists(): readonly LiveList[];
  };
  /** Accounts and symbols that are shared with other replicas, by this replica's role. */
  readonly shared: ReadonlyMap<Role, number>;
}

/** What accounts are worth at current prices. */
interface AccountWorths {
  /** Keeps the account's worth known, until the returned function or `failed` is called. */
  keep(account: ExchangeAccount, failed: (fault: Fault) => void): Unlisten;
  /** The worth of an account that is kept, if all of it is proven; otherwise why it is not. Nothing is sent. */
  of(account: ExchangeAccount): LiveWorth | UnprovenReason;
}

/**
 * The exchange's streams. Each subscription gets the current state first, then every change. Subscriptions to the same topic
 * share one at the exchange. Listeners are called synchronously.
 */
export interface Streams {
  readonly market: MarketStreams;
  readonly accounts: AccountStreams;
  readonly figures: AccountFigureStreams;
  readonly worths: AccountWorths;
  /** Answers to queries from proven state. */
  readonly live: LiveAnswers;
  gauges(): StreamGauges;
  /** Called before the process stops: other replicas take over the streams that this one leads. */
  handOver(): Promise<void>;
  /** Ends every stream; listeners get a reason. Resolves when other replicas can take over. */
  close(): Promise<void>;
}
