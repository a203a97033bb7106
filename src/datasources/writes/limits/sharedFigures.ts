import { DAY_MS } from "@exchange-graph/contract/clock";
import { exact } from "@exchange-graph/contract/decimal";
import type { DayFigure, DayLimit, DayUse } from "../journal/writeJournal.js";
import type { Used } from "./breaches.js";
import type { CoinAmount, Exposure } from "./exposure.js";
import type { AppliedLimits } from "./tradingLimits.js";

/** Use of limits of the day by all processes that share a journal. */
export interface SharedFigures {
  /** `day`: days since 1970. Later days count too: only a clock that is ahead makes them. */
  dayFigures(day: number, whose: readonly DayFigure[]): Promise<DayUse>;
}

/** The coin that is counted, as figures name it. */
export const coinOf = ({ coin }: Pick<Exposure, "coin">): string => (coin ?? "").toUpperCase();

/** Days since 1970 of a time. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** The use of a day by all processes, and by the earlier writes of the same batch, which are not in the journal yet. */
export function withAhead(used: ReturnType<DayUse>, coin: string, ahead: readonly EarlierUse[]): Used {
  let [qty, value] = [exact(used.qty), exact(used.value)];
  for (const { exposure, today } of ahead) {
    if (coinOf(exposure) === coin) qty = qty.plus(today.qty);
    if (today.value !== null) value = value.plus(today.value);
  }
  return { qty, value };
}
interface EarlierUse {
  readonly exposure: Exposure;
  /** Addition to the day. */
  readonly today: CoinAmount;
}

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
    const unit = coinOf({ coin });
    const most = day?.coins.get(unit);
    return [
      ...(most === undefined ? [] : [{ kind, unit, most, since, argument, path: `${path}.day.coins.${unit}` }]),
      ...(day?.value === undefined ? [] : [{ kind, unit: "", most: day.value, since, argument, path: `${path}.day.value` }]),
    ];
  });
  const isSame = (one: DayLimit, other: DayLimit) => one.kind === other.kind && one.unit === other.unit;
  return all.filter((one) => !all.some((other) => isSame(one, other) && exact(one.most).gt(exact(other.most))));
}
