import { WireError } from "./wireError.js";

/** A row of a list, or the error of a row that could not be decoded. */
export type Row<T> = T | WireError;

/** Whether the row was decoded. */
export const isRead = <T>(row: Row<T>): row is T => !(row instanceof WireError);

/** The decoded rows, for readers that ignore the others. */
export const rowsRead = <T>(rows: readonly Row<T>[]): readonly T[] => (rows.every(isRead) ? rows : rows.filter(isRead));

/** Converts the decoded rows; the others keep their places. */
export const mapRows = <T, R>(rows: readonly Row<T>[], reshape: (row: T) => R): readonly Row<R>[] =>
  rows.map((row) => (isRead(row) ? reshape(row) : row));
