import { Field, Int } from "type-graphql";
import { type AskedArguments, Cost, type CostContext } from "./cost.js";
import { ProductCategory } from "./enums/category.js";
import { bounded } from "./listLengths.js";
import { RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

/** Levels per side if nothing is said. */
export const DEFAULT_DEPTH = 50;
const BOOK_LEVELS = 1_000;
/** Levels of a side. A book that is not asked for by a number of levels is that of a stream. */
const levels = (_asked: AskedArguments, { parent: { depth } }: CostContext): number =>
  depth === null ? DEFAULT_DEPTH : bounded(depth, BOOK_LEVELS, BOOK_LEVELS);

@RecordType("One price level of an order book")
class BookLevel {
  @Field(() => Decimal, { description: "Price of the level, in quote coin" })
  readonly price!: string;

  @Field(() => Decimal, { description: "Quantity at this price for everybody, in base coin (`size`)" })
  readonly qty!: string;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "Quantity at this price that is offered to retail only (RPI), in base coin; null unless `rpi` was requested (`rpiSize`)",
  })
  readonly rpiQty?: string | null;
}

@RecordType("The order book of a symbol")
export class OrderBook {
  @Field(() => ProductCategory, { description: "Product category; a margin pair trades in the order book of spot" })
  readonly category!: ProductCategory;

  @Field(() => String, { description: "Symbol name, for example `BTCUSDT`" })
  readonly symbol!: string;

  @Field(() => Int, {
    nullable: true,
    description:
      "Levels per side, as in the argument; null for all. With `category` and `symbol` it is the key of the book in a client's cache",
  })
  readonly depth!: number | null;

  @Cost({ rows: levels })
  @Field(() => [BookLevel], { description: "Offers to sell, lowest price first (the exchange's `a`)" })
  readonly asks!: readonly BookLevel[];

  @Cost({ rows: levels })
  @Field(() => [BookLevel], { description: "Offers to buy, highest price first (the exchange's `b`)" })
  readonly bids!: readonly BookLevel[];

  @Field(() => DateTime, { nullable: true, description: "Time of the book (the exchange's `ts`)" })
  readonly time!: number | null;

  @Field(() => Boolean, { description: "Is its stream interrupted? Then it may be out of date" })
  readonly isStale!: boolean;
}
