import { closedLoan, debt, loanCoin, loanReduction, loanRepayment, ongoingLoan, pledgeCoin } from "@exchange-graph/contract/loan";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { of, partialListOf } from "./fields.js";
import { accountCoins, COINS, namedOf, rowsOf } from "./listLengths.js";
import { Node } from "./node.js";
import { extended, fieldsOf, Interface, partOf, RecordType, recordOf } from "./record.js";

/** Fields of every loan, running or not. */
const LOAN = ["orderId", "loanCoin", "loanAmount", "hourlyRate", "pledgeCoin", "pledgeAmount", "borrowTime"] as const;

@Interface("A crypto loan, running or ended. `loanAmount` and `pledgeAmount` of one that has ended are those at its start")
export abstract class Loan extends extended(partOf(ongoingLoan, LOAN), { account: of(Account)("The account that borrowed") }) {}

@RecordType("A running crypto loan: coins borrowed against a pledge of other coins", { implements: [Node, Loan] })
export class LoanOrder extends extended(recordOf(ongoingLoan), { account: of(Account)("The account that borrowed") }) {}

@RecordType("A crypto loan that has ended", { implements: [Node, Loan] })
export class ClosedLoan extends extended(recordOf(closedLoan), { account: of(Account)("The account that borrowed") }) {}

export const ClosedLoanConnection = connectionOf(ClosedLoan);
export type ClosedLoanConnection = ConnectionOf<ClosedLoan>;

@RecordType("Amount owed, or pledged, in one coin")
class DebtEntry extends recordOf(debt) {}

@RecordType("Total debts and pledges of the account's crypto loans")
export class Debts extends fieldsOf({
  loans: partialListOf(DebtEntry, accountCoins)("Debts, by coin (`loanInfos`)"),
  pledges: partialListOf(DebtEntry, accountCoins)("Pledges, by coin (`pledgeInfos`)"),
}) {}

@RecordType("The crypto loans of an account")
export class Loans {}

@RecordType("A coin that can be borrowed, with its rates and limits", { lasting: true })
export class LoanCoin extends recordOf(loanCoin) {}

@RecordType("A coin that can be pledged, with its loan-to-value ratios", {
  lasting: true,
})
export class PledgeCoin extends recordOf(pledgeCoin) {}

@RecordType("Terms of the exchange's crypto loans")
export class LoanTerms extends fieldsOf({
  loanCoins: partialListOf(LoanCoin, (_args, place) => namedOf(place.parent.coins, rowsOf(place, "loanCoins", COINS)))(
    "Coins that can be borrowed (`loanInfos`)",
  ),
  pledgeCoins: partialListOf(PledgeCoin, (_args, place) => namedOf(place.parent.coins, rowsOf(place, "pledgeCoins", COINS)))(
    "Coins that can be pledged (`pledgeInfos`)",
  ),
}) {}

@RecordType("Terms of one loan's coins", { lasting: true })
export class LoanCoinTerms extends fieldsOf({
  loan: of(LoanCoin).orNull("Terms of the coin that was borrowed; null if it cannot be borrowed any more"),
  pledge: of(PledgeCoin).orNull("Terms of the collateral; null if it cannot be pledged any more"),
}) {}

@RecordType("A repayment of a crypto loan", { implements: Node })
export class LoanRepayment extends extended(recordOf(loanRepayment), { account: of(Account)("The account that repaid") }) {}

export const LoanRepaymentConnection = connectionOf(LoanRepayment);
export type LoanRepaymentConnection = ConnectionOf<LoanRepayment>;

@RecordType("Collateral of a crypto loan that the exchange sold, because the loan-to-value had become too high", {
  implements: Node,
})
export class LoanReduction extends extended(recordOf(loanReduction), {
  account: of(Account)("The account whose collateral was sold"),
}) {}

export const LoanReductionConnection = connectionOf(LoanReduction);
export type LoanReductionConnection = ConnectionOf<LoanReduction>;
