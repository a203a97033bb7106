import { SOCKET_LIMITS } from "@exchange-graph/contract/channels/limits";
import { ADDRESS_LIMIT } from "@exchange-graph/contract/endpoint";

/** The total load of all clusters. */
export interface Load {
  readonly accounts: number;
  readonly listeners: number;
}

/** Load per account, topic and listener. Averages of a busy hour. */
export const COSTS = {
  /** Private sockets per account: one login each. */
  socketsPerAccount: 1,
  /** REST calls per account and minute while its stream is live. */
  callsPerAccountMinute: 6,
  /** REST calls that reconcile an account after its stream was interrupted. */
  callsPerReconciliation: 8,
  /** Events of an account's private stream per second. */
  accountEvents: 0.5,
  /** Writes per account and second. */
  writesPerAccount: 0.02,
  /** Commits per write: one when it is recorded, one when its outcome is known. */
  commitsPerWrite: 2,
  /** Market topics: tickers, books and trades of each symbol. */
  topics: 4_500,
  /** Events of a market topic per second, after conflation. */
  topicEvents: 4,
  /** Market topics that a listener subscribes to in addition to its account. */
  topicsPerListener: 3,
} as const;

/** Capacity of each resource, with headroom. The exchange's limits are documented; the others must be measured. */
export const CAPACITIES = {
  /** Open sockets per egress address. The gateway keeps twenty of those that the exchange allows in reserve. */
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
  /** Egress addresses per cluster; each has one replica. */
  readonly addresses: number;
  readonly redisShards: number;
  readonly commitsPerSecond: number;
  readonly primaries: number;
}

/**
 * Calculates the sizes. Sockets are usually the limiting resource: each account needs a private one, and the exchange allows a
 * hundred per address. The target utilization of an address leaves capacity for its share of a failed cluster, and 10 % for
 * uneven distribution.
 */
export function sizeOf({ accounts, listeners }: Load): Sizing {
  // At least two clusters, so that one may be down.
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
  // Upper bound: every topic choice of a replica's listeners is distinct, up to the number of topics.
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
