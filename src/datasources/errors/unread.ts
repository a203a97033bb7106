import { isRead, type Row, rowsRead } from "@exchange-graph/contract/rows";
import { WireError } from "@exchange-graph/contract/wireError";
import { Fault, type FaultCode } from "./fault.js";

/** Stands for the rows of a part of a list that could not be read: those of a category, of a coin, or of its further pages. */
export class UnreadPart extends WireError {
  constructor(
    /** The part in words of the graph, for example `USDC_FUTURES`. */
    readonly part: string,
    readonly fault: Fault,
  ) {
    super("rows");
    this.message = `${part} could not be read: ${fault.message}`;
    this.extensions = { ...fault.extensions, part };
  }
}

/** Codes of errors of the whole list, whichever part reports them. */
const OF_THE_WHOLE: ReadonlySet<FaultCode> = new Set(["BAD_USER_INPUT", "ACCOUNT_MODE_MISMATCH", "CLIENT_GONE"]);

/** Converts the error of a part. Throws an error that concerns the whole list. */
export function unreadPart(part: string, error: unknown): UnreadPart {
  if (error instanceof Fault && !OF_THE_WHOLE.has(error.code)) return new UnreadPart(part, error);
  throw error;
}

export const isUnreadPart = (row: unknown): row is UnreadPart => row instanceof UnreadPart;

/** A part of a list by its name, and its reading. */
export type Part<T> = readonly [name: string, reading: Promise<T>];

/** All parts. Throws if one cannot be read. */
export const everyPart = <T>(parts: readonly Part<T>[]): Promise<readonly T[]> =>
  Promise.all(parts.map(([, reading]) => reading));

/** The parts that could be read, and the others. Throws if none could be read. */
export async function readableParts<T>(parts: readonly Part<T>[]): Promise<readonly (T | UnreadPart)[]> {
  const read = await Promise.all(
    parts.map(([name, reading]) => reading.catch((error: unknown): UnreadPart => unreadPart(name, error))),
  );
  const [first] = read;
  if (isUnreadPart(first) && read.every(isUnreadPart)) throw first.fault;
  return read;
}

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
