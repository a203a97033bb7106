import type { ParameterSet } from "../../../contract/parameter.js";
import { type DecimalText, exact } from "../../../decimal.js";
import { Fault } from "../../fault.js";
import type { JournalEntry } from "../journal/entry.js";
import { type Finding, isSince, type LostWrite } from "./policy.js";
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

/** What a proof knows of the write besides its values. */
type Traces = Pick<LostWrite<ParameterSet>, "entry" | "others">;
type NamedTraces = Pick<LostWrite<ParameterSet>, "entry" | "others" | "refusal">;

const isOpen = ({ state }: JournalEntry): boolean => state === "SENT" || state === "UNKNOWN";

/**
 * What is not as a lost write would have it may have been so for a while: is there another write of ours about the same
 * thing that may have taken effect after it?
 */
export const isCovered = (
  { since }: Pick<LostWrite<ParameterSet>, "since">,
  isAboutTheSame: (values: JournalEntry["values"]) => boolean,
): boolean => since().some(({ values }) => isAboutTheSame(values));

/** What a look-up by the client's own identifier has found. */
interface Named {
  readonly orderId: string;
  readonly clientOid: string | null;
  readonly createdTime: number;
}

/**
 * An order that carries the identifier of a lost placement, has come into being since, and is not known to be another
 * write's: an identifier can be used again once its order has ended. Of two lost writes that use one at the same time nobody
 * can say which has made the order, unless the exchange has refused the later one for its name.
 */
export function placed(lost: NamedTraces, order: Named | null | undefined): Finding<Acknowledgement> {
  if (order === null || order === undefined || !isSince(lost, order.createdTime)) return "no trace";
  const others = lost.others();
  if (others.some(({ reply }) => acknowledgement.safeParse(reply).data?.orderId === order.orderId)) return "no trace";
  const namesakes = others.filter((other) => isOpen(other) && other.clientOid !== null && other.clientOid === order.clientOid);
  if (namesakes.length === 0) return { accepted: { orderId: order.orderId, clientOid: order.clientOid } };
  return lost.refusal && namesakes.some(({ seq }) => seq < lost.entry.seq) ? "no trace" : "undecidable";
}

/**
 * Where the exchange's records carry no name of ours, only their content tells. Records that other writes account for do
 * not count, and when fewer are left than writes that may have made them, nobody can say whose they are.
 */
export function byContent<T, R>(
  records: readonly T[],
  { entry, others }: Traces,
  rule: {
    /** Is this record the trace of that accepted write? */
    readonly isOf: (record: T, other: JournalEntry) => boolean;
    /** Would that write leave the same traces? */
    readonly isTwin: (other: JournalEntry) => boolean;
    readonly reply: (record: T) => R;
  },
): Finding<R> {
  if (records.length === 0) return "no trace";
  const alike = others();
  const accepted = alike.filter(({ state }) => state === "ACCEPTED");
  const free = records.filter((record) => !accepted.some((other) => rule.isOf(record, other)));
  const rivals = alike.filter((other) => isOpen(other) && rule.isTwin(other));
  if (free.length === 0) return "no trace";
  if (free.length <= rivals.length) return "undecidable";
  const record = free[rivals.filter(({ seq }) => seq < entry.seq).length];
  return record === undefined ? "undecidable" : { accepted: rule.reply(record) };
}
