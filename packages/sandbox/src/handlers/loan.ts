import { type Exact, exact, plain } from "@exchange-graph/contract/decimal";
import type { ParametersOf } from "@exchange-graph/contract/endpoint";
import { isNamed } from "@exchange-graph/contract/letterCase";
import {
  loanCoins,
  loanDebts,
  loanHistory,
  loanOngoing,
  loanReductions,
  loanRepayments,
  unifiedLoanDebts,
  unifiedLoanHistory,
  unifiedLoanOngoing,
  unifiedLoanReductions,
  unifiedLoanRepayments,
} from "@exchange-graph/contract/loan";
import type { ClosedLoan, CoinSum, Liquidation, Loan, LoanBook, LoanOutcome } from "../world/loan/loanBook.js";
import {
  FORCE_RATE,
  INITIAL_RATE,
  interestOn,
  LOAN_COINS,
  LOAN_LIMITS_IN_USDT,
  LOAN_TERMS,
  type LoanTerm,
  PLEDGE_COINS,
  PLEDGE_LIMIT_IN_USDT,
  TOP_UP_RATE,
} from "../world/loan/loanTerms.js";
import { type Handler, open, signed } from "./handler.js";
import { numberedPage, within } from "./paging.js";
import { picked, text } from "./wire/fields.js";

type Filters = ParametersOf<typeof loanOngoing>;
type PastQuery = ParametersOf<typeof loanRepayments>;

const matches =
  (filters: Filters) =>
  (loan: Loan): boolean =>
    isNamed(loan.orderId, filters.orderId) &&
    isNamed(loan.loanCoin, filters.loanCoin) &&
    isNamed(loan.pledgeCoin, filters.pledgeCoin);

/** Crypto loans: each list once for v2 and once, for unified accounts, for v3. */
export function loanHandlers(loans: LoanBook): readonly Handler[] {
  const ongoingOf = (uid: string, filters: Filters) =>
    loans
      .ongoing(uid)
      .filter(matches(filters))
      .map((loan) => ongoing(loans, loan));

  const historyOf = (uid: string, { status, ...values }: PastQuery & { readonly status?: LoanOutcome | undefined }) =>
    numberedPage(
      within(loans.closed.of(uid), values, ({ borrowTime }) => borrowTime)
        .filter(matches(values))
        .filter(({ outcome }) => (status ?? outcome) === outcome),
      values,
    ).map(closed);

  const debtsOf = (uid: string) => {
    const { due, pledged } = loans.debts(uid);
    return { loanInfos: due.map(debt), pledgeInfos: pledged.map(debt) };
  };

  const repaymentsOf = (uid: string, values: PastQuery) => {
    const repaid = loans.closed.of(uid).filter(({ outcome }) => outcome === "REPAY");
    const found = within(repaid, values, ({ closedTime }) => closedTime).filter(matches(values));
    return numberedPage(found, values).map(repayment);
  };

  // A liquidation completes at once here, so none is ever waiting.
  const reductionsOf = (uid: string, values: PastQuery & { readonly status?: "COMPLETE" | "WAIT" | undefined }) => {
    const inTime = within(loans.closed.of(uid), values, ({ closedTime }) => closedTime);
    const found = values.status === "WAIT" ? [] : inTime.filter(matches(values));
    const rows = found.flatMap((loan) => (loan.liquidation === undefined ? [] : [reduction(loan, loan.liquidation)]));
    return numberedPage(rows, values);
  };

  return [
    signed(loanOngoing, ({ values, uid }) => ongoingOf(uid, values)),
    signed(unifiedLoanOngoing, ({ values, uid }) => ongoingOf(uid, values)),
    signed(loanHistory, ({ values, uid }) => historyOf(uid, values)),
    signed(unifiedLoanHistory, ({ values, uid }) => historyOf(uid, { ...values, pageNo: values.pageNum })),
    signed(loanDebts, ({ uid }) => debtsOf(uid)),
    signed(unifiedLoanDebts, ({ uid }) => debtsOf(uid)),
    signed(loanRepayments, ({ values, uid }) => repaymentsOf(uid, values)),
    signed(unifiedLoanRepayments, ({ values, uid }) => repaymentsOf(uid, { ...values, pageNo: values.pageNum })),
    signed(loanReductions, ({ values, uid }) => reductionsOf(uid, values)),
    signed(unifiedLoanReductions, ({ values, uid }) => reductionsOf(uid, { ...values, pageNo: values.pageNum })),

    open(loanCoins, ({ values }) => {
      const isMeant = (coin: string) => isNamed(coin, values.coin);
      return {
        loanInfos: LOAN_COINS.filter(isMeant).map((coin) => borrowable(coin, loans.office.usdtPrice(coin))),
        pledgeInfos: PLEDGE_COINS.filter(isMeant).map(pledgeable),
      };
    }),
  ];
}

