import { closedLoan, debt, loanCoin, loanReduction, loanRepayment, ongoingLoan, pledgeCoin } from "@exchange-graph/contract/loan";
import { Field } from "type-graphql";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { Cost } from "./cost.js";
import { accountCoins, COINS, namedOf, rowsOf } from "./listLengths.js";
import { Node } from "./node.js";
import { RecordType, recordOf } from "./record.js";

@RecordType("A crypto loan that is running: coins borrowed against a pledge of other coins", { implements: Node })
export class LoanOrder extends recordOf(ongoingLoan) {
  @Field(() => Account, { description: "The account that borrowed" })
  readonly account!: Account;
}

@RecordType("A crypto loan that is over")
class ClosedLoan extends recordOf(closedLoan) {}

export const ClosedLoanConnection = connectionOf(ClosedLoan);
export type ClosedLoanConnection = ConnectionOf<ClosedLoan>;

@RecordType("What is owed, or pledged, in one coin")
class DebtEntry extends recordOf(debt) {}

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

@RecordType("A coin that can be borrowed: at what rates and within what limits", { lasting: true })
class LoanCoin extends recordOf(loanCoin) {}

@RecordType("A coin that can be pledged: at what loan-to-value", {
  lasting: true,
})
class PledgeCoin extends recordOf(pledgeCoin) {}

@RecordType("Terms of the exchange's crypto loans")
export class LoanTerms {
  @Cost({ rows: (_asked, place) => namedOf(place.parent.coins, rowsOf(place, "loanCoins", COINS)) })
  @Field(() => [LoanCoin], { nullable: "items", description: "Coins that can be borrowed (`loanInfos`)" })
  readonly loanCoins!: readonly (LoanCoin | Error)[];

  @Cost({ rows: (_asked, place) => namedOf(place.parent.coins, rowsOf(place, "pledgeCoins", COINS)) })
  @Field(() => [PledgeCoin], { nullable: "items", description: "Coins that can be pledged (`pledgeInfos`)" })
  readonly pledgeCoins!: readonly (PledgeCoin | Error)[];
}

@RecordType("A repayment of a crypto loan")
class LoanRepayment extends recordOf(loanRepayment) {}

export const LoanRepaymentConnection = connectionOf(LoanRepayment);
export type LoanRepaymentConnection = ConnectionOf<LoanRepayment>;

@RecordType("Collateral of a crypto loan that the exchange sold, because its value had become too low for the loan")
class LoanReduction extends recordOf(loanReduction) {}

export const LoanReductionConnection = connectionOf(LoanReduction);
export type LoanReductionConnection = ConnectionOf<LoanReduction>;
