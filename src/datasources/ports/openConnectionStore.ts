/** How many connections clients hold open, for all replicas together. */
export interface OpenConnectionStore {
  /**
   * Is there room for one more connection of a client? `own`: how many are open at this replica with it; `most`: how many may be at all
   * replicas together. It counts until `noted` says that there are fewer, or this replica is gone. While the others cannot be counted there
   * is room.
   */
  take(client: string, own: number, most: number): Promise<boolean>;
  /** So many of a client's connections are open at this replica. */
  noted(client: string, own: number): void;
}
