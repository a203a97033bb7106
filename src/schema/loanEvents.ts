import { loanReduction, loanRepayment } from "@exchange-graph/contract/loan";
import { type ConnectionOf, connectionOf } from "./connection.js";
import { RecordType, recordOf } from "./record.js";

@RecordType("A repayment of a crypto loan")
export class LoanRepayment extends recordOf(loanRepayment) {}

export const LoanRepaymentConnection = connectionOf(LoanRepayment);
export type LoanRepaymentConnection = ConnectionOf<LoanRepayment>;

@RecordType("Collateral of a crypto loan that the exchange sold, because its value had become too low for the loan")
export class LoanReduction extends recordOf(loanReduction) {}

export const LoanReductionConnection = connectionOf(LoanReduction);
export type LoanReductionConnection = ConnectionOf<LoanReduction>;
