import { compareDecimals, divideDecimals, multiplyDecimals, subtractDecimals, trimDecimal } from "@exchange-graph/client";
import type { WorthsFragment } from "../../graph/generated/graphql.js";

/** A recorded curve of one account, or of several together. */
export type Worths = WorthsFragment;
type Point = Worths["points"][number];
type Gap = Worths["gaps"][number];

/** Decimals of ratios. */
const PLACES = 12;

/** The end of an interval: its point, or the gap that it lies in. */
export interface Slot {
  /** Unix ms. */
  readonly at: number;
  readonly point: Point | undefined;
  /** Undefined with a point, and where the gateway gives no reason. */
  readonly gap: Gap | undefined;
  /** The time-weighted index, 1 at its start, without deposits and withdrawals; null where changes of balances are not known. */
  readonly index: string | null;
  /** Fall of the index from its peak before, as a fraction, zero or below; null as the index. */
  readonly drawdown: string | null;
}

/** A curve as it is drawn: one slot for each interval from the first to the last. */
export interface Track {
  /** Oldest first. */
  readonly slots: readonly Slot[];
  /** Length of an interval, ms. */
  readonly stepMs: number;
  /** Where the index begins, Unix ms; undefined without one. */
  readonly indexedFrom: number | undefined;
}

const LENGTH_MS = { MINUTE: 60_000, HOUR: 3_600_000, DAY: 86_400_000 } as const;
/** A range has at most this many points; what claims to have more is not drawn. */
const MAX_SLOTS = 3_200;

/** The interval of single samples is a setting of the gateway: the least distance of two points. */
function stepOf(interval: keyof typeof LENGTH_MS, times: readonly number[]): number {
  const length = LENGTH_MS[interval];
  if (interval !== "MINUTE") return length;
  const distances = times.flatMap((at, index) => (index === 0 ? [] : [at - (times[index - 1] ?? at)]));
  return distances.reduce((least, distance) => (distance >= length && distance < least ? distance : least), 3_600_000);
}

/** A recorded curve with its gaps, its index and its drawdown. */
export function trackOf({ points, gaps }: Pick<Worths, "points" | "gaps">, interval: keyof typeof LENGTH_MS): Track {
  const byTime = new Map(points.map((point) => [Date.parse(point.time), point]));
  const present = [...byTime.keys()];
  const stepMs = present.length < 2 ? LENGTH_MS[interval] : stepOf(interval, present);
  const missing = new Map<number, Gap | undefined>();
  for (const [index, at] of present.entries())
    for (let time = (present[index - 1] ?? at) + stepMs; time < at && missing.size < MAX_SLOTS; time += stepMs)
      missing.set(time, undefined);
  for (const gap of gaps) {
    const end = Date.parse(gap.endTime);
    for (let time = Date.parse(gap.startTime) + stepMs; time <= end && missing.size < MAX_SLOTS; time += stepMs)
      if (!byTime.has(time)) missing.set(time, gap);
  }
  const { indices, from } = indicesOf(points);
  let peak = "0";
  const slots = [...byTime.keys(), ...missing.keys()]
    .sort((one, other) => one - other)
    .map((at): Slot => {
      const point = byTime.get(at);
      if (point === undefined) return { at, point, gap: missing.get(at), index: null, drawdown: null };
      const index = indices.get(point) ?? null;
      if (index === null) return { at, point, gap: undefined, index, drawdown: null };
      if (compareDecimals(index, peak) > 0) peak = index;
      return { at, point, gap: undefined, index, drawdown: subtractDecimals(ratio(index, peak), "1") };
    });
  return { slots, stepMs, indexedFrom: from === undefined ? undefined : Date.parse(from.time) };
}

/**
 * The index at each point of the last stretch whose changes are known: the product of (equity − flows) ÷ equity before. Those of the
 * latest samples are about to be read, so that points after the stretch have no index.
 */
function indicesOf(points: readonly Point[]): { readonly indices: ReadonlyMap<Point, string>; readonly from: Point | undefined } {
  const growths = points.map((point, at) => growthOf(points[at - 1], point));
  const last = growths.findLastIndex((growth) => growth !== undefined);
  const before = growths.slice(0, last + 1).lastIndexOf(undefined);
  const indices = new Map<Point, string>();
  let index = "1";
  for (const [at, point] of points.entries()) {
    if (last < 0 || at < before || at > last) continue;
    if (at > before) index = truncated(multiplyDecimals(index, growths[at] ?? "1"));
    indices.set(point, index);
  }
  return { indices, from: last < 0 ? undefined : points[Math.max(0, before)] };
}

const truncated = (value: string): string => ratio(value, "1");
const ratio = (a: string, b: string): string => trimDecimal(divideDecimals(a, b, PLACES));

/** Growth since the point before, as a factor; undefined where it is not known. */
function growthOf(before: Point | undefined, { equity, change }: Point): string | undefined {
  if (before === undefined || change === null || compareDecimals(before.equity, "0") <= 0) return undefined;
  return ratio(subtractDecimals(equity, change.flows), before.equity);
}

/** A curve with what was read of its end later: later points replace those of the same time. */
export function continued(curve: Worths, end: Worths): Worths {
  const [first] = end.points;
  if (first === undefined && end.gaps.length === 0) return curve;
  const from = [first?.time, end.gaps[0]?.startTime].filter((time) => time !== undefined).sort()[0] ?? "";
  const present = new Set(end.gaps.map(({ startTime }) => startTime));
  return {
    missingAccounts: curve.missingAccounts,
    points: [...curve.points.filter(({ time }) => time < (first?.time ?? "~")), ...end.points],
    gaps: [...curve.gaps.filter(({ startTime }) => startTime < from || !present.has(startTime)), ...end.gaps],
  };
}

/** The time from which a curve's end may change: that of the last point whose changes are known, or the last one. */
export const unsettledFrom = ({ points }: Worths): string | undefined =>
  (points.findLast(({ change }) => change !== null) ?? points.at(-1))?.time;

/** Time without samples by its reason, ms. */
export function absences({ slots, stepMs }: Track): ReadonlyMap<string | undefined, number> {
  const found = new Map<string | undefined, number>();
  for (const { point, gap } of slots) if (point === undefined) found.set(gap?.reason, (found.get(gap?.reason) ?? 0) + stepMs);
  return found;
}
