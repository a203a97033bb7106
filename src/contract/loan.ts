import { decimal, type Decoded, list, listOf, optionalTime, record, text, time, token } from "./codec.js";
import { endpoint, PRIVATE_HISTORY, PRIVATE_STATE, perSecond } from "./endpoint.js";
import { coinName, maybe, oneOf, pageSize, required, timestamp, whole, words } from "./parameter.js";

/** Crypto loans: coins borrowed against a pledge of other coins. */

/** How a loan ended: the grant failed, it was liquidated, it was repaid. */
export const LOAN_STATUSES = ["ROLLBACK", "FORCE", "REPAY"] as const;

/** Loan keys have a permission of their own, to read and to write; writing includes reading. */
const READ_PERMISSIONS = ["pllr", "pllw"];

export const ongoingLoan = record({
  orderId: text("Loan order identifier"),
  loanCoin: text("Coin loaned"),
  loanAmount: decimal("Amount owed without interest, in the loan coin"),
  interestAmount: decimal("Interest accrued, in the loan coin"),
  hourInterestRate: decimal("Hourly interest rate, in percent"),
  pledgeCoin: text("Collateral coin"),
  pledgeAmount: decimal("Collateral, in the pledge coin"),
  pledgeRate: decimal("Loan-to-value now, in percent"),
  supRate: decimal("Loan-to-value at which more collateral is asked for, in percent"),
  forceRate: decimal("Loan-to-value at which the collateral is liquidated, in percent"),
  borrowTime: time("When the loan was taken"),
  expireTime: optionalTime("When the loan falls due; a flexible loan has no such date"),
});
export type OngoingLoan = Decoded<typeof ongoingLoan>;

export const closedLoan = record({
  orderId: text("Loan order identifier"),
  loanCoin: text("Coin loaned"),
  pledgeCoin: text("Collateral coin"),
  initPledgeAmount: decimal("Collateral at the start, in the pledge coin"),
  initLoanAmount: decimal("Amount borrowed, in the loan coin"),
  hourRate: decimal("Hourly interest rate, in percent"),
  // A number of days in places, a term such as SEVEN, THIRTY or FLEXIBLE in others.
  daily: text("Pledge days"),
  borrowTime: time("When the loan was taken"),
  status: token("How the loan ended", LOAN_STATUSES),
});
export type ClosedLoan = Decoded<typeof closedLoan>;

const debt = record({
  coin: text("Coin"),
  amount: decimal("Amount of the coin"),
  amountUsdt: decimal("The amount's value in USDT"),
});

export const debts = record({
  loanInfos: list("What is owed, per coin", debt),
  pledgeInfos: list("What is pledged, per coin", debt),
});
export type Debts = Decoded<typeof debts>;

const loanFilters = {
  orderId: maybe("Loan order identifier", words()),
  loanCoin: maybe("Coin loaned", coinName()),
  pledgeCoin: maybe("Collateral coin", coinName()),
};

const closedLoanPages = {
  startTime: required("From here on; the past three months can be read", timestamp()),
  endTime: required("Up to here", timestamp()),
  pageNo: maybe("Page number", whole({ min: 1, fallback: 1 })),
  pageSize: maybe("Page size", pageSize(10, 100)),
};

export const loanOngoing = endpoint({
  name: "loanOngoing",
  doc: "Loans that are running",
  method: "GET",
  path: "/api/v2/earn/loan/ongoing-orders",
  generation: "v2",
  access: "private",
  serves: "BOTH",
  permissions: READ_PERMISSIONS,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_STATE,
  parameters: loanFilters,
  data: listOf(ongoingLoan),
});

export const loanHistory = endpoint({
  name: "loanHistory",
  doc: "Loans of the past three months that are over",
  method: "GET",
  path: "/api/v2/earn/loan/borrow-history",
  generation: "v2",
  access: "private",
  serves: "BOTH",
  permissions: READ_PERMISSIONS,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: {
    ...loanFilters,
    status: maybe("How the loan ended", oneOf(LOAN_STATUSES)),
    ...closedLoanPages,
  },
  window: { from: "startTime", to: "endTime", age: { months: 3 } },
  data: listOf(closedLoan),
});

export const loanDebts = endpoint({
  name: "loanDebts",
  doc: "What the account owes and has pledged, per coin",
  method: "GET",
  path: "/api/v2/earn/loan/debts",
  generation: "v2",
  access: "private",
  serves: "BOTH",
  permissions: READ_PERMISSIONS,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_STATE,
  parameters: {},
  data: debts,
});
