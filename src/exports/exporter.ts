import { type Clock, DAY_MS } from "@exchange-graph/contract/clock";
import type { Curves } from "../datasources/history/index.js";
import { badInput, type ExchangeAccount, Fault, reversedRange } from "../datasources/index.js";
import { demand, type Principal } from "../resolvers/index.js";
import { performanceOf } from "../resolvers/performance.js";
import { pointOf, readCurves } from "../resolvers/recordedCurves.js";
import type { EquityChange, Performance } from "../schema/history.js";
import { KEPT_DAYS, KEPT_MARGIN_MS, listsOf } from "./exportLists.js";
import { cellsIn, type ExportRow, flowRow, inOrder, textIn, utc } from "./exportRows.js";
import { type ExportClient, type PacedRead, paced } from "./pacedReads.js";
import { inSlices, type TimeRange } from "./slices.js";
import { type Cells, COLUMNS, type ExportInterval, type ExportKind } from "./table.js";

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

export interface ExportQuery {
  readonly account: string;
  readonly kind: ExportKind;
  /** Including both, Unix ms. Default of `to`: now. */
  readonly from: number;
  readonly to?: number | undefined;
  /** Of the points of `equity`. */
  readonly interval: ExportInterval;
  /** Number of rows with the time `from` that are left out, because an interrupted export has already written them. */
  readonly skip: number;
}

/** Rows up to a time, Unix ms: the next ones are later. */
interface ExportSlice {
  readonly rows: readonly Cells[];
  readonly until: number;
}

export interface OpenExport {
  /** The exchange's user of the account. */
  readonly user: string;
  /** The range that is read, Unix ms. It begins later than requested if nothing earlier is kept. */
  readonly from: number;
  readonly to: number;
  /** From this time on, rows come from the exchange's lists; earlier ones were recorded by the gateway. */
  readonly listedFrom: number;
  readonly slices: AsyncIterable<ExportSlice>;
}

/**
 * Opens an export. Only the account's user and mode are read before the first slice is requested. Rejects with `Fault`:
 * `FORBIDDEN`, `BAD_USER_INPUT`, `HISTORY_UNAVAILABLE`.
 */
export async function openExport(
  query: ExportQuery,
  client: ExportClient & { readonly principal: Principal },
  clock: Clock,
): Promise<OpenExport> {
  const { kind, interval, skip } = query;
  const { exchange, reads, history } = client.newContext();
  const account = exchange.account(query.account);
  if (account === undefined) throw badInput([{ argument: "account", rule: "must be the name of an account" }]);
  demand(client.principal, "read:account", account.name);
  const now = reads.now();
  const isRecorded = kind === "equity" || kind === "performance";
  const kept = isRecorded ? 0 : now - KEPT_DAYS * DAY_MS + KEPT_MARGIN_MS;
  // A range into the future would give different rows in each export.
  const to = Math.min(query.to ?? now, now);
  if (to < query.from) throw reversedRange(query.from, query.to);
  // Changes of balances may have been recorded while the exchange kept them.
  if (to < kept && (kind !== "flows" || history === undefined)) throw tooEarly();
  if (isRecorded && history === undefined)
    throw new Fault("HISTORY_UNAVAILABLE", "this gateway records no history: HISTORY_INTERVAL_MINUTES is 0", {
      retryable: false,
    });
  const ask = paced(client, clock);
  const user = await ask(() => exchange.users.of(account, "refresh"));
  const storedFrom = kind === "flows" ? await history?.changesFrom(user) : undefined;
  const span = { from: Math.max(query.from, Math.min(kept, storedFrom ?? kept)), to };
  if (to < span.from) throw tooEarly();
  return { ...span, listedFrom: Math.max(query.from, kept), user, slices: slicesOf(account) };

  async function* slicesOf(of: ExchangeAccount): AsyncGenerator<ExportSlice> {
    let left = skip;
    for await (const { rows, until } of rowsOf(of)) {
      const first = rows.findIndex(({ time }) => time > query.from);
      const again = Math.min(left, first < 0 ? rows.length : first);
      left = 0;
      yield { rows: rows.slice(again).map(shown), until };
    }
  }

  async function* rowsOf(of: ExchangeAccount) {
    if (kind === "equity") yield* equityRows(of, span, interval, ask);
    else if (kind === "performance") yield* performanceRows(of, span, ask);
    else {
      const stored = { from: span.from, to: Math.min(to, kept - 1) };
      if (history !== undefined && stored.from <= stored.to) yield* storedFlowRows(history, user, stored);
      const listed = { from: Math.max(span.from, kept), to };
      if (listed.from <= to) yield* inSlices(await ask((context) => listsOf(kind, context, of)), listed, kept, ask);
    }
  }
}

const tooEarly = (): Fault =>
  badInput([{ argument: "to", rule: `must be within the last ${KEPT_DAYS} days: the exchange keeps no more` }]);

const shown = ({ time, id, cells }: ExportRow): Cells => ({ ...cells, time: new Date(time).toISOString(), id });
