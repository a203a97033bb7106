/** What is left to each client of one kind of budget, which fills up evenly to what a minute brings. */
export interface Quota {
  /** Spends, or says in how many milliseconds there will be enough. What is more than a whole budget takes all of it. */
  spend(client: string, amount: number): number | undefined;
  /** Takes what was spent already; what there is, if it was more. */
  take(client: string, amount: number): void;
  /** Gives back what was spent for nothing. */
  giveBack(client: string, amount: number): void;
}

/**
 * The budgets of clients, for all replicas together. Every answer is given at once, from what this replica may spend by itself; what
 * it has spent is reported to the others later. Together they spend at most a twentieth of a minute's budget each beyond it.
 */
export interface QuotaStore {
  /** The budgets of one kind, named for all replicas; `perMinute` is above 0. */
  quota(kind: string, perMinute: number): Quota;
}
