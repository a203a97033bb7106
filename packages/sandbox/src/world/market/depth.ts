import type { StreamedLevel } from "@exchange-graph/contract/channels/book";
import type { DecimalText } from "@exchange-graph/contract/decimal";
import type { Grid } from "./grid.js";
import type { Level } from "./houseBook.js";

/** A price level as printed: price and size with all their decimals. A size of zero removes the level. */
export type PrintedLevel = readonly [price: DecimalText, size: DecimalText];

/** The two sides of an order book, best prices first. */
export interface Sides<Level extends StreamedLevel = PrintedLevel> {
  readonly asks: readonly Level[];
  readonly bids: readonly Level[];
}

/** An order book at one moment. */
export interface Depth<Level extends StreamedLevel = PrintedLevel> extends Sides<Level> {
  /** Increases with every change; 19 digits. */
  readonly seq: bigint;
  /** Unix ms. */
  readonly at: number;
}

/** Changes between two states of a book. */
interface DepthChange extends Depth<StreamedLevel> {
  readonly previousSeq: bigint;
}

/**
 * The best `most` levels of two lists together; sizes at equal prices add up. All lists have the best price first. `away` is 1 for
 * asks and -1 for bids.
 */
export function mergedLevels(one: Iterable<Level>, other: readonly Level[], away: 1 | -1, most: number): readonly Level[] {
  const merged: Level[] = [];
  let at = 0;
  for (const level of one) {
    if (merged.length >= most) break;
    let beside = other[at];
    for (; beside !== undefined && (beside.steps - level.steps) * away < 0; beside = other[++at]) merged.push(beside);
    if (beside?.steps === level.steps) at++;
    merged.push(beside?.steps === level.steps ? { steps: level.steps, units: level.units + beside.units } : level);
  }
  return [...merged, ...other.slice(at)].slice(0, most);
}

/** Levels as the texts of order books. */
export const printed = (levels: readonly Level[], grid: Grid): readonly PrintedLevel[] =>
  levels.map(({ steps, units }) => [grid.priceText(steps), grid.quantityText(units)]);

/** The levels that change `before` to `after`; undefined if they are equal. */
export function depthChange(before: Depth<StreamedLevel>, after: Depth<StreamedLevel>): DepthChange | undefined {
  const asks = sideChange(before.asks, after.asks, -1);
  const bids = sideChange(before.bids, after.bids, 1);
  if (asks.length === 0 && bids.length === 0) return undefined;
  return { asks, bids, seq: after.seq, at: after.at, previousSeq: before.seq };
}

/** Walks both sides in parallel. `better` is the sign of a better price: 1 if the higher one is better. */
function sideChange(before: readonly StreamedLevel[], after: readonly StreamedLevel[], better: 1 | -1): StreamedLevel[] {
  const changed: StreamedLevel[] = [];
  let at = 0;
  for (const level of after) {
    let old = before[at];
    while (old !== undefined && comparePrices(old[0], level[0]) === better) {
      changed.push(emptied(old));
      old = before[++at];
    }
    if (old?.[0] === level[0]) at++;
    if (old?.[0] !== level[0] || old[1] !== level[1] || old[2] !== level[2]) changed.push(level);
  }
  for (const gone of before.slice(at)) changed.push(emptied(gone));
  return changed;
}

/**
 * Prices of one book have the same number of decimals: the longer text is the greater, and texts of equal length compare
 * alphabetically.
 */
const comparePrices = (a: DecimalText, b: DecimalText): -1 | 0 | 1 =>
  a === b ? 0 : a.length > b.length || (a.length === b.length && a > b) ? 1 : -1;

/** A level with zero size, which removes it. */
const emptied = ([price, , retail]: StreamedLevel): StreamedLevel => (retail === undefined ? [price, "0"] : [price, "0", "0"]);
