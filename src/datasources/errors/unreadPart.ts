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
