import { endpoint, PRIVATE_HISTORY, perSecond, WATCHED_STATE } from "./endpoint.js";
import { listOf } from "./lists.js";
import {
  closedLoan,
  debts,
  LOAN_REDUCTION_STATUSES,
  LOAN_STATUSES,
  loanFilters,
  loanReduction,
  loanRepayment,
  ongoingLoan,
  PAST_LOANS,
} from "./loan.js";
import { maybe, oneOf, pageSize, required, timestamp, whole } from "./parameter.js";
import { UNIFIED_MANAGEMENT_READ } from "./permissions.js";

/** Crypto loans of unified accounts: the records of `loan.ts` under v3's paths, where a page is `pageNum`. */

const pastPages = {
  startTime: required("From here on; the past three months can be read", timestamp()),
  endTime: required("Up to here", timestamp()),
  pageNum: maybe("Page number", whole({ min: 1, fallback: 1 })),
  pageSize: maybe("Page size", pageSize(10, 100)),
};

export const unifiedLoanOngoing = endpoint({
  name: "unifiedLoanOngoing",
  doc: "Loans of a unified account that are running",
  method: "GET",
  path: "/api/v3/loan/borrow-ongoing",
  apiVersion: "v3",
  access: "private",
  serves: "UNIFIED",
  permissions: UNIFIED_MANAGEMENT_READ,
  rate: perSecond(10, "UID"),
  cache: WATCHED_STATE,
  parameters: loanFilters,
  data: listOf(ongoingLoan),
});

export const unifiedLoanHistory = endpoint({
  name: "unifiedLoanHistory",
  doc: "Loans of a unified account in the past three months that are over",
  method: "GET",
  path: "/api/v3/loan/borrow-history",
  apiVersion: "v3",
  access: "private",
  serves: "UNIFIED",
  permissions: UNIFIED_MANAGEMENT_READ,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: {
    ...loanFilters,
    status: maybe("How the loan ended", oneOf(LOAN_STATUSES)),
    ...pastPages,
  },
  window: PAST_LOANS,
  data: listOf(closedLoan),
});

export const unifiedLoanDebts = endpoint({
  name: "unifiedLoanDebts",
  doc: "What a unified account owes and has pledged, per coin",
  method: "GET",
  path: "/api/v3/loan/debts",
  apiVersion: "v3",
  access: "private",
  serves: "UNIFIED",
  permissions: UNIFIED_MANAGEMENT_READ,
  rate: perSecond(10, "UID"),
  cache: WATCHED_STATE,
  parameters: {},
  data: debts,
});

export const unifiedLoanRepayments = endpoint({
  name: "unifiedLoanRepayments",
  doc: "Repayments of a unified account in the past three months",
  method: "GET",
  path: "/api/v3/loan/repay-history",
  apiVersion: "v3",
  access: "private",
  serves: "UNIFIED",
  permissions: UNIFIED_MANAGEMENT_READ,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: { ...loanFilters, ...pastPages },
  window: PAST_LOANS,
  data: listOf(loanRepayment),
});

export const unifiedLoanReductions = endpoint({
  name: "unifiedLoanReductions",
  doc: "Collateral that the exchange sold in the past three months because a loan of a unified account outgrew it",
  method: "GET",
  path: "/api/v3/loan/reduces",
  apiVersion: "v3",
  access: "private",
  serves: "UNIFIED",
  permissions: UNIFIED_MANAGEMENT_READ,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: {
    ...loanFilters,
    status: maybe("Whether the sale is finished", oneOf(LOAN_REDUCTION_STATUSES)),
    ...pastPages,
  },
  window: PAST_LOANS,
  data: listOf(loanReduction),
});
