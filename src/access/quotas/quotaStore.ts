/** The token buckets of all clients for one kind of quota, refilled evenly up to a minute's quota. */
export interface Quota {
  /** Takes an amount, or returns the time in ms until there is enough. An amount above the whole quota takes all of it. */
  spend(client: string, amount: number): number | undefined;
  /** Takes an amount that was already used; at most what is left. */
  take(client: string, amount: number): void;
  /** Returns an amount that was not used. */
  giveBack(client: string, amount: number): void;
}

/**
 * Quotas of clients over all replicas. Every call is answered synchronously, from the part that this replica may use by itself;
 * its use is reported to the others later. Each replica can exceed the common quota by at most a twentieth of a minute's quota.
 */
export interface QuotaStore {
  /** The quotas of one kind, by a name that all replicas use; `perMinute` is above 0. */
  quota(kind: string, perMinute: number): Quota;
}
