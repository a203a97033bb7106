import { isRead, type Row, rowsRead } from "@exchange-graph/contract/rows";
import { WireError } from "@exchange-graph/contract/wireError";
import { Fault } from "./fault.js";
import { isUnreadPart } from "./unreadPart.js";

/** The fault of a row that could not be read, for code that needs this row. */
export const unreadFault = (row: WireError): Fault =>
  isUnreadPart(row)
    ? row.fault
    : new Fault("EXCHANGE_BAD_RESPONSE", row.message, { endpoint: row.source, retryable: false }, { cause: row });

/** The row that matches, or `null`. Throws `EXCHANGE_BAD_RESPONSE` if a row that could not be decoded may be the one. */
export function rowWhere<T>(rows: readonly Row<T>[], isIt: (row: T) => boolean): T | null {
  let unread: WireError | undefined;
  for (const row of rows) {
    if (!isRead(row)) unread ??= row;
    else if (isIt(row)) return row;
  }
  if (unread !== undefined) throw unreadFault(unread);
  return null;
}

/** All rows, for computations over a whole list. Throws `EXCHANGE_BAD_RESPONSE` if one could not be decoded. */
export function everyRow<T>(rows: readonly Row<T>[]): readonly T[] {
  const unread = rows.find((row) => row instanceof WireError);
  if (unread instanceof WireError) throw unreadFault(unread);
  return rowsRead(rows);
}
