import { type Decoded, id, optionalDecimal, optionalText, optionalTime, optionalToken } from "./codec.js";
import { endpoint, PRIVATE_HISTORY, perSecond, REFERENCE_DATA, WATCHED_STATE } from "./endpoint.js";
import { list, listOf } from "./lists.js";
import { coinName, maybe, oneOf, pageSize, required, textRule, timestamp, whole } from "./parameter.js";
import { optionalPercent } from "./percent.js";
import { LOANS_READ, UNIFIED_MANAGEMENT_READ } from "./permissions.js";
import { record } from "./record.js";

/** Crypto loans: coins borrowed against a pledge of other coins. */

/** How a loan ended: the grant failed, it was liquidated, it was repaid. */
export const LOAN_STATUSES = ["ROLLBACK", "FORCE", "REPAY"] as const;
/** Whether the exchange has finished selling collateral. */
export const LOAN_REDUCTION_STATUSES = ["COMPLETE", "WAIT"] as const;

const loan = {
  orderId: id("The exchange's identifier of the loan"),
  loanCoin: optionalText("Coin that was borrowed"),
  pledgeCoin: optionalText("Collateral coin (pledge coin)"),
};

export const ongoingLoan = record({
  ...loan,
  loanAmount: optionalDecimal("Amount owed without interest, in the loan coin"),
  interestAmount: optionalDecimal("Interest accrued, in the loan coin"),
  hourlyRate: optionalPercent("Hourly interest rate, as a fraction (`hourInterestRate`)", "hourInterestRate"),
  pledgeAmount: optionalDecimal("Collateral, in the pledge coin"),
  ltv: optionalPercent("Loan-to-value as the exchange calculates it, as a fraction (`pledgeRate`)", "pledgeRate"),
  marginCallLtv: optionalPercent(
    "Loan-to-value at which the exchange asks for more collateral, as a fraction (`supRate`)",
    "supRate",
  ),
  liquidationLtv: optionalPercent(
    "Loan-to-value at which the collateral is liquidated, as a fraction (`forceRate`)",
    "forceRate",
  ),
  borrowTime: optionalTime("When the loan was taken"),
  expireTime: optionalTime("When the loan falls due; null for a flexible loan"),
});

export const closedLoan = record({
  ...loan,
  pledgeAmount: optionalDecimal("Collateral at the start, in the pledge coin (`initPledgeAmount`)", "initPledgeAmount"),
  loanAmount: optionalDecimal("Amount borrowed, in the loan coin (`initLoanAmount`)", "initLoanAmount"),
  hourlyRate: optionalPercent("Hourly interest rate, as a fraction (`hourRate`)", "hourRate"),
  // A number of days in places, a term such as SEVEN, THIRTY or FLEXIBLE in others.
  term: optionalText(
    "Pledge days: a number of days, or the exchange's word for the term such as SEVEN, THIRTY or FLEXIBLE (`daily`)",
    "daily",
  ),
  borrowTime: optionalTime("When the loan was taken"),
  status: optionalToken("How the loan ended", LOAN_STATUSES),
});
export type ClosedLoan = Decoded<typeof closedLoan>;

export const debt = record({
  coin: id("Coin, for example `USDT`"),
  amount: optionalDecimal("Amount, in the coin"),
  amountUsdt: optionalDecimal("The amount's value, in USDT"),
});

export const debts = record({
  loans: list("What is owed, per coin", debt, "loanInfos"),
  pledges: list("What is pledged, per coin", debt, "pledgeInfos"),
});

export const loanRepayment = record({
  ...loan,
  amount: optionalDecimal("Amount repaid with interest, in the loan coin (`repayAmount`)", "repayAmount"),
  interestAmount: optionalDecimal("Interest paid, in the loan coin (`payInterest`)", "payInterest"),
  principalAmount: optionalDecimal("Amount repaid without interest, in the loan coin (`repayLoanAmount`)", "repayLoanAmount"),
  unlockedAmount: optionalDecimal("Collateral given back, in the pledge coin (`repayUnlockAmount`)", "repayUnlockAmount"),
  repayTime: optionalTime("When it was repaid"),
});
export type LoanRepayment = Decoded<typeof loanRepayment>;

