import { type Decoded, id, list, listOf, optionalDecimal, optionalText, optionalTime, optionalToken, record } from "./codec.js";
import { endpoint, PRIVATE_HISTORY, PRIVATE_STATE, perSecond, REFERENCE_DATA } from "./endpoint.js";
import { coinName, maybe, oneOf, pageSize, required, timestamp, whole, words } from "./parameter.js";
import { optionalPercent } from "./percent.js";
import { LOANS_READ } from "./permissions.js";

/** Crypto loans: coins borrowed against a pledge of other coins. */

/** How a loan ended: the grant failed, it was liquidated, it was repaid. */
export const LOAN_STATUSES = ["ROLLBACK", "FORCE", "REPAY"] as const;
/** Whether the exchange has finished selling collateral. */
export const LOAN_REDUCTION_STATUSES = ["COMPLETE", "WAIT"] as const;

export const ongoingLoan = record({
  orderId: id("Loan order identifier"),
  loanCoin: optionalText("Coin loaned"),
  loanAmount: optionalDecimal("Amount owed without interest, in the loan coin"),
  interestAmount: optionalDecimal("Interest accrued, in the loan coin"),
  hourlyRate: optionalPercent("Hourly interest rate, as a fraction", "hourInterestRate"),
  pledgeCoin: optionalText("Collateral coin"),
  pledgeAmount: optionalDecimal("Collateral, in the pledge coin"),
  ltv: optionalPercent("Loan-to-value now, as a fraction", "pledgeRate"),
  marginCallLtv: optionalPercent("Loan-to-value at which more collateral is asked for, as a fraction", "supRate"),
  liquidationLtv: optionalPercent("Loan-to-value at which the collateral is liquidated, as a fraction", "forceRate"),
  borrowTime: optionalTime("When the loan was taken"),
  expireTime: optionalTime("When the loan falls due; a flexible loan has no such date"),
});

export const closedLoan = record({
  orderId: id("Loan order identifier"),
  loanCoin: optionalText("Coin loaned"),
  pledgeCoin: optionalText("Collateral coin"),
  pledgeAmount: optionalDecimal("Collateral at the start, in the pledge coin", "initPledgeAmount"),
  loanAmount: optionalDecimal("Amount borrowed, in the loan coin", "initLoanAmount"),
  hourlyRate: optionalPercent("Hourly interest rate, as a fraction", "hourRate"),
  // A number of days in places, a term such as SEVEN, THIRTY or FLEXIBLE in others.
  term: optionalText("Pledge days", "daily"),
  borrowTime: optionalTime("When the loan was taken"),
  status: optionalToken("How the loan ended", LOAN_STATUSES),
});
export type ClosedLoan = Decoded<typeof closedLoan>;

const debt = record({
  coin: id("Coin"),
  amount: optionalDecimal("Amount of the coin"),
  amountUsdt: optionalDecimal("The amount's value in USDT"),
});

export const debts = record({
  loans: list("What is owed, per coin", debt, "loanInfos"),
  pledges: list("What is pledged, per coin", debt, "pledgeInfos"),
});
export type Debts = Decoded<typeof debts>;

export const loanRepayment = record({
  orderId: id("Loan order identifier"),
  loanCoin: optionalText("Coin loaned"),
  pledgeCoin: optionalText("Collateral coin"),
  amount: optionalDecimal("Amount repaid with interest, in the loan coin", "repayAmount"),
  interestAmount: optionalDecimal("Interest paid, in the loan coin", "payInterest"),
  principalAmount: optionalDecimal("Amount repaid without interest, in the loan coin", "repayLoanAmount"),
  unlockedAmount: optionalDecimal("Collateral given back, in the pledge coin", "repayUnlockAmount"),
  repayTime: optionalTime("When it was repaid"),
});
export type LoanRepayment = Decoded<typeof loanRepayment>;

export const loanReduction = record({
  orderId: id("Loan order identifier"),
  loanCoin: optionalText("Coin loaned"),
  pledgeCoin: optionalText("Collateral coin"),
  reduceTime: optionalTime("When the collateral was sold"),
  ltv: optionalPercent("Loan-to-value at that time, as a fraction", "pledgeRate"),
  pledgePrice: optionalDecimal("Price of the collateral at that time"),
  status: optionalToken("Whether the sale is finished", LOAN_REDUCTION_STATUSES),
  pledgeAmount: optionalDecimal("Collateral sold, in the pledge coin"),
  fee: optionalDecimal("Liquidation fee", "reduceFee"),
  leftAmount: optionalDecimal("Collateral left over, in the pledge coin", "residueAmount"),
  unlockedAmount: optionalDecimal("Collateral given back, in the pledge coin", "runlockAmount", "unlockAmount"),
  principalAmount: optionalDecimal("Amount repaid, in the loan coin", "repayLoanAmount"),
});
export type LoanReduction = Decoded<typeof loanReduction>;

