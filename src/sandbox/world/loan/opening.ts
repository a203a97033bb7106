import { exact, truncated } from "../../../decimal.js";
import type { BackOffice } from "../backOffice.js";
import { houseWallet } from "../ledger.js";
import type { Random } from "../random.js";
import type { Loan, LoanBook, LoanOutcome } from "./loanBook.js";
import { AMOUNT_PLACES, LOAN_TERMS, type LoanTerm, pledgeFor } from "./terms.js";

/** The loans with which a user enters the world. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** More than three pages of the largest size, all within the three months that can be asked for. */
const CLOSED_LOANS = 330;
const CLOSED_SPACING_MS = 6 * HOUR_MS;

/** Running loans: what was borrowed, for how much in USDT, against what, for how long, and how long ago. */
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

/** Gives a user running loans, out of coins made for them, and a history of loans that are over. */
export function openLoans(book: LoanBook, uid: string, random: Random): void {
  const { ledger, now, fundsOf } = book.office;
  for (const { ageMs, value, ...terms } of ONGOING) {
    const loan = agreed(book.office, { uid, ...terms, value, borrowTime: now() - ageMs });
    ledger.mint(fundsOf(uid), loan.pledgeCoin, loan.pledgeAmount);
    ledger.mint(houseWallet("lending"), loan.loanCoin, loan.loanAmount);
    book.grant(loan);
  }
  for (let at = 0; at < CLOSED_LOANS; at++) {
    const [loanCoin, pledgeCoin] = random.pick(PAIRS);
    const borrowTime = now() - 3 * DAY_MS - at * CLOSED_SPACING_MS - random.between(0, HOUR_MS);
    const value = random.between(200, 20_000);
    const loan = agreed(book.office, { uid, loanCoin, pledgeCoin, value, term: random.pick(TERMS), borrowTime });
    book.recall({ ...loan, outcome: random.pick(OUTCOMES) });
  }
}

interface Wish {
  readonly uid: string;
  readonly loanCoin: string;
  readonly pledgeCoin: string;
  /** In USDT. */
  readonly value: number;
  readonly term: LoanTerm;
  readonly borrowTime: number;
}

/** Turns a loan's value into amounts of its two coins at the present prices. */
function agreed({ ids, usdtPrice }: BackOffice, { value, ...wish }: Wish): Loan {
  const worth = exact(String(value));
  return {
    ...wish,
    orderId: ids.past(wish.borrowTime),
    loanAmount: truncated(worth.div(usdtPrice(wish.loanCoin)), AMOUNT_PLACES),
    pledgeAmount: pledgeFor(worth, usdtPrice(wish.pledgeCoin)),
  };
}
