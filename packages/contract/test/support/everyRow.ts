import { isRead, type Row, rowsRead } from "../../src/rows.js";

/** All rows. Throws the first one that could not be read. */
export function everyRow<T>(rows: readonly Row<T>[]): readonly T[] {
  const unread = rows.find((row) => !isRead(row));
  if (unread !== undefined) throw unread;
  return rowsRead(rows);
}
