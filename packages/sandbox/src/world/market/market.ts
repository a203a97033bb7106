import { firstNumberOf } from "../ids.js";
import { remaining } from "../orders/order.js";
import { OrderBook } from "../orders/orderBook.js";
import { type Candle, candles, GrowingSpan, type Interval } from "./candles.js";
import { type Depth, mergedLevels, printed } from "./depth.js";
import { BOOK_DEPTH, HouseBook, type Level } from "./houseBook.js";
import { type Listing, type PriceKind, type Side, timeOf } from "./listing.js";
import { Prints } from "./prints.js";
import { recentTrades, type Trade } from "./tape.js";
import { type Ticker, tickerOf } from "./ticker.js";

/** The market of one instrument: generated liquidity around the price path, users' resting orders, and trades. */
export class Market {
  readonly house: HouseBook;
  readonly orders = new OrderBook();
  readonly prints = new Prints();
  readonly #lastDay: GrowingSpan;
  #revision = { tick: 0, count: 0n };
  #ticker: Ticker | undefined;
  /** The last order book, and how many levels of each side were asked for. */
  #depth: { readonly book: Depth; readonly levels: number } | undefined;

  constructor(readonly listing: Listing) {
    this.house = new HouseBook(listing);
    this.#lastDay = new GrowingSpan(listing.path);
  }

  /** Records that users have changed the book within a tick. */
  touch(tick: number): void {
    const count = this.#revision.tick === tick ? this.#revision.count + 1n : 1n;
    this.#revision = { tick, count };
    this.#ticker = undefined;
  }

  /** Sequence number of the book's state: increases with every tick and with every change inside one. */
  seq(tick: number): bigint {
    return firstNumberOf(timeOf(tick)) + (this.#revision.tick === tick ? this.#revision.count : 0n);
  }

  /**
   * The order book, generated liquidity and users' orders together: at least this number of levels of each side, as far as there
   * are so many, up to its full depth. Levels that nobody asks for are not computed.
   */
  depth(tick: number, levels = BOOK_DEPTH): Depth {
    const seq = this.seq(tick);
    if (this.#depth?.book.seq === seq && this.#depth.levels >= levels) return this.#depth.book;
    const { grid } = this.listing;
    const asks = mergedLevels(this.house.levels("buy", tick), this.#resting("sell"), 1, levels);
    const bids = mergedLevels(this.house.levels("sell", tick), this.#resting("buy"), -1, levels);
    const book = { asks: printed(asks, grid), bids: printed(bids, grid), seq, at: timeOf(tick) };
    this.#depth = { book, levels };
    return book;
  }

  #resting(side: Side): readonly Level[] {
    return this.orders.levels(side, (order) => this.listing.grid.units(remaining(order)));
  }

  ticker(tick: number): Ticker {
    if (this.#ticker?.at !== timeOf(tick)) this.#ticker = tickerOf(this.listing, this.prints, tick, this.#lastDay);
    return this.#ticker;
  }

  /** The latest public trades, newest first. */
  trades(tick: number, limit: number): readonly Trade[] {
    return recentTrades(this.listing, this.prints, tick, limit);
  }

  candles(
    interval: Interval,
    window: { readonly from: number; readonly to: number; readonly now: number },
    kind?: PriceKind,
  ): readonly Candle[] {
    return candles(this.listing, this.prints, interval, window, kind);
  }
}
