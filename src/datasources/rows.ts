import { isRead, type Row, rowsRead } from "@exchange-graph/contract/rows";
import { WireError } from "@exchange-graph/contract/wireError";
import { Fault } from "./fault.js";

/** What a row that could not be read is to whoever needed that very row. */
export const unreadFault = (row: WireError): Fault =>
  new Fault("EXCHANGE_BAD_RESPONSE", row.message, { endpoint: row.source, retryable: false }, { cause: row });

/** The row that is looked for, or `null`. Throws `EXCHANGE_BAD_RESPONSE` where it may be one that could not be read. */
export function rowWhere<T>(rows: readonly Row<T>[], isIt: (row: T) => boolean): T | null {
  let unread: WireError | undefined;
  for (const row of rows) {
    if (!isRead(row)) unread ??= row;
    else if (isIt(row)) return row;
  }
  if (unread !== undefined) throw unreadFault(unread);
  return null;
}

/** All rows, for what means something as a whole alone. Throws `EXCHANGE_BAD_RESPONSE` where one could not be read. */
export function everyRow<T>(rows: readonly Row<T>[]): readonly T[] {
  const unread = rows.find((row) => row instanceof WireError);
  if (unread instanceof WireError) throw unreadFault(unread);
  return rowsRead(rows);
}
