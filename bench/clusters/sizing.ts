import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";
import { ADDRESS_LIMIT } from "@exchange-graph/contract/endpoint";

/** What is asked of all clusters together. */
export interface Load {
  readonly accounts: number;
  readonly listeners: number;
}

/** What an account, a topic and a listener cost. Averages of a busy hour. */
export const COSTS = {
  /** Private sockets per account: one login each. */
  socketsPerAccount: 1,
  /** REST calls per account and minute while its stream is live. */
  callsPerAccountMinute: 6,
  /** REST calls that make an account complete after its stream was down. */
  callsPerReconciliation: 8,
  /** Events of an account's private stream per second. */
  accountEvents: 0.5,
  /** Writes per account and second. */
  writesPerAccount: 0.02,
  /** Commits per write: recorded, then settled. */
  commitsPerWrite: 2,
  /** Market topics: symbols times tickers, books and trades. */
  topics: 4_500,
  /** Events of a market topic per second, after conflation. */
  topicEvents: 4,
  /** Market topics that one listener watches beside the account. */
  topicsPerListener: 3,
} as const;

/** What one of each can carry with room to spare. The exchange's limits are the exchange's; the rest is to be measured. */
export const CAPACITIES = {
  /** Open sockets per outgoing address; the gateway leaves twenty unused. */
  sockets: SOCKET_LIMITS.connections - 20,
  /** REST calls per address and minute. */
  calls: ADDRESS_LIMIT.limit,
  channelsPerSocket: SOCKET_LIMITS.advisedChannels,
  accountsPerCluster: 5_000,
  /** Listeners per replica, and events per second that it writes to them. */
  listeners: 10_000,
  deliveries: 40_000,
  /** Events per second that one shard of Redis delivers to replicas. */
  redisDeliveries: 250_000,
  /** Commits per second of one PostgreSQL primary. */
  commits: 3_000,
} as const;

export interface Sizing {
  readonly clusters: number;
  /** Outgoing addresses per cluster, and replicas: one for each address. */
  readonly addresses: number;
  readonly redisShards: number;
  readonly commitsPerSecond: number;
  readonly primaries: number;
}

/**
 * The arithmetic. Accounts decide: a private socket each, and a hundred sockets per address. An address is filled so far
 * that it can take its part of a cluster that is down, and has a tenth to spare for uneven shares between clusters.
 */
export function sizeOf({ accounts, listeners }: Load): Sizing {
  // One more than the accounts fill, so that one may be down; two at least.
  const clusters = Math.max(2, Math.ceil(accounts / CAPACITIES.accountsPerCluster));
  const perCluster = accounts / clusters;
  const filled = 0.9 * CAPACITIES.sockets * ((clusters - 1) / clusters);
  const marketSockets = Math.ceil(COSTS.topics / CAPACITIES.channelsPerSocket);
  const bySockets = (perCluster * COSTS.socketsPerAccount + marketSockets) / filled;
  const byCalls = (perCluster * COSTS.callsPerAccountMinute) / CAPACITIES.calls;
  const listenersHere = listeners / clusters;
  const byListeners = listenersHere / CAPACITIES.listeners;
  const byDeliveries = (listenersHere * (COSTS.accountEvents + COSTS.topicsPerListener)) / CAPACITIES.deliveries;
  const addresses = Math.max(2, Math.ceil(Math.max(bySockets, byCalls, byListeners, byDeliveries)));
  // At most: as if every replica followed every topic that its listeners can name.
  const followed = Math.min(COSTS.topics, (listenersHere / addresses) * COSTS.topicsPerListener);
  const relayed = addresses * followed * COSTS.topicEvents + perCluster * COSTS.accountEvents;
  const commitsPerSecond = perCluster * COSTS.writesPerAccount * COSTS.commitsPerWrite;
  return {
    clusters,
    addresses,
    redisShards: Math.ceil(relayed / CAPACITIES.redisDeliveries),
    commitsPerSecond,
    primaries: Math.ceil(commitsPerSecond / CAPACITIES.commits),
  };
}
