import { Rendezvous } from "./rendezvous.js";
import { CAPACITIES, COSTS, type Load, type Sizing } from "./sizing.js";

/** The highest load of each resource after all accounts, listeners and topics have been placed. */
export interface Placed {
  /** Accounts of the clusters with the most and with the fewest. */
  readonly accounts: { readonly most: number; readonly fewest: number };
  /** Sockets to the exchange of the address with the most. */
  readonly sockets: number;
  /** REST calls per minute of the busiest address. */
  readonly calls: number;
  /** Listeners of the replica with the most. */
  readonly listeners: number;
  /** Events per second that the Redis of the busiest cluster delivers to replicas, summed over its shards. */
  readonly relayed: number;
  /** Sockets of the address with the most while one cluster is down. */
  readonly socketsWithOneDown: number;
  /** Accounts moved when that cluster goes down: those of it, and those of other clusters, each as a share of all accounts. */
  readonly moved: { readonly ofAll: number; readonly ofOthers: number };
}

/**
 * Places all accounts, listeners and topics by rendezvous hashing, and counts them. Within a cluster, the next replica takes a
 * key if the address of the first one is full. Deterministic.
 *
 * @throws Error if no replica has capacity for a key, which means that the calculated sizes are too small.
 */
export function place({ accounts, listeners }: Load, { clusters, addresses }: Sizing): Placed {
  const overClusters = new Rendezvous(names("cluster", clusters));
  const inCluster = names("cluster", clusters).map((cluster) => new Rendezvous(names(`${cluster}/replica`, addresses)));
  /** The replica with the highest hash weight, of those whose count is below `limit`. */
  const replicaOf = (cluster: number, key: string, counts: Uint32Array, limit: number): number => {
    const first = cluster * addresses;
    const replica = inCluster[cluster]?.owner(key, (at) => (counts[first + at] ?? 0) < limit) ?? -1;
    if (replica < 0) throw new Error(`no replica of cluster ${cluster} has capacity for ${key}`);
    return first + replica;
  };
  const replicas = clusters * addresses;
  const [perCluster, sockets, afterwards] = [new Uint32Array(clusters), new Uint32Array(replicas), new Uint32Array(replicas)];
  const homes = new Uint32Array(accounts);
  let [movedOfDown, movedOfOthers] = [0, 0];
  for (let account = 0; account < accounts; account++) {
    const key = `account-${account}`;
    const [home, refuge] = [overClusters.owner(key), overClusters.owner(key, (cluster) => cluster !== 0)];
    homes[account] = home;
    add(perCluster, home, 1);
    add(sockets, replicaOf(home, key, sockets, CAPACITIES.sockets), COSTS.socketsPerAccount);
    add(afterwards, replicaOf(refuge, key, afterwards, CAPACITIES.sockets), COSTS.socketsPerAccount);
    if (home === 0) movedOfDown++;
    else if (home !== refuge) movedOfOthers++;
  }
  const calls = max(sockets) * (COSTS.callsPerAccountMinute / COSTS.socketsPerAccount);

  // A listener connects to the cluster of its account, and there to any replica, chosen by the proxy.
  const perReplica = new Uint32Array(replicas);
  const followed = new Uint8Array(replicas * COSTS.topics);
  for (let listener = 0; listener < listeners; listener++) {
    const cluster = homes[listener % accounts] ?? 0;
    const replica = replicaOf(cluster, `listener-${listener}`, perReplica, CAPACITIES.listeners);
    add(perReplica, replica, 1);
    for (let one = 0; one < COSTS.topicsPerListener; one++) {
      followed[replica * COSTS.topics + popularTopic(listener * COSTS.topicsPerListener + one)] = 1;
    }
  }
  const relayed = new Float64Array(clusters);
  const opened = new Uint8Array(COSTS.topics);
  for (let cluster = 0; cluster < clusters; cluster++) {
    opened.fill(0);
    let follows = 0;
    for (let replica = cluster * addresses; replica < (cluster + 1) * addresses; replica++) {
      for (let topic = 0; topic < COSTS.topics; topic++) {
        if (followed[replica * COSTS.topics + topic] === 0) continue;
        follows++;
        opened[topic] = 1;
      }
    }
    relayed[cluster] = follows * COSTS.topicEvents + (perCluster[cluster] ?? 0) * COSTS.accountEvents;
    // Each market socket is placed on a replica like an account.
    const marketSockets = Math.ceil(opened.reduce((sum, one) => sum + one, 0) / CAPACITIES.channelsPerSocket);
    for (let socket = 0; socket < marketSockets; socket++) {
      const key = `market-${socket}`;
      add(sockets, replicaOf(cluster, key, sockets, CAPACITIES.sockets), 1);
      if (cluster !== 0) add(afterwards, replicaOf(cluster, key, afterwards, CAPACITIES.sockets), 1);
    }
  }
  return {
    accounts: { most: max(perCluster), fewest: Math.min(...perCluster) },
    sockets: max(sockets),
    calls,
    listeners: max(perReplica),
    relayed: Math.max(...relayed),
    socketsWithOneDown: max(afterwards),
    moved: { ofAll: movedOfDown / accounts, ofOthers: movedOfOthers / accounts },
  };
}

const names = (what: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${what}-${at}`);

function add(counts: Uint32Array, at: number, amount: number): void {
  counts[at] = (counts[at] ?? 0) + amount;
}

const max = (counts: Uint32Array): number => counts.reduce((most, one) => Math.max(most, one), 0);

/**
 * The n-th choice of a topic. The distribution is skewed: a few topics are chosen very often, most rarely (cube of a uniform
 * value).
 */
function popularTopic(choice: number): number {
  // Multiples of the golden ratio modulo 1 are evenly distributed, without a random generator.
  const even = (choice * 0.6180339887498949) % 1;
  return Math.min(COSTS.topics - 1, Math.floor(COSTS.topics * even ** 3));
}
