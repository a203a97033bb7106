import { Field, Int } from "type-graphql";
import { ProductCategory } from "./enums/category.js";
import { RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("One price of an order book, and what waits there")
class BookLevel {
  @Field(() => Decimal, { description: "Price of the level, in quote coin" })
  readonly price!: string;

  @Field(() => Decimal, { description: "Quantity at this price for everybody, in base coin (`size`)" })
  readonly qty!: string;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "Quantity at this price that is offered to retail alone (RPI), in base coin; in books that were asked for with it (`rpiSize`)",
  })
  readonly rpiQty?: string | null;
}

@RecordType("The order book of a symbol at one moment")
export class OrderBook {
  @Field(() => ProductCategory, { description: "Product category; margin trades in the books of spot" })
  readonly category!: ProductCategory;

  @Field(() => String, { description: "Symbol name, for example `BTCUSDT`" })
  readonly symbol!: string;

  @Field(() => Int, {
    nullable: true,
    description:
      "Levels per side that were asked for, null for all of them: with `category` and `symbol` the key of the book in a cache",
  })
  readonly depth!: number | null;

  @Field(() => [BookLevel], { description: "Offers to sell, lowest price first (the exchange's `a`)" })
  readonly asks!: readonly BookLevel[];

  @Field(() => [BookLevel], { description: "Offers to buy, highest price first (the exchange's `b`)" })
  readonly bids!: readonly BookLevel[];

  @Field(() => DateTime, { nullable: true, description: "When the book looked like this (the exchange's `ts`)" })
  readonly time!: number | null;

  @Field(() => Boolean, { description: "Is its stream interrupted, so that the market may have moved on?" })
  readonly isStale!: boolean;
}
