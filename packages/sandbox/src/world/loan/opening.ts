import { DAY_MS, HOUR_MS } from "@exchange-graph/contract/clock";
import { type Exact, exact, truncated } from "@exchange-graph/contract/decimal";
import { asOfNow, type BackOffice } from "../backOffice.js";
import type { Random } from "../random.js";
import { type ClosedLoan, type Loan, type LoanBook, type LoanOutcome, liquidated } from "./loanBook.js";
import { AMOUNT_PLACES, FORCE_RATE, interestOn, LOAN_TERMS, type LoanTerm, PLEDGE_PER_USDT } from "./loanTerms.js";

/** Initial loans of a user. */

/** More than three pages of the largest size, all within the three months that can be requested. */
const CLOSED_LOANS = 330;
const CLOSED_SPACING_MS = 6 * HOUR_MS;
/** Maximum duration of a past loan, in hours: all of them ended before the start of the world. */
const LONGEST_HOURS = 70;
const PERCENT = exact("100");

/** Running loans: coin, value in USDT, pledge, term, and age. */
const ONGOING = [
  { loanCoin: "USDT", value: 12_000, pledgeCoin: "BTC", term: LOAN_TERMS.thirty, ageMs: 9 * DAY_MS },
  { loanCoin: "USDT", value: 3_500, pledgeCoin: "ETH", term: LOAN_TERMS.flexible, ageMs: 21 * DAY_MS },
  { loanCoin: "USDC", value: 5_000, pledgeCoin: "BTC", term: LOAN_TERMS.seven, ageMs: 2 * DAY_MS },
  { loanCoin: "ETH", value: 4_200, pledgeCoin: "USDT", term: LOAN_TERMS.flexible, ageMs: 5 * DAY_MS },
  { loanCoin: "BTC", value: 8_800, pledgeCoin: "SOL", term: LOAN_TERMS.thirty, ageMs: 13 * HOUR_MS },
] as const;

type Several<T> = readonly [T, ...T[]];

const PAIRS: Several<readonly [loanCoin: string, pledgeCoin: string]> = [
  ["USDT", "BTC"],
  ["USDT", "ETH"],
  ["USDC", "BTC"],
  ["USDT", "SOL"],
  ["BTC", "USDT"],
  ["ETH", "USDT"],
];
const TERMS: Several<LoanTerm> = [LOAN_TERMS.seven, LOAN_TERMS.thirty, LOAN_TERMS.flexible];
/** Most loans are repaid. */
const OUTCOMES: Several<LoanOutcome> = ["REPAY", "REPAY", "REPAY", "REPAY", "FORCE", "ROLLBACK"];

/** Adds running loans, with coins minted for them, and a history of ended loans to a user. */
export function openLoans(book: LoanBook, uid: string, random: Random): void {
  const { ledger, now, fundsOf } = book.office;
  const agree = agreement(book.office);
  for (const { ageMs, value, ...terms } of ONGOING) {
    const loan = agree({ uid, ...terms, value, borrowTime: now() - ageMs });
    ledger.mint(fundsOf(uid), loan.pledgeCoin, loan.pledgeAmount);
    book.grant(loan);
  }
  const past = asOfNow(book.office, CLOSED_LOANS, [...new Set(PAIRS.flat())]);
  book.closed.prepare(uid, () => closedLoans(past, uid, random));
}

function* closedLoans(past: BackOffice, uid: string, random: Random): Generator<ClosedLoan> {
  const agree = agreement(past);
  for (let at = 0; at < CLOSED_LOANS; at++) {
    const [loanCoin, pledgeCoin] = random.pick(PAIRS);
    const borrowTime = past.now() - 3 * DAY_MS - at * CLOSED_SPACING_MS - random.between(0, HOUR_MS);
    const value = random.between(200, 20_000);
    const loan = agree({ uid, loanCoin, pledgeCoin, value, term: random.pick(TERMS), borrowTime });
    const closedTime = borrowTime + random.between(1, LONGEST_HOURS) * HOUR_MS;
    yield ended({ ...loan, outcome: random.pick(OUTCOMES), closedTime });
  }
}

/** A liquidated loan ended at the liquidation rate, and at the price that caused it. */
function ended(loan: ClosedLoan): ClosedLoan {
  if (loan.outcome !== "FORCE") return loan;
  const due = loan.loanAmount.plus(interestOn(loan.loanAmount, loan.term.hourRate, loan.borrowTime, loan.closedTime));
  const price = due.times(PERCENT).div(FORCE_RATE).div(loan.pledgeAmount);
  return { ...loan, liquidation: liquidated(loan, due, price, FORCE_RATE) };
}

interface Wish extends Pick<Loan, "uid" | "loanCoin" | "pledgeCoin" | "term" | "borrowTime"> {
  /** In USDT. */
  readonly value: number;
}

/** Converts a loan's value to amounts of its two coins at the office's prices. */
function agreement({ ids, usdtPrice }: BackOffice): (wish: Wish) => Loan {
  const perUsdt = new Map<string, Exact>();
  const units = (coin: string): Exact => {
    const rate = perUsdt.get(coin) ?? exact("1").div(usdtPrice(coin));
    perUsdt.set(coin, rate);
    return rate;
  };
  return ({ value, ...wish }) => {
    const worth = exact(String(value));
    return {
      ...wish,
      orderId: ids.past(wish.borrowTime),
      loanAmount: truncated(worth.times(units(wish.loanCoin)), AMOUNT_PLACES),
      pledgeAmount: truncated(worth.times(PLEDGE_PER_USDT).times(units(wish.pledgeCoin)), AMOUNT_PLACES),
    };
  };
}
