/** Counts the open connections of clients over all replicas. */
export interface OpenConnectionStore {
  /**
   * Whether a client may open one more connection. `own`: its connections at this replica including the new one; `most`: the
   * maximum over all replicas. It counts until `noted` reports fewer, or this replica is gone. While the others cannot be
   * counted, the answer is true.
   */
  take(client: string, own: number, most: number): Promise<boolean>;
  /** Reports the number of a client's open connections at this replica. */
  noted(client: string, own: number): void;
}
