import { Field } from "type-graphql";
import { Cost } from "./cost.js";
import { COINS, namedOf, rowsOf } from "./listLengths.js";
import { RecordType } from "./record.js";
import { Decimal } from "./scalars.js";

@RecordType("A coin that can be borrowed: at what rates and within what limits", { lasting: true })
class LoanCoin {
  @Field(() => String, { description: "Coin, for example `USDT`" })
  readonly coin!: string;

  @Field(() => Decimal, { nullable: true, description: "Hourly interest rate of a seven-day loan, as a fraction (`hourRate7D`)" })
  readonly hourlyRate7d!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Yearly interest rate of a seven-day loan, as a fraction (`rate7D`)" })
  readonly annualRate7d!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Hourly interest rate of a thirty-day loan, as a fraction (`hourRate30D`)",
  })
  readonly hourlyRate30d!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Yearly interest rate of a thirty-day loan, as a fraction (`rate30D`)" })
  readonly annualRate30d!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Least that can be borrowed, in USDT" })
  readonly minUsdt!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Most that can be borrowed, in USDT" })
  readonly maxUsdt!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Least that can be borrowed, in the coin" })
  readonly min!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Most that can be borrowed, in the coin" })
  readonly max!: string | null;
}

@RecordType("A coin that can be pledged: at what loan-to-value", {
  lasting: true,
})
class PledgeCoin {
  @Field(() => String, { description: "Coin, for example `BTC`" })
  readonly coin!: string;

  @Field(() => Decimal, { nullable: true, description: "Loan-to-value at the start, as a fraction (`initRate`)" })
  readonly initialLtv!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Loan-to-value at which the exchange asks for more collateral, as a fraction (`supRate`)",
  })
  readonly marginCallLtv!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Loan-to-value at which the collateral is liquidated, as a fraction (`forceRate`)",
  })
  readonly liquidationLtv!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Least that can be pledged, in USDT" })
  readonly minUsdt!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Most that can be pledged, in USDT" })
  readonly maxUsdt!: string | null;
}

@RecordType("Terms of the exchange's crypto loans")
export class LoanTerms {
  @Cost({ rows: (_asked, place) => namedOf(place.parent.coins, rowsOf(place, "loanCoins", COINS)) })
  @Field(() => [LoanCoin], { nullable: "items", description: "Coins that can be borrowed (`loanInfos`)" })
  readonly loanCoins!: readonly (LoanCoin | Error)[];

  @Cost({ rows: (_asked, place) => namedOf(place.parent.coins, rowsOf(place, "pledgeCoins", COINS)) })
  @Field(() => [PledgeCoin], { nullable: "items", description: "Coins that can be pledged (`pledgeInfos`)" })
  readonly pledgeCoins!: readonly (PledgeCoin | Error)[];
}