export const loanReduction = record({
  ...loan,
  reduceTime: optionalTime("When the collateral was sold"),
  ltv: optionalPercent("Loan-to-value at that time, as a fraction (`pledgeRate`)", "pledgeRate"),
  pledgePrice: optionalDecimal("Price of the collateral at that time, in the loan coin"),
  status: optionalToken("Whether the sale is finished", LOAN_REDUCTION_STATUSES),
  pledgeAmount: optionalDecimal("Collateral sold, in the pledge coin"),
  fee: optionalDecimal("Liquidation fee; null where the exchange names none (`reduceFee`)", "reduceFee"),
  leftAmount: optionalDecimal("Collateral left over, in the pledge coin (`residueAmount`)", "residueAmount"),
  unlockedAmount: optionalDecimal(
    "Collateral given back, in the pledge coin (`unlockAmount`, also spelt `runlockAmount`)",
    "runlockAmount",
    "unlockAmount",
  ),
  principalAmount: optionalDecimal("Amount repaid, in the loan coin (`repayLoanAmount`)", "repayLoanAmount"),
});
export type LoanReduction = Decoded<typeof loanReduction>;

export const loanCoin = record({
  coin: id("Coin, for example `USDT`"),
  hourlyRate7d: optionalDecimal("Hourly interest rate of a seven-day loan, as a fraction (`hourRate7D`)", "hourRate7D"),
  annualRate7d: optionalDecimal("Yearly interest rate of a seven-day loan, as a fraction (`rate7D`)", "rate7D"),
  hourlyRate30d: optionalDecimal("Hourly interest rate of a thirty-day loan, as a fraction (`hourRate30D`)", "hourRate30D"),
  annualRate30d: optionalDecimal("Yearly interest rate of a thirty-day loan, as a fraction (`rate30D`)", "rate30D"),
  minUsdt: optionalDecimal("Least that can be borrowed, in USDT"),
  maxUsdt: optionalDecimal("Most that can be borrowed, in USDT"),
  min: optionalDecimal("Least that can be borrowed, in the coin"),
  max: optionalDecimal("Most that can be borrowed, in the coin"),
});

/** On the wire these are fractions, where the account's own loans carry percent. */
export const pledgeCoin = record({
  coin: id("Coin, for example `BTC`"),
  initialLtv: optionalDecimal("Loan-to-value at the start, as a fraction (`initRate`)", "initRate"),
  marginCallLtv: optionalDecimal(
    "Loan-to-value at which the exchange asks for more collateral, as a fraction (`supRate`)",
    "supRate",
  ),
  liquidationLtv: optionalDecimal(
    "Loan-to-value at which the collateral is liquidated, as a fraction (`forceRate`)",
    "forceRate",
  ),
  minUsdt: optionalDecimal("Least that can be pledged, in USDT"),
  maxUsdt: optionalDecimal("Most that can be pledged, in USDT"),
});

export const loanTerms = record({
  loanCoins: list("Coins that can be borrowed", loanCoin, "loanInfos"),
  pledgeCoins: list("Coins that can be pledged", pledgeCoin, "pledgeInfos"),
});
export type LoanTerms = Decoded<typeof loanTerms>;

/** Properties that the endpoints of an account's loans share. */
const PRIVATE = { serves: "BOTH", permissions: LOANS_READ, rate: perSecond(10, "UID") } as const;

/** The same of a unified account, whose endpoints have the same records, and `pageNum` as the number of a page. */
const UNIFIED = { permissions: UNIFIED_MANAGEMENT_READ, rate: perSecond(10, "UID") } as const;

/** Filters that all lists of loans have. */
const loanFilters = {
  orderId: maybe("Loan order identifier", textRule()),
  loanCoin: maybe("Coin loaned", coinName()),
  pledgeCoin: maybe("Collateral coin", coinName()),
};

const loanPage = maybe("Page number", whole({ min: 1, fallback: 1 }));
/** Parameters of an account's history: the past three months, in numbered pages. */
const pastLoans = {
  startTime: required("From here on; the past three months can be read", timestamp()),
  endTime: required("Up to here", timestamp()),
  pageSize: maybe("Page size", pageSize(10, 100)),
};
const closedLoanFilters = { ...loanFilters, status: maybe("How the loan ended", oneOf(LOAN_STATUSES)), ...pastLoans };
const reductionFilters = {
  ...loanFilters,
  status: maybe("Whether the sale is finished", oneOf(LOAN_REDUCTION_STATUSES)),
  ...pastLoans,
};

