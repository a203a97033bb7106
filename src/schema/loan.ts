import { closedLoan, debt, loanCoin, loanReduction, loanRepayment, ongoingLoan, pledgeCoin } from "@exchange-graph/contract/loan";
import { Account } from "./account.js";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { of, partialListOf } from "./fields.js";
import { accountCoins, COINS, namedOf, rowsOf } from "./listLengths.js";
import { Node } from "./node.js";
import { extended, fieldsOf, RecordType, recordOf } from "./record.js";

@RecordType("A running crypto loan: coins borrowed against a pledge of other coins", { implements: Node })
export class LoanOrder extends extended(recordOf(ongoingLoan), { account: of(Account)("The account that borrowed") }) {}

@RecordType("A crypto loan that has ended")
class ClosedLoan extends recordOf(closedLoan) {}

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
class LoanCoin extends recordOf(loanCoin) {}

@RecordType("A coin that can be pledged, with its loan-to-value ratios", {
  lasting: true,
})
class PledgeCoin extends recordOf(pledgeCoin) {}

@RecordType("Terms of the exchange's crypto loans")
export class LoanTerms extends fieldsOf({
  loanCoins: partialListOf(LoanCoin, (_asked, place) => namedOf(place.parent.coins, rowsOf(place, "loanCoins", COINS)))(
    "Coins that can be borrowed (`loanInfos`)",
  ),
  pledgeCoins: partialListOf(PledgeCoin, (_asked, place) => namedOf(place.parent.coins, rowsOf(place, "pledgeCoins", COINS)))(
    "Coins that can be pledged (`pledgeInfos`)",
  ),
}) {}

@RecordType("A repayment of a crypto loan")
class LoanRepayment extends recordOf(loanRepayment) {}

export const LoanRepaymentConnection = connectionOf(LoanRepayment);
export type LoanRepaymentConnection = ConnectionOf<LoanRepayment>;

@RecordType("Collateral of a crypto loan that the exchange sold, because the loan-to-value had become too high")
class LoanReduction extends recordOf(loanReduction) {}

export const LoanReductionConnection = connectionOf(LoanReduction);
export type LoanReductionConnection = ConnectionOf<LoanReduction>;
