import { DAY_MS, HOUR_MS, MINUTE_MS } from "@exchange-graph/contract/clock";
import { type DecimalText, exact, isDecimalText } from "@exchange-graph/contract/decimal";
import { z } from "zod";
import type { Resolution, StoredPoint } from "./historyStore.js";
import { type HeldCoin, POOLS, type Sample } from "./sample.js";

/** Length of the interval of a point of an hour or a day, ms; of the others the recorder's own, a minute by default. */
export const LENGTH_MS: Readonly<Record<Resolution, number>> = { MINUTE: MINUTE_MS, HOUR: HOUR_MS, DAY: DAY_MS };

/**
 * Why there is no sample: the live state was not proven, a price was not known, it was not recorded, or the exchange no longer
 * keeps it.
 */
const GAP_REASONS = [
  "INTERRUPTED",
  "BEING_READ",
  "NOT_REPRODUCED",
  "NOT_COMPUTABLE",
  "NO_PRICE",
  "NOT_RECORDED",
  "NOT_KEPT",
] as const;
export type GapReason = (typeof GAP_REASONS)[number];

/** A point of a curve: the last sample of its interval, with the lowest and highest equity in it. */
export interface Point extends Sample {
  /** The end of the interval, Unix ms. */
  readonly at: number;
  readonly low: DecimalText;
  readonly high: DecimalText;
  /** Number of recorded samples in the interval. */
  readonly count: number;
}

/** An interval without a sample. */
export interface CurveGap {
  readonly at: number;
  readonly gap: GapReason;
}

export const isGap = (point: Point | CurveGap): point is CurveGap => "gap" in point;

/** Whether it is a sample, neither a gap nor rebuilt. */
export const isRecorded = (point: Point | CurveGap): point is Point => !isGap(point) && point.source === "STREAM";

export const decimal = z.string().refine(isDecimalText, "must be a decimal number");
const time = z.int();

const coin = z
  .tuple([z.enum(POOLS), z.string(), decimal, decimal, decimal, decimal.nullable()])
  .transform(
    ([pool, coin, balance, unrealisedPnl, debt, price]): HeldCoin => ({ pool, coin, balance, unrealisedPnl, debt, price }),
  );

/** 0.2.0 does not know the reason `NOT_KEPT`, and can read no range with a point that it cannot decode. */
const NOT_KEPT = { gap: "NOT_RECORDED", isKept: false } as const;
const gap = z
  .object({ gap: z.enum(GAP_REASONS), isKept: z.boolean().optional() })
  .transform(({ gap, isKept }): Omit<CurveGap, "at"> => ({ gap: isKept === false ? "NOT_KEPT" : gap }));

const body = z.union([
  gap,
  z.object({
    source: z.enum(["STREAM", "RECONSTRUCTED"]),
    mode: z.enum(["CLASSIC", "UNIFIED"]),
    time,
    comparedAt: time.nullable(),
    equity: decimal,
    unrealisedPnl: decimal,
    debt: decimal,
    marginInUse: decimal.nullable(),
    low: decimal,
    high: decimal,
    count: time,
    coins: z.array(coin),
  }),
]);

/** Decodes a stored point. Throws on one that this version does not know. */
export const pointIn = ({ at, body: text }: StoredPoint): Point | CurveGap => ({ at, ...body.parse(JSON.parse(text)) });

export function stored(user: string, resolution: Resolution, { at, ...point }: Point | CurveGap): StoredPoint {
  if ("gap" in point)
    return { user, resolution, at, body: JSON.stringify(point.gap === "NOT_KEPT" ? NOT_KEPT : { gap: point.gap }) };
  const { source, mode, time, comparedAt, equity, unrealisedPnl, debt, marginInUse, low, high, count } = point;
  const coins = point.coins.map((held) => [held.pool, held.coin, held.balance, held.unrealisedPnl, held.debt, held.price]);
  const values = { source, mode, time, comparedAt, equity, unrealisedPnl, debt, marginInUse, low, high, count, coins };
  return { user, resolution, at, body: JSON.stringify(values) };
}

/** The end of the interval that contains this time: an interval has its end, and not its start. */
export const endOf = (time: number, lengthMs: number): number => Math.ceil(time / lengthMs) * lengthMs;

const least = (one: DecimalText, other: DecimalText): DecimalText => (exact(one).lte(exact(other)) ? one : other);
const most = (one: DecimalText, other: DecimalText): DecimalText => (exact(one).gte(exact(other)) ? one : other);

/** The point of a longer interval that ends at `at`, after one more point in it. */
export const rolledUp = (at: number, former: Point | undefined, next: Point): Point =>
  former === undefined
    ? { ...next, at }
    : { ...next, at, low: least(former.low, next.low), high: most(former.high, next.high), count: former.count + next.count };
