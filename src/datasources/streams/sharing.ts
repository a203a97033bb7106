import type { Clock } from "@exchange-graph/contract/clock";
import type { ExchangeAccount } from "../calls/index.js";
import type { UpstreamConnections } from "./upstream/upstreamConnections.js";

/** Role of a replica for the topics of an account or a symbol. */
export type Role = "JOINING" | "LEADING" | "FOLLOWING" | "ALONE";

/** The exchange's topics, followed by one of several replicas for all of them. */
export interface SharedTopics extends Pick<UpstreamConnections, "follow"> {
  /** Whether this replica may rely on having received the notices of the others: if not, it answers no query from its state. */
  readonly isConfirmed: boolean;
  /**
   * Announces that a write of this replica has changed an account. `names`: the kinds of state, and the product categories if not
   * all.
   */
  changed(account: string, names: readonly string[]): void;
  /**
   * Called when an account was removed, or has the key of a user who is not known to be the same, after its streams have left their
   * topics. What this replica still followed for others, who may have the former key, is theirs from now on.
   */
  leave(account: ExchangeAccount): void;
  /** Number of accounts and symbols by this replica's role for them. */
  roles(): ReadonlyMap<Role, number>;
  /** Hands over the topics that this replica leads. Its own listeners miss nothing meanwhile. */
  handOver(): Promise<void>;
  /** Leaves all topics; other replicas can lead them at once. */
  close(): Promise<void>;
}

export interface SharingParts {
  /** This replica's own connections to the exchange. */
  readonly connections: Pick<UpstreamConnections, "follow">;
  readonly clock: Clock;
  /** Between 0 and 1; jitter of retries. */
  readonly random: () => number;
  readonly accountNamed: (name: string) => ExchangeAccount | undefined;
  /** Distinguishes accounts of the same name that are different at the exchange. */
  readonly fingerprintOf: (account: ExchangeAccount) => string;
  /** Called with unexpected errors. */
  readonly report: (error: unknown) => void;
  /**
   * Called when a write of another replica has changed an account, before the exchange pushes the change; `names` as in `changed`.
   */
  readonly changedElsewhere: (account: string, names: readonly string[]) => void;
  /** Called when notices of the others arrive again after an interruption, in which some were lost. */
  readonly returned: () => void;
}

/** Shares the exchange's topics with other replicas. */
export type ShareTopics = (parts: SharingParts) => SharedTopics;
