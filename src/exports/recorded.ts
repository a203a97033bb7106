import { DAY_MS } from "@exchange-graph/contract/clock";
import type { ExchangeAccount } from "../datasources/index.js";
import { performanceOf } from "../resolvers/performance.js";
import { pointOf, readCurves } from "../resolvers/recordedCurves.js";
import type { EquityChange, Performance } from "../schema/history.js";
import type { Ask } from "./pace.js";
import { cellsIn, type ExportRow, textIn, utc } from "./rows.js";
import type { Span } from "./slices.js";
import { COLUMNS, type ExportInterval } from "./table.js";

/** Kinds that the gateway has recorded itself. No upstream call. */

/** Length of a slice of each interval: the points of two are fewer than one curve may have. */
const SLICE_MS = { MINUTE: DAY_MS, HOUR: 60 * DAY_MS, DAY: 1_000 * DAY_MS } as const satisfies Record<ExportInterval, number>;

const changeCells = (change: EquityChange | null) => (change === null ? {} : cellsIn(change, Object.keys(change), []));

/**
 * The points and gaps of a curve. Slices begin at multiples of their length and are read whole: what explains a point may depend
 * on those before it, and so does not depend on where the export begins.
 */
export async function* equityRows(account: ExchangeAccount, { from, to }: Span, interval: ExportInterval, ask: Ask) {
  const length = SLICE_MS[interval];
  for (let start = Math.floor(from / length) * length; start <= to; start += length) {
    const until = start + length - 1;
    // With the slice before, of which a gap may have begun in.
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

/** Performance by month. */
export async function* performanceRows(account: ExchangeAccount, { from, to }: Span, ask: Ask) {
  const months = await ask((context) => performanceOf(context, [account], { from, to, by: "MONTH" }));
  yield { rows: months.map(performanceRow), until: to };
}

const performanceRow = (month: Performance): ExportRow => ({
  ...{ time: month.endTime, id: new Date(month.endTime - 1).toISOString().slice(0, 7), list: "month" },
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
