import { endpoint, PRIVATE_HISTORY, perSecond, WATCHED_STATE } from "./endpoint.js";
import { listOf } from "./lists.js";
import {
  closedLoan,
  closedLoanFilters,
  debts,
  loanFilters,
  loanPage,
  loanReduction,
  loanRepayment,
  ongoingLoan,
  PAST_LOANS,
  pastLoans,
  reductionFilters,
} from "./loan.js";
import { UNIFIED_MANAGEMENT_READ } from "./permissions.js";

/** Crypto loans of unified accounts: the records of `loan.ts` under v3's paths, where a page is `pageNum`. */

const PRIVATE = { permissions: UNIFIED_MANAGEMENT_READ, rate: perSecond(10, "UID") };

export const unifiedLoanOngoing = endpoint({
  ...PRIVATE,
  name: "unifiedLoanOngoing",
  doc: "Loans of a unified account that are running",
  path: "/api/v3/loan/borrow-ongoing",
  cache: WATCHED_STATE,
  parameters: loanFilters,
  data: listOf(ongoingLoan),
});

export const unifiedLoanHistory = endpoint({
  ...PRIVATE,
  name: "unifiedLoanHistory",
  doc: "Loans of a unified account in the past three months that are over",
  path: "/api/v3/loan/borrow-history",
  cache: PRIVATE_HISTORY,
  parameters: { ...closedLoanFilters, pageNum: loanPage },
  window: PAST_LOANS,
  data: listOf(closedLoan),
});

export const unifiedLoanDebts = endpoint({
  ...PRIVATE,
  name: "unifiedLoanDebts",
  doc: "What a unified account owes and has pledged, per coin",
  path: "/api/v3/loan/debts",
  cache: WATCHED_STATE,
  parameters: {},
  data: debts,
});

export const unifiedLoanRepayments = endpoint({
  ...PRIVATE,
  name: "unifiedLoanRepayments",
  doc: "Repayments of a unified account in the past three months",
  path: "/api/v3/loan/repay-history",
  cache: PRIVATE_HISTORY,
  parameters: { ...loanFilters, ...pastLoans, pageNum: loanPage },
  window: PAST_LOANS,
  data: listOf(loanRepayment),
});

export const unifiedLoanReductions = endpoint({
  ...PRIVATE,
  name: "unifiedLoanReductions",
  doc: "Collateral that the exchange sold in the past three months because a loan of a unified account outgrew it",
  path: "/api/v3/loan/reduces",
  cache: PRIVATE_HISTORY,
  parameters: { ...reductionFilters, pageNum: loanPage },
  window: PAST_LOANS,
  data: listOf(loanReduction),
});
