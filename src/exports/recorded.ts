import { DAY_MS } from "@exchange-graph/contract/clock";
import type { Curves } from "../datasources/history/index.js";
import type { ExchangeAccount } from "../datasources/index.js";
import { performanceOf } from "../resolvers/performance.js";
import { pointOf, readCurves } from "../resolvers/recordedCurves.js";
import type { EquityChange, Performance } from "../schema/history.js";
import { cellsIn, type ExportRow, flowRow, inOrder, textIn, utc } from "./exportRows.js";
import type { PacedRead } from "./pacedReads.js";
import type { TimeRange } from "./slices.js";
import { COLUMNS, type ExportInterval } from "./table.js";

/** Kinds that the gateway has recorded itself. No upstream call. */

/** Length of a slice of each interval: the points of two are fewer than one curve may have. */
const SLICE_MS = { MINUTE: DAY_MS, HOUR: 60 * DAY_MS, DAY: 1_000 * DAY_MS } as const satisfies Record<ExportInterval, number>;

const changeCells = (change: EquityChange | null) => (change === null ? {} : cellsIn(change, Object.keys(change), []));

/**
 * The points and gaps of a curve. Slices begin at multiples of their length and are read whole: what explains a point may depend
 * on those before it, and so does not depend on where the export begins.
 */
export async function* equityRows(account: ExchangeAccount, { from, to }: TimeRange, interval: ExportInterval, ask: PacedRead) {
  const length = SLICE_MS[interval];
  for (let start = Math.floor(from / length) * length; start <= to; start += length) {
    const until = start + length - 1;
    // With the slice before, in which a gap may have begun.
    const range = { from: Math.max(0, start - length), to: until };
    const [found] = await ask((context) => readCurves(context, [account], range, interval));
    const first = Math.max(start, from);
    const points = found?.curve.points.map(pointOf).map(
      ({ time, change, ...point }): ExportRow => ({
        ...{ time, id: utc(time) ?? "", list: "point" },
        cells: {
          ...cellsIn(point, ["equity", "low", "high", "samples", "unrealisedPnl", "debt", "marginInUse"], []),
          source: textIn(point, "source"),
          ...changeCells(change),
        },
      }),
    );
    const gaps = found?.curve.gaps.map(
      (gap): ExportRow => ({
        ...{ time: gap.to, id: utc(gap.to) ?? "", list: "gap" },
        cells: { gapFrom: utc(gap.from), gapReason: gap.reason },
      }),
    );
    const rows = [...(points ?? []), ...(gaps ?? [])].filter(({ time }) => time >= first && time <= to);
    yield {
      rows: rows.sort((one, other) => one.time - other.time || (one.list < other.list ? -1 : 1)),
      until: Math.min(until, to),
    };
  }
}

/**
 * Performance by month, from the points of its hours: a row depends on its month alone, and on where the range begins and ends in it.
 * With the month before, whose last point a month begins with.
 */
export async function* performanceRows(account: ExchangeAccount, { from, to }: TimeRange, ask: PacedRead) {
  for (let start = monthAt(from); start <= to; start = monthAt(start, 1)) {
    const [own, until] = [monthIn(start), Math.min(to, monthAt(start, 1))];
    const range = { from: Math.max(from, monthAt(start, -1)), to: until };
    const months = await ask((context) => performanceOf(context, [account], { ...range, by: "MONTH", interval: "HOUR" }));
    yield { rows: months.map(performanceRow).filter(({ id }) => id === own), until };
  }
}

const monthIn = (time: number): string => new Date(time).toISOString().slice(0, 7);
/** The beginning of the month (UTC) that contains a time, or of one so many months later; not before 1970. */
const monthAt = (time: number, later = 0): number => {
  const date = new Date(time);
  return Math.max(0, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later));
};

/** Rows per slice. Rows of one millisecond stay together. */
const FEW_ROWS = 500;

/** Changes of balances that the exchange does not keep any more, as they were stored when it did. */
export async function* storedFlowRows(history: Curves, user: string, { from, to }: TimeRange) {
  let rows: ExportRow[] = [];
  for await (const { at, id, pool, ...change } of history.changes(user, from - 1, to)) {
    if (rows.length >= FEW_ROWS && at > (rows.at(-1)?.time ?? at)) {
      yield { rows: rows.sort(inOrder), until: at - 1 };
      rows = [];
    }
    rows.push(flowRow(pool === "FUNDING" ? pool : "TRADING", { ...change, createdTime: at, recordId: id }));
  }
  yield { rows: rows.sort(inOrder), until: to };
}

const performanceRow = (month: Performance): ExportRow => ({
  ...{ time: month.endTime, id: monthIn(month.endTime - 1), list: "month" },
  cells: {
    ...Object.fromEntries(
      COLUMNS.performance.map((column) => {
        const value: unknown = { ...month }[column as keyof Performance];
        return [column, typeof value === "object" && value !== null ? textIn(value, "value") : textIn(month, column)];
      }),
    ),
    ...{ startTime: utc(month.startTime), ...changeCells(month.change) },
  },
});
