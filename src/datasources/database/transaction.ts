/** A row as it comes: whoever asked for it knows what it holds, and parses it. */
export type Row = unknown;
/** A value of a statement. Arrays become arrays of the server's. */
export type Value = string | number | null | readonly (string | number | null)[];

/** Carries statements out, one after the other, all or none. */
export interface Transaction {
  query(text: string, values?: readonly Value[]): Promise<readonly Row[]>;
}

/** Carries out what `work` asks for as one: it is done when this resolves, and undone when it rejects. */
export type Transact = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;
