/** Logs without new entries for this long are dropped. */
export const FORGOTTEN_MS = 10 * 60_000;

/**
 * Elects one replica per group of the exchange's topics as leader, and relays what the exchange pushes to it to the others. A
 * group is followed by one replica: an account, or a symbol. All of its content may be lost: a replica that cannot reach the
 * store, or missed entries, detects it and restarts.
 */
export interface RelayStore {
  readonly replica: string;
  readonly isUp: boolean;
  /** Whether this replica may rely on having received the notices of the others: if not, it answers no query from its state. */
  readonly isConfirmed: boolean;
  /** Calls the listener when the store becomes reachable or unreachable. */
  onChange(listener: (isUp: boolean) => void): void;
  /**
   * Takes the lease of a group if it is free, or renews it: `fence` is the number with which it was taken before. Returns in any
   * case which topics replicas want, including those of this request.
   */
  lead(group: string, request: LeadRequest): Promise<Leadership>;
  /** Releases the lease, so that another replica can take it at once: the successor if there is one, or the first to try. */
  release(group: string, fence: number, successor?: Successor): Promise<void>;
  /** Publishes an entry. False if another replica has the lease by now, or an entry before this one was lost. */
  publish(group: string, topic: string, entry: RelayEntry): Promise<boolean>;
  /** Stores a snapshot that includes all entries up to `seq`, for replicas that join later. */
  keep(group: string, topic: string, fence: number, state: KeptState): Promise<void>;
  /** The state that a joining replica needs, read atomically. */
  join(group: string, topic: string): Promise<Joined>;
  /** Entries after `seq`, in order; those that are no longer kept are missing. */
  since(group: string, topic: string, seq: number): Promise<readonly RelayEntry[]>;
  /** Calls `listener` with the entries of a topic as they are published: each at most once, in order, but some may be lost. */
  listen(group: string, topic: string, listener: (entry: RelayEntry) => void): () => void;
  /** Calls `listener` with notices about a group, for example that a replica wants another topic or that the lease was released. */
  listenToGroup(group: string, listener: (notice: GroupNotice) => void): () => void;
  /** Publishes a notice about a group to the other replicas. */
  notify(group: string, notice: GroupNotice): void;
}

/**
 * `wanted`: a replica wants a further topic; `leaving`: the leader is about to stop, and waits for a replica that is `ready
 * <replica>` to lead without a gap; `released`: the lease is free, or reserved for the successor; `renew <topic>`: a new snapshot of the
 * topic is requested; `changed <replica> <names> <account>`: a write of that replica has changed an account, before the exchange
 * pushes it; the names, separated by commas, are kinds of state and product categories.
 */
export type GroupNotice = "wanted" | "leaving" | "released" | `ready ${string}` | `renew ${string}` | `changed ${string}`;

/** The replica that should lead next, and how long the lease is reserved for it, in ms. */
export interface Successor {
  readonly replica: string;
  readonly leaseMs: number;
}

export interface LeadRequest {
  /** Fence of the lease; undefined if this replica does not have it. */
  readonly fence: number | undefined;
  /** Whether the lease may be taken if it is free. */
  readonly mayLead: boolean;
  readonly leaseMs: number;
  /** Topics that this replica wants, and for how long. */
  readonly topics: readonly string[];
  readonly wantMs: number;
}

export interface Leadership {
  readonly isLeader: boolean;
  /** Number of the lease: it increases with every new leader. */
  readonly fence: number;
  /** Remaining time of the lease, in ms. */
  readonly leftMs: number;
  /** Topics that other replicas want. */
  readonly wanted: readonly string[];
  /** Last entry of each requested topic's log; missing for an empty log. */
  readonly heads: ReadonlyMap<string, Pick<RelayEntry, "fence" | "seq">>;
}

/** One event of a topic. */
export interface RelayEntry {
  /** The lease under which it was published. */
  readonly fence: number;
  /** 1, 2, 3 and so on under one lease. */
  readonly seq: number;
  readonly text: string;
}

export type KeptState = Pick<RelayEntry, "seq" | "text">;

export interface Joined {
  /** The last entry of the log; undefined if it is empty. */
  readonly head: Pick<RelayEntry, "fence" | "seq"> | undefined;
  readonly kept: KeptState | undefined;
  /** The kept entries of the log, oldest first. */
  readonly entries: readonly RelayEntry[];
}
