import { WireError } from "./wireError.js";

/** A row of a list: read, or why it could not be. */
export type Row<T> = T | WireError;

/** Could the row be read? */
export const isRead = <T>(row: Row<T>): row is T => !(row instanceof WireError);

/** The rows that could be read, for a reader to whom the others do not matter. */
export const rowsRead = <T>(rows: readonly Row<T>[]): readonly T[] => (rows.every(isRead) ? rows : rows.filter(isRead));

/** Reshapes the rows that could be read; the others keep their places. */
export const mapRows = <T, R>(rows: readonly Row<T>[], reshape: (row: T) => R): readonly Row<R>[] =>
  rows.map((row) => (isRead(row) ? reshape(row) : row));
