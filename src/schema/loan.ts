import { Field } from "type-graphql";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { Cost } from "./cost.js";
import { LoanStatus } from "./enums/loan.js";
import { accountCoins } from "./listLengths.js";
import { Node } from "./node.js";
import { EnumField, RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("A crypto loan that is running: coins borrowed against a pledge of other coins", { implements: Node })
export class LoanOrder {
  @Field(() => Account, { description: "The account that borrowed" })
  readonly account!: Account;

  @Field(() => String, { description: "The exchange's identifier of the loan" })
  readonly orderId!: string;

  @Field(() => String, { nullable: true, description: "Coin that was borrowed" })
  readonly loanCoin!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Amount owed without interest, in the loan coin" })
  readonly loanAmount!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Interest accrued, in the loan coin" })
  readonly interestAmount!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Hourly interest rate, as a fraction (`hourInterestRate`)" })
  readonly hourlyRate!: string | null;

  @Field(() => String, { nullable: true, description: "Collateral coin (pledge coin)" })
  readonly pledgeCoin!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Collateral, in the pledge coin" })
  readonly pledgeAmount!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Loan-to-value as the exchange calculates it, as a fraction (`pledgeRate`)",
  })
  readonly ltv!: string | null;

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

  @Field(() => DateTime, { nullable: true, description: "When the loan was taken" })
  readonly borrowTime!: number | null;

  @Field(() => DateTime, { nullable: true, description: "When the loan falls due; null for a flexible loan" })
  readonly expireTime!: number | null;
}

@RecordType("A crypto loan that is over")
export class ClosedLoan {
  @Field(() => String, { description: "The exchange's identifier of the loan" })
  readonly orderId!: string;

  @Field(() => String, { nullable: true, description: "Coin that was borrowed" })
  readonly loanCoin!: string | null;

  @Field(() => String, { nullable: true, description: "Collateral coin (pledge coin)" })
  readonly pledgeCoin!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Collateral at the start, in the pledge coin (`initPledgeAmount`)" })
  readonly pledgeAmount!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Amount borrowed, in the loan coin (`initLoanAmount`)" })
  readonly loanAmount!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Hourly interest rate, as a fraction (`hourRate`)" })
  readonly hourlyRate!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Pledge days: a number of days, or the exchange's word for the term such as SEVEN, THIRTY or FLEXIBLE (`daily`)",
  })
  readonly term!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When the loan was taken" })
  readonly borrowTime!: number | null;

  @EnumField(() => LoanStatus, "How the loan ended", { nullable: true })
  readonly status!: LoanStatus | null;
}

export const ClosedLoanConnection = connectionOf(ClosedLoan);
export type ClosedLoanConnection = ConnectionOf<ClosedLoan>;

@RecordType("What is owed, or pledged, in one coin")
class DebtEntry {
  @Field(() => String, { description: "Coin, for example `USDT`" })
  readonly coin!: string;

  @Field(() => Decimal, { nullable: true, description: "Amount, in the coin" })
  readonly amount!: string | null;

  @Field(() => Decimal, { nullable: true, description: "The amount's value, in USDT" })
  readonly amountUsdt!: string | null;
}

@RecordType("All that the account owes on crypto loans, and all that it has pledged")
export class Debts {
  @Cost({ rows: accountCoins })
  @Field(() => [DebtEntry], { nullable: "items", description: "What is owed, coin by coin (`loanInfos`)" })
  readonly loans!: readonly (DebtEntry | Error)[];

  @Cost({ rows: accountCoins })
  @Field(() => [DebtEntry], { nullable: "items", description: "What is pledged, coin by coin (`pledgeInfos`)" })
  readonly pledges!: readonly (DebtEntry | Error)[];
}

@RecordType("The crypto loans of an account")
export class Loans {}
