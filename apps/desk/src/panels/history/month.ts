import { subtractDecimals } from "@exchange-graph/client";
import { type Total, totalOf } from "../../format/total.js";
import type { DayProfitFragment } from "../../graph/generated/graphql.js";
import { DAY_MS } from "./ranges.js";
import { utcDay } from "./words.js";

export type DayProfit = DayProfitFragment;

/** A month of UTC by the time of its start, Unix ms. */
export const monthAt = (ms: number): number => Date.UTC(new Date(ms).getUTCFullYear(), new Date(ms).getUTCMonth());
export const monthBeside = (start: number, by: number): number =>
  Date.UTC(new Date(start).getUTCFullYear(), new Date(start).getUTCMonth() + by);

/** A day of a month, with its profit if it has a sample. */
export interface Day {
  /** Its start, Unix ms. */
  readonly start: number;
  readonly profit: DayProfit | undefined;
}

/** The days of a month in weeks from Monday on; undefined: of another month. */
export function weeksOf(month: number, rows: readonly DayProfit[]): readonly (readonly (Day | undefined)[])[] {
  const byStart = new Map(rows.map((row) => [Date.parse(row.startTime), row]));
  const days: (Day | undefined)[] = Array.from({ length: (new Date(month).getUTCDay() + 6) % 7 }, () => undefined);
  for (let start = month; start < monthBeside(month, 1); start += DAY_MS) days.push({ start, profit: byStart.get(start) });
  while (days.length % 7 > 0) days.push(undefined);
  return Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7));
}

/** What a month's days sum up to. */
export interface MonthTotal {
  readonly profit: Total;
  readonly flows: Total;
  /** Days without a sample between days with one: their profit is in that of the next day. */
  readonly skipped: number;
}

/** The sums of the days with samples; a day whose changes are not known is missing in them, by its name. */
export function totalsOf(month: number, rows: readonly DayProfit[]): MonthTotal {
  const own = rows.filter(({ startTime }) => Date.parse(startTime) >= month);
  const nameOf = ({ startTime }: DayProfit): string => utcDay(Date.parse(startTime));
  const [first, last] = [own[0], own.at(-1)];
  const length =
    first === undefined || last === undefined ? 0 : (Date.parse(last.startTime) - Date.parse(first.startTime)) / DAY_MS + 1;
  return {
    profit: totalOf(own.map((row) => ({ name: nameOf(row), value: row.profit }))),
    flows: totalOf(own.map((row) => ({ name: nameOf(row), value: row.flows }))),
    skipped: Math.round(length) - own.length,
  };
}

/** The change of equity without flows; null if it is not known. */
export const profitIn = (change: { readonly total: string; readonly flows: string } | null): string | null =>
  change === null ? null : subtractDecimals(change.total, change.flows);
