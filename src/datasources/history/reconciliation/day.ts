import { z } from "zod";
import type { HistoryStore, StoredPoint } from "../historyStore.js";
import { decimal } from "../point.js";
import { POOLS } from "../sample.js";

/** What a reconciled day shows; the graph's descriptions say what each means. */
export const DIFFERENCE_KINDS = [
  "BALANCE_UNEXPLAINED",
  "FILLS_INCOMPLETE",
  "ORDER_NOT_JOURNALED",
  "ORDER_MISSING",
  "WRITE_UNSETTLED",
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** Why a part of a day could not be checked. */
const UNCHECKED_REASONS = ["NOT_RECORDED", "NO_WRITES", "MODE_CHANGED", "TOO_OLD", "TOO_MANY", "UNREADABLE"] as const;

/** The number of differences of a day that are stored. */
export const MAX_DIFFERENCES = 100;

const text = z.string().nullable();
const difference = z.object({
  kind: z.enum(DIFFERENCE_KINDS),
  /** Unix ms; null for a difference without a time. */
  time: z.int().nullable(),
  pool: z.enum(POOLS).nullable(),
  coin: text,
  category: text,
  symbol: text,
  orderId: text,
  clientOid: text,
  /** The idempotency key of the write. */
  key: text,
  expected: decimal.nullable(),
  found: decimal.nullable(),
});
/** A fact that two sources state differently. */
export type Difference = z.infer<typeof difference>;

const part = z.object({ checked: z.int(), reason: z.enum(UNCHECKED_REASONS).nullable() });
/** A part of a day: the number of compared items, and why not all of them were compared. */
type CheckedPart = z.infer<typeof part>;
export interface Findings extends CheckedPart {
  readonly differences: readonly Difference[];
}

const body = z.object({
  checkedAt: z.int(),
  balances: part,
  fills: part,
  journal: part,
  differences: z.array(difference),
  /** Number of all differences, of which not all may be stored. */
  count: z.int(),
});
/** An account's day as it was compared. `at`: the end of the day in UTC, Unix ms. */
export type ReconciledDay = z.infer<typeof body> & { readonly at: number };

/** Decodes a stored day. Throws on one that this version does not know. */
const dayIn = ({ at, body: stored }: StoredPoint): ReconciledDay => ({ at, ...body.parse(JSON.parse(stored)) });

export const storedDay = (user: string, { at, ...day }: ReconciledDay): StoredPoint => ({
  user,
  resolution: "RECONCILED",
  at,
  body: JSON.stringify(day),
});

export const NOTHING_CHECKED = { checked: 0, differences: [] } as const;

const EMPTY = {
  time: null,
  pool: null,
  coin: null,
  category: null,
  symbol: null,
  orderId: null,
  clientOid: null,
  key: null,
  expected: null,
  found: null,
};
export const differing = (kind: DifferenceKind, facts: Partial<Omit<Difference, "kind">>): Difference => ({
  ...EMPTY,
  ...facts,
  kind,
});

/** A range of time, Unix ms. */
export interface DaySpan {
  readonly from: number;
  readonly to: number;
}

/** The reconciled days of a user that ended in a range of time, Unix ms, the earliest first. */
export const reconciledDays = async (
  store: Pick<HistoryStore, "points">,
  user: string,
  { from, to }: DaySpan,
  limit: number,
): Promise<readonly ReconciledDay[]> => (await store.points(user, "RECONCILED", { after: from, to, limit })).map(dayIn);
