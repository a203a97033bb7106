import { Field } from "type-graphql";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { LoanReductionStatus } from "./enums/loan.js";
import { EnumField, RecordType } from "./record.js";
import { DateTime, Decimal } from "./scalars.js";

@RecordType("A repayment of a crypto loan")
export class LoanRepayment {
  @Field(() => String, { description: "The exchange's identifier of the loan" })
  readonly orderId!: string;

  @Field(() => String, { nullable: true, description: "Coin that was borrowed" })
  readonly loanCoin!: string | null;

  @Field(() => String, { nullable: true, description: "Collateral coin (pledge coin)" })
  readonly pledgeCoin!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Amount repaid with interest, in the loan coin (`repayAmount`)" })
  readonly amount!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Interest paid, in the loan coin (`payInterest`)" })
  readonly interestAmount!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Amount repaid without interest, in the loan coin (`repayLoanAmount`)" })
  readonly principalAmount!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Collateral given back, in the pledge coin (`repayUnlockAmount`)" })
  readonly unlockedAmount!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When it was repaid" })
  readonly repayTime!: number | null;
}

export const LoanRepaymentConnection = connectionOf(LoanRepayment);
export type LoanRepaymentConnection = ConnectionOf<LoanRepayment>;

@RecordType("Collateral of a crypto loan that the exchange sold, because its value had become too low for the loan")
export class LoanReduction {
  @Field(() => String, { description: "The exchange's identifier of the loan" })
  readonly orderId!: string;

  @Field(() => String, { nullable: true, description: "Coin that was borrowed" })
  readonly loanCoin!: string | null;

  @Field(() => String, { nullable: true, description: "Collateral coin (pledge coin)" })
  readonly pledgeCoin!: string | null;

  @Field(() => DateTime, { nullable: true, description: "When the collateral was sold" })
  readonly reduceTime!: number | null;

  @Field(() => Decimal, { nullable: true, description: "Loan-to-value at that time, as a fraction (`pledgeRate`)" })
  readonly ltv!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Price of the collateral at that time, in the loan coin" })
  readonly pledgePrice!: string | null;

  @EnumField(() => LoanReductionStatus, "Whether the sale is finished", { nullable: true })
  readonly status!: LoanReductionStatus | null;

  @Field(() => Decimal, { nullable: true, description: "Collateral sold, in the pledge coin" })
  readonly pledgeAmount!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Liquidation fee; null where the exchange names none (`reduceFee`)" })
  readonly fee!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Collateral left over, in the pledge coin (`residueAmount`)" })
  readonly leftAmount!: string | null;

  @Field(() => Decimal, {
    nullable: true,
    description: "Collateral given back, in the pledge coin (`unlockAmount`, also spelt `runlockAmount`)",
  })
  readonly unlockedAmount!: string | null;

  @Field(() => Decimal, { nullable: true, description: "Amount repaid, in the loan coin (`repayLoanAmount`)" })
  readonly principalAmount!: string | null;
}

export const LoanReductionConnection = connectionOf(LoanReduction);
export type LoanReductionConnection = ConnectionOf<LoanReduction>;
