import {
  BOOK_STEPS,
  classicFuturesOrderBook,
  classicSpotMergedOrderBook,
  classicSpotOrderBook,
  orderBook,
} from "@exchange-graph/contract/book";
import { type DecimalText, Exact, exact, plain } from "@exchange-graph/contract/decimal";
import type { PrintedLevel } from "../world/market/depth.js";
import type { Market } from "../world/market/market.js";
import type { Markets } from "../world/market/markets.js";
import { filledIn, type Handler, open } from "./handler.js";
import { categoryOf, listed } from "./symbols.js";
import { Verbatim } from "./wire/amounts.js";

/** Default number of levels of a merged book, and the maximum. */
const MERGED_DEFAULT = 100;
const MERGED_MOST = 500;

/** Snapshots of order books. */
export const bookHandlers = (markets: Markets): readonly Handler[] => [
  open(orderBook, ({ values }) => {
    const { asks, bids, at } = listed(markets, values.category, values.symbol).depth(markets.tick, values.limit);
    return { a: asks.slice(0, values.limit), b: bids.slice(0, values.limit), ts: String(at) };
  }),

  open(classicSpotOrderBook, ({ values }) => {
    const market = listed(markets, "SPOT", values.symbol);
    const { asks, bids, at } = market.depth(markets.tick);
    const step = stepOf(market, BOOK_STEPS.indexOf(filledIn(values.type)));
    return {
      asks: merged(asks, step, Exact.roundUp).slice(0, values.limit),
      bids: merged(bids, step, Exact.roundDown).slice(0, values.limit),
      ts: String(at),
    };
  }),

  open(classicSpotMergedOrderBook, ({ values }) => mergedBook(listed(markets, "SPOT", values.symbol), markets.tick, values)),

  open(classicFuturesOrderBook, ({ values }) => {
    const market = listed(markets, categoryOf(values.productType), values.symbol);
    const { asks, bids, ...rest } = mergedBook(market, markets.tick, values);
    return new Verbatim(`{"asks":${bareLevels(asks)},"bids":${bareLevels(bids)},${JSON.stringify(rest).slice(1)}`);
  }),
];

/** A book in coarser steps, with the requested number of levels. */
function mergedBook(
  market: Market,
  tick: number,
  { precision, limit }: { readonly precision?: string | undefined; readonly limit?: string | undefined },
) {
  const { asks, bids, at } = market.depth(tick);
  const scale = filledIn(precision);
  const step = stepOf(market, Number.parseInt(scale.slice(-1), 10));
  const levels = levelsOf(limit);
  return {
    asks: merged(asks, step, Exact.roundUp).slice(0, levels),
    bids: merged(bids, step, Exact.roundDown).slice(0, levels),
    ts: String(at),
    scale: plain(step),
    precision: scale,
    isMaxPrecision: scale === "scale0" ? "YES" : "NO",
  };
}

function levelsOf(limit: string | undefined): number {
  if (limit === undefined) return MERGED_DEFAULT;
  return limit === "max" ? MERGED_MOST : Number.parseInt(limit, 10);
}

/** The price step of a precision: each one is ten times the one before. */
const stepOf = ({ listing }: Market, coarseness: number): Exact =>
  listing.grid.tickSize.times(exact(`1${"0".repeat(coarseness)}`));

/** Levels on a coarser grid, each rounded away from the middle of the book. */
function merged(levels: readonly PrintedLevel[], step: Exact, rounding: 0 | 3): readonly PrintedLevel[] {
  const sizes = new Map<DecimalText, Exact>();
  for (const [price, size] of levels) {
    const level = plain(exact(price).div(step).round(0, rounding).times(step));
    sizes.set(level, (sizes.get(level) ?? exact("0")).plus(exact(size)));
  }
  return [...sizes].map(([price, size]) => [price, plain(size)]);
}

/** The levels of a merged futures book are bare JSON numbers, with all digits. */
const bareLevels = (levels: readonly PrintedLevel[]): string =>
  `[${levels.map(([price, size]) => `[${price},${size}]`).join(",")}]`;
