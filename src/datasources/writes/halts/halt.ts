/** A halt of trading: of one account, or of all. */
export interface Halt {
  /** The account's name; null: all accounts, those too that are configured later. */
  readonly account: string | null;
  /** When it began, by the exchange's clock, Unix ms. */
  readonly since: number;
  /** The name of the caller who ordered it; null for somebody without one. */
  readonly by: string | null;
  readonly reason: string | null;
}

/** Where halts outlive the process. Several processes may share them. */
export interface HaltStore {
  /** Throws an `Error` that names the place when it cannot be read. */
  read(): readonly Halt[];
  /** Sets the halt of an account, or of all, or ends it. Resolves when that is done: does it outlast the process? */
  change(account: string | null, halt: Halt | undefined): Promise<boolean>;
}
