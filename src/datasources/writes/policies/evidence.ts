import { type DecimalText, exact } from "@exchange-graph/contract/decimal";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import { type Row, rowsRead } from "@exchange-graph/contract/rows";
import { isUnsettled, type JournalEntry } from "../journal/journalEntry.js";
import { CLOCK_TOLERANCE_MS, isSince, type LookUpResult, type LostWrite } from "./policy.js";
import { type Acknowledgement, acknowledgement } from "./replies.js";

/** Helpers of proofs. */

/** Equal as numbers: the exchange pads and trims decimals. */
export const isEqual = (one: DecimalText | null, other: DecimalText | null): boolean =>
  one === null || other === null ? one === other : exact(one).eq(exact(other));

/** Whether a value is the requested one; undefined if the answer lacks it. */
export const is = <T>(present: T | null, requested: T): boolean | undefined =>
  present === null ? undefined : present === requested;

/** Equal as names of coins and symbols, in any letter case. */
export const isSameName = (one: unknown, other: unknown): boolean =>
  typeof one === "string" && typeof other === "string" && inCapitals(one) === inCapitals(other);

/** Equal amounts; values may be unvalidated. */
export const isSameAmount = (one: unknown, other: unknown): boolean =>
  typeof one === "string" && typeof other === "string" && isEqual(one, other);

/** The part of a lost write that proofs use besides its values. */
type Traces = Pick<LostWrite<ParameterSet>, "entry" | "others">;
type NamedTraces = Pick<LostWrite<ParameterSet>, "entry" | "others" | "refusedAt">;

/**
 * Whether another write of the gateway to the same subject may have taken effect after this one, and explain a state other than the
 * requested one.
 */
export const isCovered = async (
  { since }: Pick<LostWrite<ParameterSet>, "since">,
  isAboutTheSame: (values: JournalEntry["values"]) => boolean,
): Promise<boolean> => (await since()).some(({ values }) => isAboutTheSame(values));

/** An object found by the client's own identifier. */
interface Named {
  readonly orderId: string;
  readonly clientOid: string | null;
  readonly createdTime: number | null;
}

/**
 * A found order proves a lost placement if it has its identifier, was created since, has the requested terms, and is not known to
 * belong to another write: an identifier can be reused once its order has ended, also by other clients. Of two lost writes with
 * the same identifier at the same time it cannot be decided which one created the order, unless the exchange has refused the
 * later one for its identifier.
 */
export async function placed<T extends Named>(
  lost: NamedTraces,
  order: T | null | undefined,
  isAsRequested: (order: T) => boolean | undefined,
): Promise<LookUpResult<Acknowledgement>> {
  if (order === null || order === undefined) return "no trace";
  // Without a creation time it may be an older order with the same identifier.
  if (order.createdTime === null) return "undecidable";
  const others = await lost.others();
  if (others.some(({ reply }) => acknowledgement.safeParse(reply).data?.orderId === order.orderId)) return "another's";
  const since = isSince(lost, order.createdTime);
  if (since === "no") return "another's";
  if (since === "perhaps") return "undecidable";
  const asRequested = isAsRequested(order);
  if (asRequested === undefined) return "undecidable";
  if (!asRequested) return lost.refusedAt === undefined ? "undecidable" : "another's";
  const namesakes = others.filter(
    (other) => isUnsettled(other) && other.clientOid !== null && other.clientOid === order.clientOid,
  );
  if (namesakes.length === 0) return { accepted: { orderId: order.orderId, clientOid: order.clientOid } };
  return lost.refusedAt !== undefined && namesakes.some(({ seq }) => seq < lost.entry.seq) ? "another's" : "undecidable";
}

type Complete<T, K extends keyof T> = T & { readonly [P in K]: NonNullable<T[P]> };

/** The records of a page that is not full, if each has all fields that a proof compares: one without them may be the wanted one. */
export function everyComplete<T, K extends keyof T>(
  rows: readonly Row<T>[],
  keys: readonly K[],
): readonly Complete<T, K>[] | "undecidable" {
  const records = rowsRead(rows);
  const complete = records.filter((record): record is Complete<T, K> => keys.every((key) => record[key] !== null));
  return complete.length === records.length && rows.length < RECORDS_LOOKED_AT ? complete : "undecidable";
}

/** Maximum number of records that are searched: one page. */
export const RECORDS_LOOKED_AT = 100;

/**
 * The exchange's records lack the client's identifier, so their content decides: `records` are those of the write's lifetime with
 * the requested content. Each accepted write accounts for one of them. If fewer remain than writes that may have created them, or
 * they may be older than the write, it cannot be decided whose they are.
 */
export async function byContent<T extends { readonly createdTime: number | null }, R>(
  records: readonly T[],
  lost: Traces,
  rule: {
    /** Whether this record may be the trace of that accepted write. */
    readonly isOf: (record: T, other: JournalEntry) => boolean;
    /** Whether that write would leave the same traces. */
    readonly isTwin: (other: JournalEntry) => boolean;
    readonly reply: (record: T) => R;
  },
): Promise<LookUpResult<R>> {
  const alike = await lost.others();
  const free = unaccounted(
    records,
    alike.filter(({ state }) => state === "ACCEPTED"),
    rule.isOf,
  );
  if (free.length === 0) return "no trace";
  const own = free.filter(({ createdTime }) => createdTime !== null && isSince(lost, createdTime) === "yes");
  const mayBeOf = (other: JournalEntry): boolean =>
    own.some(({ createdTime }) => createdTime !== null && isSince({ entry: other }, createdTime) !== "no");
  const rivals = alike.filter((other) => isUnsettled(other) && rule.isTwin(other) && mayBeOf(other));
  const record = own.length > rivals.length ? own[rivals.filter(({ seq }) => seq < lost.entry.seq).length] : undefined;
  return record === undefined ? "undecidable" : { accepted: rule.reply(record) };
}

/** The records that remain after each of these writes has taken its own. */
function unaccounted<T>(
  records: readonly T[],
  accepted: readonly JournalEntry[],
  isOf: (record: T, other: JournalEntry) => boolean,
): readonly T[] {
  const free = [...records];
  for (const other of accepted) {
    const at = free.findIndex((record) => isOf(record, other));
    if (at >= 0) free.splice(at, 1);
  }
  return free;
}

/** Whether the order had ended before the refused request was signed. Then the write itself did not cause the refusal. */
export const wasEndedBefore = (
  { entry, refusedAt }: Pick<LostWrite<ParameterSet>, "entry" | "refusedAt">,
  // Some records lack the time of their last change; then that of their creation is used.
  { createdTime, updatedTime }: { readonly createdTime: number | null; readonly updatedTime: number | null },
): boolean =>
  refusedAt !== undefined &&
  updatedTime !== null &&
  updatedTime !== createdTime &&
  updatedTime < entry.sentAt - CLOCK_TOLERANCE_MS;