const PAST = { cache: PRIVATE_HISTORY, window: { from: "startTime", to: "endTime", age: { months: 3 } } } as const;
const ONGOING = { cache: WATCHED_STATE, parameters: loanFilters, data: listOf(ongoingLoan) } as const;
const ENDED = { ...PAST, data: listOf(closedLoan) } as const;
const DEBTS = { cache: WATCHED_STATE, parameters: {}, data: debts } as const;
const REPAYMENTS = { ...PAST, data: listOf(loanRepayment) } as const;
const REDUCTIONS = { ...PAST, data: listOf(loanReduction) } as const;

export const loanOngoing = endpoint({
  ...PRIVATE,
  ...ONGOING,
  name: "loanOngoing",
  doc: "Loans that are running",
  path: "/api/v2/earn/loan/ongoing-orders",
});

export const unifiedLoanOngoing = endpoint({
  ...UNIFIED,
  ...ONGOING,
  name: "unifiedLoanOngoing",
  doc: "Loans of a unified account that are running",
  path: "/api/v3/loan/borrow-ongoing",
});

export const loanHistory = endpoint({
  ...PRIVATE,
  ...ENDED,
  name: "loanHistory",
  doc: "Loans of the past three months that are over",
  path: "/api/v2/earn/loan/borrow-history",
  parameters: { ...closedLoanFilters, pageNo: loanPage },
});

export const unifiedLoanHistory = endpoint({
  ...UNIFIED,
  ...ENDED,
  name: "unifiedLoanHistory",
  doc: "Loans of a unified account in the past three months that are over",
  path: "/api/v3/loan/borrow-history",
  parameters: { ...closedLoanFilters, pageNum: loanPage },
});

export const loanDebts = endpoint({
  ...PRIVATE,
  ...DEBTS,
  name: "loanDebts",
  doc: "What the account owes and has pledged, per coin",
  path: "/api/v2/earn/loan/debts",
});

export const unifiedLoanDebts = endpoint({
  ...UNIFIED,
  ...DEBTS,
  name: "unifiedLoanDebts",
  doc: "What a unified account owes and has pledged, per coin",
  path: "/api/v3/loan/debts",
});

export const loanRepayments = endpoint({
  ...PRIVATE,
  ...REPAYMENTS,
  name: "loanRepayments",
  doc: "Repayments of the past three months",
  path: "/api/v2/earn/loan/repay-history",
  parameters: { ...loanFilters, ...pastLoans, pageNo: loanPage },
});

export const unifiedLoanRepayments = endpoint({
  ...UNIFIED,
  ...REPAYMENTS,
  name: "unifiedLoanRepayments",
  doc: "Repayments of a unified account in the past three months",
  path: "/api/v3/loan/repay-history",
  parameters: { ...loanFilters, ...pastLoans, pageNum: loanPage },
});

export const loanReductions = endpoint({
  ...PRIVATE,
  ...REDUCTIONS,
  name: "loanReductions",
  doc: "Collateral that the exchange sold in the past three months because a loan outgrew it",
  path: "/api/v2/earn/loan/reduces",
  parameters: { ...reductionFilters, pageNo: loanPage },
});

export const unifiedLoanReductions = endpoint({
  ...UNIFIED,
  ...REDUCTIONS,
  name: "unifiedLoanReductions",
  doc: "Collateral that the exchange sold in the past three months because a loan of a unified account outgrew it",
  path: "/api/v3/loan/reduces",
  parameters: { ...reductionFilters, pageNum: loanPage },
});

export const loanCoins = endpoint({
  name: "loanCoins",
  doc: "Coins that can be borrowed or pledged, at what rates and within what limits",
  path: "/api/v2/earn/loan/public/coinInfos",
  rate: perSecond(10, "IP"),
  cache: REFERENCE_DATA,
  parameters: { coin: maybe("Coin", coinName()) },
  data: loanTerms,
});
