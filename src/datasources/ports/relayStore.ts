/**
 * Where replicas find out who of them holds a group of the exchange's topics, and where the holder passes on what the exchange
 * pushes. A group is what one replica follows alone: an account, or a symbol. Everything in it may be lost: whoever cannot reach the
 * store, or missed something, finds out and restarts.
 */
export interface RelayStore {
  /** What this replica is called; no two are called the same. */
  readonly replica: string;
  readonly isUp: boolean;
  /** Hears when the store can be reached, and when it cannot any more. */
  onChange(listener: (isUp: boolean) => void): void;
  /**
   * Takes the lease of a group if nobody has it, or keeps it: `fence` is what it was taken with before. Says in any case who wants
   * which topics, this replica's wishes included.
   */
  lead(group: string, wish: LeadWish): Promise<Leadership>;
  /** Gives the lease up, so that another replica has it at once: the heir, where there is one, or whoever asks first. */
  release(group: string, fence: number, heir?: Heir): Promise<void>;
  /** Passes an entry on. False when the lease is somebody else's by now, or an entry before this one was lost. */
  publish(group: string, topic: string, entry: Entry): Promise<boolean>;
  /** Puts down a state that stands for all entries up to `seq`, for whoever joins later. */
  keep(group: string, topic: string, fence: number, state: KeptState): Promise<void>;
  /** What whoever joins has to know, at one moment. */
  join(group: string, topic: string): Promise<Joined>;
  /** Entries after `seq`, in order; those that are no longer kept are missing. */
  since(group: string, topic: string, seq: number): Promise<readonly Entry[]>;
  /** Hears entries of a topic as they are published: each at most once, in order, but some may be lost. */
  hear(group: string, topic: string, heard: (entry: Entry) => void): () => void;
  /** Hears that something has changed about a group: somebody wants another topic, or its lease was given up. */
  hearGroup(group: string, heard: (notice: GroupNotice) => void): () => void;
  /** Announces a group to the others. */
  notify(group: string, notice: GroupNotice): void;
}

/**
 * `wanted`: a topic is wanted that was not; `leaving`: whoever leads is about to stop, and waits a while for another replica to be
 * `ready <replica>` to lead without a gap; `released`: nobody has the lease, or its heir; `renew <topic>`: its state is requested again;
 * `changed <replica> <words>`: that replica has changed what these words name, before the exchange pushes it.
 */
export type GroupNotice = "wanted" | "leaving" | "released" | `ready ${string}` | `renew ${string}` | `changed ${string}`;

/** Who is to lead next, and how long the lease is kept for it, ms. */
export interface Heir {
  readonly replica: string;
  readonly leaseMs: number;
}

export interface LeadWish {
  /** With what fence the lease is held; nothing where it is not. */
  readonly fence: number | undefined;
  /** May the lease be taken if it is free? */
  readonly mayLead: boolean;
  readonly leaseMs: number;
  /** Topics that are wanted here, and for how long that is to be believed. */
  readonly topics: readonly string[];
  readonly wantMs: number;
}

export interface Leadership {
  readonly isLeader: boolean;
  /** Number of the lease: it grows with every change of hands. */
  readonly fence: number;
  /** How long the lease is still good, ms. */
  readonly leftMs: number;
  /** Topics that other replicas want. */
  readonly wanted: readonly string[];
  /** How far the log of each topic that was wished for is; missing where it has none. */
  readonly heads: ReadonlyMap<string, Pick<Entry, "fence" | "seq">>;
}

/** What is behind a port cannot be asked, or has not answered in time. */
export class StoreGone extends Error {}

/** One thing that has happened on a topic. */
export interface Entry {
  /** The lease under which it was published. */
  readonly fence: number;
  /** 1, 2, 3 and so on under one lease. */
  readonly seq: number;
  readonly text: string;
}

export interface KeptState {
  readonly seq: number;
  readonly text: string;
}

export interface Joined {
  /** How far the log is; nothing where nobody has published yet. */
  readonly head: Pick<Entry, "fence" | "seq"> | undefined;
  readonly kept: KeptState | undefined;
  /** What is still kept of the log, oldest first. */
  readonly entries: readonly Entry[];
}
