import { Field, Int } from "type-graphql";
import { RecordType } from "./record.js";
import { Decimal } from "./scalars.js";

@RecordType("What a trade costs, as fractions of its value. An account may have rates of its own")
export class FeeRates {
  @Field(() => Decimal, {
    nullable: true,
    description: "For an order that rests in the book first (`makerFeeRate`), as a fraction: 0.001 is 0.1 %",
  })
  readonly maker!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "For an order that trades at once (`takerFeeRate`), as a fraction: 0.001 is 0.1 %",
  })
  readonly taker!: string | null;
}

@RecordType("How many decimals the numbers of an order may have")
export class Precision {
  @Field(() => Int, { nullable: true, description: "Decimals of a price (`pricePrecision`)" })
  readonly price!: number | null;

  @Field(() => Int, { nullable: true, description: "Decimals of a quantity in base coin (`quantityPrecision`)" })
  readonly quantity!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: "Decimals of an amount in quote coin (`quotePrecision`); null where the exchange does not say",
  })
  readonly quote!: number | null;
}

@RecordType("How small and how large an order may be")
export class TradeSize {
  @Field(() => Decimal, { nullable: true, description: "Smallest order, in base coin (`minTradeAmount`)" })
  readonly min!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Largest order, in base coin (`maxTradeAmount`)" })
  readonly max!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Smallest order, in USDT (`minTradeUSDT`)" })
  readonly minUsdt!: string | null;
}

@RecordType("How far from the market an order may be priced")
export class PriceLimits {
  @Field(() => Decimal, {
    nullable: true,
    description: "How far above the market a buy may be (`buyLimitPriceRatio`), as a fraction: 0.05 is 5 %",
  })
  readonly buy!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "How far below the market a sell may be (`sellLimitPriceRatio`), as a fraction: 0.05 is 5 %",
  })
  readonly sell!: string | null;
}
