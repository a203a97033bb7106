import { multiplyDecimals, trimDecimal } from "@exchange-graph/client";
import { amount } from "../../format/format.js";
import type { Line } from "./lines.js";
import type { Slot, Track } from "./worth.js";

/** A curve of one account; without a name, of all together. */
export interface Tracked {
  readonly name: string | undefined;
  /** Its place among the curves that are shown. */
  readonly at: number;
  readonly track: Track;
}

/** What accounts are compared by. */
export type Measure = "equity" | "index";

/** Colours of compared accounts; each has its name at its end. */
export const LINE_TONES = ["accent", "warn", "up", "down", "ink", "muted"] as const;

/** The value of each point; none where it is not known. */
export function valuesOf({ slots }: Pick<Track, "slots">, measure: Measure): ReadonlyMap<Slot, string> {
  const values = new Map<Slot, string>();
  for (const slot of slots) {
    const { point, index } = slot;
    const value = measure === "equity" ? point?.equity : index === null ? undefined : trimDecimal(multiplyDecimals(index, "100"));
    if (value !== undefined) values.set(slot, value);
  }
  return values;
}

export const indexText = (value: string | undefined): string => amount(value, 2);

/** All times of some curves, oldest first: of one time the first curve that has a value at it, else one without a point. */
export function unionOf(lines: readonly Pick<Line, "slots" | "values">[]): readonly Slot[] {
  const byTime = new Map<number, Slot>();
  for (const { slots, values } of lines)
    for (const slot of slots) {
      const former = byTime.get(slot.at);
      if (former === undefined || (values.has(slot) && former.point === undefined)) byTime.set(slot.at, slot);
    }
  return [...byTime.values()].sort((one, other) => one.at - other.at);
}
