import { closedLoan, debt, ongoingLoan } from "@exchange-graph/contract/loan";
import { Field } from "type-graphql";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { Cost } from "./cost.js";
import { accountCoins } from "./listLengths.js";
import { Node } from "./node.js";
import { RecordType, recordOf } from "./record.js";

@RecordType("A crypto loan that is running: coins borrowed against a pledge of other coins", { implements: Node })
export class LoanOrder extends recordOf(ongoingLoan) {
  @Field(() => Account, { description: "The account that borrowed" })
  readonly account!: Account;
}

@RecordType("A crypto loan that is over")
export class ClosedLoan extends recordOf(closedLoan) {}

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