export const loanCoin = record({
  coin: id("Coin that can be borrowed"),
  hourlyRate7d: optionalDecimal("Hourly interest rate of a seven-day loan, as a fraction", "hourRate7D"),
  annualRate7d: optionalDecimal("Yearly interest rate of a seven-day loan, as a fraction", "rate7D"),
  hourlyRate30d: optionalDecimal("Hourly interest rate of a thirty-day loan, as a fraction", "hourRate30D"),
  annualRate30d: optionalDecimal("Yearly interest rate of a thirty-day loan, as a fraction", "rate30D"),
  minUsdt: optionalDecimal("Least that can be borrowed, in USDT"),
  maxUsdt: optionalDecimal("Most that can be borrowed, in USDT"),
  min: optionalDecimal("Least that can be borrowed, in the coin"),
  max: optionalDecimal("Most that can be borrowed, in the coin"),
});

/** On the wire these are fractions, where the account's own loans carry percent. */
export const pledgeCoin = record({
  coin: id("Coin that can be pledged"),
  initialLtv: optionalDecimal("Loan-to-value at the start, as a fraction", "initRate"),
  marginCallLtv: optionalDecimal("Loan-to-value at which more collateral is asked for, as a fraction", "supRate"),
  liquidationLtv: optionalDecimal("Loan-to-value at which the collateral is liquidated, as a fraction", "forceRate"),
  minUsdt: optionalDecimal("Least that can be pledged, in USDT"),
  maxUsdt: optionalDecimal("Most that can be pledged, in USDT"),
});

export const loanTerms = record({
  loanCoins: list("Coins that can be borrowed", loanCoin, "loanInfos"),
  pledgeCoins: list("Coins that can be pledged", pledgeCoin, "pledgeInfos"),
});
export type LoanTerms = Decoded<typeof loanTerms>;

const loanFilters = {
  orderId: maybe("Loan order identifier", words()),
  loanCoin: maybe("Coin loaned", coinName()),
  pledgeCoin: maybe("Collateral coin", coinName()),
};

/** What the account's past is asked for by: the past three months, in numbered pages. */
const pastPages = {
  startTime: required("From here on; the past three months can be read", timestamp()),
  endTime: required("Up to here", timestamp()),
  pageNo: maybe("Page number", whole({ min: 1, fallback: 1 })),
  pageSize: maybe("Page size", pageSize(10, 100)),
};

const PAST_WINDOW = { from: "startTime", to: "endTime", age: { months: 3 } } as const;

export const loanOngoing = endpoint({
  name: "loanOngoing",
  doc: "Loans that are running",
  method: "GET",
  path: "/api/v2/earn/loan/ongoing-orders",
  apiVersion: "v2",
  access: "private",
  serves: "BOTH",
  permissions: LOANS_READ,
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
  apiVersion: "v2",
  access: "private",
  serves: "BOTH",
  permissions: LOANS_READ,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: {
    ...loanFilters,
    status: maybe("How the loan ended", oneOf(LOAN_STATUSES)),
    ...pastPages,
  },
  window: PAST_WINDOW,
  data: listOf(closedLoan),
});

export const loanDebts = endpoint({
  name: "loanDebts",
  doc: "What the account owes and has pledged, per coin",
  method: "GET",
  path: "/api/v2/earn/loan/debts",
  apiVersion: "v2",
  access: "private",
  serves: "BOTH",
  permissions: LOANS_READ,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_STATE,
  parameters: {},
  data: debts,
});

export const loanRepayments = endpoint({
  name: "loanRepayments",
  doc: "Repayments of the past three months",
  method: "GET",
  path: "/api/v2/earn/loan/repay-history",
  apiVersion: "v2",
  access: "private",
  serves: "BOTH",
  permissions: LOANS_READ,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: { ...loanFilters, ...pastPages },
  window: PAST_WINDOW,
  data: listOf(loanRepayment),
});

export const loanReductions = endpoint({
  name: "loanReductions",
  doc: "Collateral that the exchange sold in the past three months because a loan outgrew it",
  method: "GET",
  path: "/api/v2/earn/loan/reduces",
  apiVersion: "v2",
  access: "private",
  serves: "BOTH",
  permissions: LOANS_READ,
  rate: perSecond(10, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: {
    ...loanFilters,
    status: maybe("Whether the sale is finished", oneOf(LOAN_REDUCTION_STATUSES)),
    ...pastPages,
  },
  window: PAST_WINDOW,
  data: listOf(loanReduction),
});

export const loanCoins = endpoint({
  name: "loanCoins",
  doc: "Coins that can be borrowed or pledged, at what rates and within what limits",
  method: "GET",
  path: "/api/v2/earn/loan/public/coinInfos",
  apiVersion: "v2",
  access: "public",
  serves: "BOTH",
  rate: perSecond(10, "IP"),
  cache: REFERENCE_DATA,
  parameters: { coin: maybe("Coin", coinName()) },
  data: loanTerms,
});