function ongoing(loans: LoanBook, loan: Loan): unknown {
  const { durationMs, hourRate } = loan.term;
  return {
    ...picked(loan, "orderId", "loanCoin", "pledgeCoin"),
    loanAmount: plain(loan.loanAmount),
    interestAmount: plain(loans.interestOf(loan)),
    hourInterestRate: hourRate,
    pledgeAmount: plain(loan.pledgeAmount),
    pledgeRate: plain(loans.pledgeRateOf(loan)),
    supRate: plain(TOP_UP_RATE),
    forceRate: plain(FORCE_RATE),
    borrowTime: String(loan.borrowTime),
    expireTime: durationMs === undefined ? "" : String(loan.borrowTime + durationMs),
  };
}

const closed = (loan: ClosedLoan): unknown => ({
  ...picked(loan, "orderId", "loanCoin", "pledgeCoin"),
  initPledgeAmount: plain(loan.pledgeAmount),
  initLoanAmount: plain(loan.loanAmount),
  hourRate: loan.term.hourRate,
  daily: loan.term.daily,
  borrowTime: String(loan.borrowTime),
  status: loan.outcome,
});

const debt = ({ coin, amount, amountUsdt }: CoinSum): unknown => ({
  coin,
  amount: plain(amount),
  amountUsdt: text(amountUsdt),
});

function repayment(loan: ClosedLoan): unknown {
  const interest = interestOn(loan.loanAmount, loan.term.hourRate, loan.borrowTime, loan.closedTime);
  return {
    ...picked(loan, "orderId", "loanCoin", "pledgeCoin"),
    repayAmount: plain(loan.loanAmount.plus(interest)),
    payInterest: plain(interest),
    repayLoanAmount: plain(loan.loanAmount),
    repayUnlockAmount: plain(loan.pledgeAmount),
    repayTime: String(loan.closedTime),
  };
}

/** The key of the returned amount is misspelled on the wire. */
function reduction(loan: ClosedLoan, { pledgeRate, price, taken }: Liquidation): unknown {
  const left = plain(loan.pledgeAmount.minus(taken));
  return {
    ...picked(loan, "orderId", "loanCoin", "pledgeCoin"),
    reduceTime: String(loan.closedTime),
    pledgeRate: plain(pledgeRate),
    pledgePrice: plain(price),
    status: "COMPLETE",
    pledgeAmount: plain(taken),
    reduceFee: "0",
    residueAmount: left,
    runlockAmount: left,
    repayLoanAmount: plain(loan.loanAmount),
  };
}

const PERCENT = exact("100");
const HOURS_PER_YEAR = exact("8760");
/** Rates are fractions here, and percent in the account's own loans. */
const asFraction = (percent: Exact): string => plain(percent.div(PERCENT));
const hourly = ({ hourRate }: LoanTerm): string => asFraction(exact(hourRate));
const yearly = ({ hourRate }: LoanTerm): string => asFraction(exact(hourRate).times(HOURS_PER_YEAR));

const borrowable = (coin: string, price: Exact): unknown => ({
  coin,
  hourRate7D: hourly(LOAN_TERMS.seven),
  rate7D: yearly(LOAN_TERMS.seven),
  hourRate30D: hourly(LOAN_TERMS.thirty),
  rate30D: yearly(LOAN_TERMS.thirty),
  minUsdt: plain(LOAN_LIMITS_IN_USDT.min),
  maxUsdt: plain(LOAN_LIMITS_IN_USDT.max),
  min: text(LOAN_LIMITS_IN_USDT.min.div(price)),
  max: text(LOAN_LIMITS_IN_USDT.max.div(price)),
});

const pledgeable = (coin: string): unknown => ({
  coin,
  initRate: asFraction(INITIAL_RATE),
  supRate: asFraction(TOP_UP_RATE),
  forceRate: asFraction(FORCE_RATE),
  minUsdt: "0",
  maxUsdt: plain(PLEDGE_LIMIT_IN_USDT),
});
