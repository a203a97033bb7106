import type { ArgumentValues, CostContext } from "./cost.js";
import { ProductCategory } from "./enums/category.js";
import { decimal, flag, integer, listOf, of, text, time } from "./fields.js";
import { bounded } from "./listLengths.js";
import { fieldsOf, RecordType } from "./record.js";

/** Levels per side without an argument. */
export const DEFAULT_DEPTH = 50;
const BOOK_LEVELS = 1_000;
/** Levels per side. A book without a `depth` argument is one of a stream. */
const levels = (_args: ArgumentValues, { parent: { depth } }: CostContext): number =>
  depth === null ? DEFAULT_DEPTH : bounded(depth, BOOK_LEVELS, BOOK_LEVELS);

@RecordType("One price level of an order book")
class BookLevel extends fieldsOf({
  price: decimal("Price of the level, in quote coin"),
  qty: decimal("Quantity at this price for all clients, in base coin (`size`)"),
  rpiQty: decimal.optional(
    "Quantity at this price for retail clients only (RPI), in base coin; null unless `rpi` was requested (`rpiSize`)",
  ),
}) {}

@RecordType("The order book of a symbol")
export class OrderBook extends fieldsOf({
  category: of(ProductCategory)("Product category; a margin pair trades in the order book of spot"),
  symbol: text("Symbol name, for example `BTCUSDT`"),
  depth: integer.orNull(
    "Levels per side, as in the argument; null for all. With `category` and `symbol` it is the key of the book in a client's cache",
  ),
  asks: listOf(BookLevel, levels)("Offers to sell, lowest price first (the exchange's `a`)"),
  bids: listOf(BookLevel, levels)("Offers to buy, highest price first (the exchange's `b`)"),
  time: time.orNull("Time of the book (the exchange's `ts`)"),
  isStale: flag("Whether its stream is interrupted; then it may be out of date"),
}) {}
