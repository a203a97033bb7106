import { loanDebts, loanHistory, loanOngoing } from "../../contract/loan.js";
import { plain, truncated } from "../../decimal.js";
import type { ClosedLoan, CoinSum, Loan, LoanBook } from "../world/loan/loanBook.js";
import { FORCE_RATE, SUPPLEMENT_RATE } from "../world/loan/terms.js";
import { type Handler, signed } from "./handler.js";
import { numberedPage, within } from "./paging.js";

/** Decimals of a value in USDT. */
const VALUE_PLACES = 8;

const isGiven = (given: string | undefined, of: string): boolean => given === undefined || given.toUpperCase() === of;

/** The three filters that loan calls share. */
const matches =
  (given: {
    readonly orderId?: string | undefined;
    readonly loanCoin?: string | undefined;
    readonly pledgeCoin?: string | undefined;
  }) =>
  (loan: Loan): boolean =>
    isGiven(given.orderId, loan.orderId) && isGiven(given.loanCoin, loan.loanCoin) && isGiven(given.pledgeCoin, loan.pledgeCoin);

/** Crypto loans. */
export const loanHandlers = (loans: LoanBook): readonly Handler[] => [
  signed(loanOngoing, ({ values, uid }) =>
    loans
      .ongoing(uid)
      .filter(matches(values))
      .map((loan) => ongoing(loans, loan)),
  ),

  signed(loanHistory, ({ values, uid }) => {
    const { startTime, endTime, status } = values;
    const found = within(loans.closed(uid), ({ borrowTime }) => borrowTime, startTime, endTime)
      .filter(matches(values))
      .filter(({ outcome }) => (status ?? outcome) === outcome);
    return numberedPage(found, values).map(closed);
  }),

  signed(loanDebts, ({ uid }) => {
    const { owed, pledged } = loans.debts(uid);
    return { loanInfos: owed.map(debt), pledgeInfos: pledged.map(debt) };
  }),
];

function ongoing(loans: LoanBook, loan: Loan): unknown {
  const { interest, pledgeRate } = loans.stateOf(loan);
  const { durationMs, hourRate } = loan.term;
  return {
    orderId: loan.orderId,
    loanCoin: loan.loanCoin,
    loanAmount: plain(loan.loanAmount),
    interestAmount: plain(interest),
    hourInterestRate: hourRate,
    pledgeCoin: loan.pledgeCoin,
    pledgeAmount: plain(loan.pledgeAmount),
    pledgeRate: plain(pledgeRate),
    supRate: plain(SUPPLEMENT_RATE),
    forceRate: plain(FORCE_RATE),
    borrowTime: String(loan.borrowTime),
    expireTime: durationMs === undefined ? "" : String(loan.borrowTime + durationMs),
  };
}

const closed = (loan: ClosedLoan): unknown => ({
  orderId: loan.orderId,
  loanCoin: loan.loanCoin,
  pledgeCoin: loan.pledgeCoin,
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
  amountUsdt: plain(truncated(amountUsdt, VALUE_PLACES)),
});
