import { Field } from "type-graphql";
import { RecordType } from "../record.js";
import { Decimal } from "../scalars.js";

@RecordType(
  "What an order would cost at the current price, and what the account has for it. Nothing is reserved. Calculated by this gateway: the exchange's figures may differ slightly",
)
export class OrderEstimate {
  @Field(() => Decimal, {
    description: "The price used, in quote coin: the order's own, its trigger's, or the last price",
  })
  readonly price!: string;

  @Field(() => Decimal, { description: "What the order is worth at that price, in `costCoin`" })
  readonly cost!: string;

  @Field(() => String, { description: "The quote coin" })
  readonly costCoin!: string;

  @Field(() => Decimal, {
    nullable: true,
    description: "The symbol's default taker fee, as a fraction; an account may pay less. Null where it is not known",
  })
  readonly feeRate!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "The fee at that rate, in `costCoin`. On spot it is taken from what is received. Null where the rate is not known",
  })
  readonly fee!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "The leverage that is set, or that a position of the symbol has: of a futures symbol, or of the coin that MARGIN borrows; null on SPOT, and where the exchange does not send it",
  })
  readonly leverage!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "Margin that is needed, in `requiredCoin`: on futures for what is added to positions, on MARGIN the coins themselves; null on SPOT, and where the leverage is not known",
  })
  readonly margin!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "What the account needs for it, in `requiredCoin`: margin and fee on futures, otherwise the coins that are given",
  })
  readonly required!: string | null;

  @Field(() => String, { description: "The coin that it needs: margin coin, quote coin of a buy, base coin of a sell" })
  readonly requiredCoin!: string;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "What the account has for it, in `requiredCoin`: free coins on SPOT, on MARGIN with what could be borrowed, free margin on futures. Null where the exchange does not send it",
  })
  readonly available!: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Is `available` at least `required`? Null where one of the two is not known",
  })
  readonly isAffordable!: boolean | null;

  @Field(() => Decimal, {
    nullable: true,
    description:
      "The most that could be ordered at this price, in base coin: by what the account has and by the symbol's rules for one order",
  })
  readonly maxQty!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "The most that a market buy on SPOT and MARGIN could spend, in quote coin; null for all other orders",
  })
  readonly maxQuoteQty!: string | null;
}
