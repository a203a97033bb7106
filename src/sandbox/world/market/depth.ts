import type { StreamedLevel } from "../../../contract/channels/book.js";
import type { DecimalText } from "../../../decimal.js";
import type { Grid } from "./grid.js";
import { BOOK_DEPTH, type Level } from "./houseBook.js";

/** A price level as it is printed: price and size with all their places. A size of zero says that the level is gone. */
export type PrintedLevel = readonly [price: DecimalText, size: DecimalText];

/** An order book at one moment, best prices first. */
export interface Depth<Level extends StreamedLevel = PrintedLevel> {
  readonly asks: readonly Level[];
  readonly bids: readonly Level[];
  /** Grows with every change; 19 digits. */
  readonly seq: bigint;
  /** Unix ms. */
  readonly at: number;
}

/** What changed between two moments of a book. */
export interface DepthChange extends Depth<StreamedLevel> {
  /** The `seq` of the moment before. */
  readonly previousSeq: bigint;
}

/** Two lists of levels as one, best first; sizes at equal prices add up. `away` is 1 for asks and -1 for bids. */
export function mergedLevels(one: Iterable<Level>, other: Iterable<Level>, away: 1 | -1): readonly Level[] {
  const units = new Map<number, number>();
  for (const level of one) units.set(level.steps, level.units);
  for (const level of other) units.set(level.steps, (units.get(level.steps) ?? 0) + level.units);
  return [...units]
    .sort(([a], [b]) => (a - b) * away)
    .slice(0, BOOK_DEPTH)
    .map(([steps, size]) => ({ steps, units: size }));
}

export const printed = (levels: readonly Level[], grid: Grid): readonly PrintedLevel[] =>
  levels.map(({ steps, units }) => [grid.priceText(steps), grid.quantityText(units)]);

/** The levels to send to somebody who knows `before` so that he knows `after`. Nothing when they are equal. */
export function depthChange(before: Depth<StreamedLevel>, after: Depth<StreamedLevel>): DepthChange | undefined {
  const asks = sideChange(before.asks, after.asks);
  const bids = sideChange(before.bids, after.bids);
  if (asks.length === 0 && bids.length === 0) return undefined;
  return { asks, bids, seq: after.seq, at: after.at, previousSeq: before.seq };
}

function sideChange(before: readonly StreamedLevel[], after: readonly StreamedLevel[]): readonly StreamedLevel[] {
  const known = new Map(before.map((level) => [level[0], level]));
  const changed = after.filter((level) => !isEqual(level, known.get(level[0])));
  const present = new Set(after.map(([price]) => price));
  return [...changed, ...before.filter(([price]) => !present.has(price)).map(emptied)];
}

const isEqual = (level: StreamedLevel, other: StreamedLevel | undefined): boolean =>
  level[1] === other?.[1] && level[2] === other[2];

/** A level without any size is one that is gone. */
const emptied = ([price, , retail]: StreamedLevel): StreamedLevel => (retail === undefined ? [price, "0"] : [price, "0", "0"]);
