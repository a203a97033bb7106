import { LOAN_REDUCTION_STATUSES, LOAN_STATUSES } from "@exchange-graph/contract/loan";
import { openEnumWithInput } from "./exchangeEnum.js";

export const [, LoanStatusInput] = openEnumWithInput("LoanStatus", LOAN_STATUSES, "How a loan ended", {
  ROLLBACK: "The grant failed and was taken back",
  FORCE: "The collateral was liquidated",
  REPAY: "It was repaid",
});

export const [, LoanReductionStatusInput] = openEnumWithInput(
  "LoanReductionStatus",
  LOAN_REDUCTION_STATUSES,
  "Whether a sale of collateral is finished",
  {
    COMPLETE: "It is finished",
    WAIT: "It is under way",
  },
);
