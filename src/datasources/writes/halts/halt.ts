/** A halt of trading: of one user of the exchange, or of all. */
export interface Halt {
  /** The user, or what stands for it as long as it is not known; null: all users, and all accounts that are configured later. */
  readonly user: string | null;
  /** What the user's account was called then; null: all accounts. */
  readonly account: string | null;
  /** When it began, by the exchange's clock, Unix ms. */
  readonly since: number;
  /** The name of the client who ordered it; null for somebody without one. */
  readonly by: string | null;
  readonly reason: string | null;
}

/** Where halts outlive the process. Several processes may share them. */
export interface HaltStore {
  /** Throws an `Error` that names the place when it cannot be read. */
  read(): readonly Halt[];
  /**
   * Ends the halts of these users (null: that of all), then sets one: both or neither. Resolves when that is done: does it
   * outlast the process?
   */
  change(ended: readonly (string | null)[], halt: Halt | undefined): Promise<boolean>;
}
