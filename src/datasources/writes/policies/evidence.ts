import { type DecimalText, exact } from "@exchange-graph/contract/decimal";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import type { ParameterSet } from "@exchange-graph/contract/parameter";
import { type Row, rowsRead } from "@exchange-graph/contract/rows";
import { Fault } from "../../fault.js";
import { isUnsettled, type JournalEntry } from "../journal/entry.js";
import { CLOCK_TOLERANCE_MS, type Finding, isSince, type LostWrite } from "./policy.js";
import { type Acknowledgement, acknowledgement } from "./replies.js";

/** What several proofs have in common. */

/** A look-up that finds nothing, whether it says so by a refusal or by `null`. */
export async function found<T>(look: Promise<T | null>): Promise<T | null> {
  try {
    return await look;
  } catch (error) {
    if (error instanceof Fault && error.code === "ORDER_NOT_FOUND") return null;
    throw error;
  }
}

/** Equal as numbers: the exchange pads and trims decimals. */
export const isEqual = (one: DecimalText | null, other: DecimalText | null): boolean =>
  one === null || other === null ? one === other : exact(one).eq(exact(other));

/** Is it as asked? Nothing is said by a value that an answer leaves out. */
export const is = <T>(present: T | null, asked: T): boolean | undefined => (present === null ? undefined : present === asked);

/** Equal as names of coins and symbols are: in any letter case. */
export const isSameName = (one: unknown, other: unknown): boolean =>
  typeof one === "string" && typeof other === "string" && inCapitals(one) === inCapitals(other);

/** Equal amounts, of which one may be a value that nobody has looked at. */
export const isSameAmount = (one: unknown, other: unknown): boolean =>
  typeof one === "string" && typeof other === "string" && isEqual(one, other);

/** What a proof knows of the write besides its values. */
type Traces = Pick<LostWrite<ParameterSet>, "entry" | "others">;
type NamedTraces = Pick<LostWrite<ParameterSet>, "entry" | "others" | "refusedAt">;

/**
 * What is not as a lost write would have it may have been so for a while: is there another write of ours about the same
 * thing that may have taken effect after it?
 */
export const isCovered = async (
  { since }: Pick<LostWrite<ParameterSet>, "since">,
  isAboutTheSame: (values: JournalEntry["values"]) => boolean,
): Promise<boolean> => (await since()).some(({ values }) => isAboutTheSame(values));

/** What a look-up by the client's own identifier has found. */
interface Named {
  readonly orderId: string;
  readonly clientOid: string | null;
  readonly createdTime: number | null;
}

/**
 * An order that carries the identifier of a lost placement, has come into being since, is as it was asked for, and is not
 * known to be another write's: an identifier can be used again once its order has ended, and by others than this gateway.
 * Of two lost writes that use one at the same time nobody can say which has made the order, unless the exchange has refused
 * the later one for its name.
 */
export async function placed<T extends Named>(
  lost: NamedTraces,
  order: T | null | undefined,
  isAsAsked: (order: T) => boolean | undefined,
): Promise<Finding<Acknowledgement>> {
  if (order === null || order === undefined) return "no trace";
  // It carries the name; whether it is this one or an older one of that name, it does not say.
  if (order.createdTime === null) return "undecidable";
  const others = await lost.others();
  if (others.some(({ reply }) => acknowledgement.safeParse(reply).data?.orderId === order.orderId)) return "another's";
  const since = isSince(lost, order.createdTime);
  if (since === "no") return "another's";
  if (since === "perhaps") return "undecidable";
  const asAsked = isAsAsked(order);
  if (asAsked === undefined) return "undecidable";
  if (!asAsked) return lost.refusedAt === undefined ? "undecidable" : "another's";
  const namesakes = others.filter(
    (other) => isUnsettled(other) && other.clientOid !== null && other.clientOid === order.clientOid,
  );
  if (namesakes.length === 0) return { accepted: { orderId: order.orderId, clientOid: order.clientOid } };
  return lost.refusedAt !== undefined && namesakes.some(({ seq }) => seq < lost.entry.seq) ? "another's" : "undecidable";
}

/** A record that has all of these. */
type Complete<T, K extends keyof T> = T & { readonly [P in K]: NonNullable<T[P]> };

/** The records, if each has all that a proof compares: one that leaves something out may be what is looked for. */
export function everyComplete<T, K extends keyof T>(
  rows: readonly Row<T>[],
  keys: readonly K[],
): readonly Complete<T, K>[] | "undecidable" {
  const records = rowsRead(rows);
  const complete = records.filter((record): record is Complete<T, K> => keys.every((key) => record[key] !== null));
  return complete.length === records.length ? complete : "undecidable";
}

/** Records of one page; of a longer list the rest has not been looked at. */
export const RECORDS_LOOKED_AT = 100;

/**
 * The exchange's records carry no name of ours, so their content decides: `records` are those of the write's lifetime
 * that are as it would have made them. Each accepted write accounts for one of them. When fewer are left than writes that
 * may have made them, or when they may be older than the write, nobody can say whose they are.
 */
export async function byContent<T extends { readonly createdTime: number | null }, R>(
  records: readonly T[],
  lost: Traces,
  rule: {
    /** May this record be the trace of that accepted write? */
    readonly isOf: (record: T, other: JournalEntry) => boolean;
    /** Would that write leave the same traces? */
    readonly isTwin: (other: JournalEntry) => boolean;
    readonly reply: (record: T) => R;
  },
): Promise<Finding<R>> {
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

/** The records that are left when each of these writes has taken its own. */
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

/** Had it ended before a request that was refused for that was even signed? Then the refusal is no echo. */
export const wasEndedBefore = (
  { entry, refusedAt }: Pick<LostWrite<ParameterSet>, "entry" | "refusedAt">,
  // Some records have no time of their last change; then that of their creation stands in its place.
  { createdTime, updatedTime }: { readonly createdTime: number | null; readonly updatedTime: number | null },
): boolean =>
  refusedAt !== undefined &&
  updatedTime !== null &&
  updatedTime !== createdTime &&
  updatedTime < entry.sentAt - CLOCK_TOLERANCE_MS;
