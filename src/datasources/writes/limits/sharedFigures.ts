import { DAY_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact } from "@exchange-graph/contract/decimal";
import type { DayFigure, DayFigures, DayLimit } from "../journal/writeJournal.js";
import type { Exposure } from "./exposure.js";
import type { AppliedLimits } from "./tradingLimits.js";

/** Use of limits of the day by all processes that share a journal. */
export interface SharedFigures {
  /** `day`: days since 1970. Later days count too: only a clock that is ahead makes them. */
  dayFigures(day: number, whose: readonly DayFigure[]): Promise<DayFigures>;
}

/** Days since 1970 of a time. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** Use as exact numbers. */
export const exactly = (used: ReturnType<DayFigures> | undefined): { readonly qty: Exact; readonly value: Exact } | undefined =>
  used && { qty: exact(used.qty), value: exact(used.value) };

/**
 * The limits of a day (in days since 1970) that apply to a write: in its coin, and in money. Of several limits of one user the lowest
 * counts.
 */
export function dayLimitsOf(
  { coin, field: argument }: Exposure,
  applied: readonly AppliedLimits[],
  since: number,
): readonly DayLimit[] {
  const all = applied.flatMap(({ kind, path, limits: { day } }): readonly DayLimit[] => {
    const unit = (coin ?? "").toUpperCase();
    const most = day?.coins.get(unit);
    return [
      ...(most === undefined ? [] : [{ kind, unit, most, since, argument, path: `${path}.day.coins.${unit}` }]),
      ...(day?.value === undefined ? [] : [{ kind, unit: "", most: day.value, since, argument, path: `${path}.day.value` }]),
    ];
  });
  const isSame = (one: DayLimit, other: DayLimit) => one.kind === other.kind && one.unit === other.unit;
  return all.filter((one) => !all.some((other) => isSame(one, other) && exact(one.most).gt(exact(other.most))));
}
