/** A row as received; the caller parses it. */
export type DatabaseRow = unknown;
/** A parameter of a statement. Arrays become PostgreSQL arrays. */
export type Value = string | number | null | readonly (string | number | null)[];

/** Executes statements in order within one transaction. */
export interface Transaction {
  query(text: string, values?: readonly Value[]): Promise<readonly DatabaseRow[]>;
}

/** Executes the statements of `work` in one transaction: it is committed before this resolves, and rolled back if it rejects. */
export type Transact = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
