import { type Exact, truncated } from "@exchange-graph/contract/decimal";
import type { LOAN_STATUSES } from "@exchange-graph/contract/loan";
import type { BackOffice } from "../backOffice.js";
import { causeOf } from "../cause.js";
import { byId } from "../ids.js";
import { houseWallet, walletOf, ZERO } from "../ledger.js";
import { Register } from "../register.js";
import { AMOUNT_PLACES, FORCE_RATE, interestOn, type LoanTerm, loanToValue } from "./loanTerms.js";

/** Terms of a loan. Amounts are in the loan coin and the pledge coin. */
export interface Loan {
  readonly orderId: string;
  readonly uid: string;
  readonly loanCoin: string;
  readonly pledgeCoin: string;
  readonly loanAmount: Exact;
  readonly pledgeAmount: Exact;
  readonly term: LoanTerm;
  /** Unix ms. */
  readonly borrowTime: number;
}

export type LoanOutcome = (typeof LOAN_STATUSES)[number];

export interface ClosedLoan extends Loan {
  readonly outcome: LoanOutcome;
  /** Unix ms. */
  readonly closedTime: number;
  /** Collateral taken by the lending pool, if the loan was liquidated. */
  readonly liquidation?: Liquidation;
}

/** Collateral sold because the loan-to-value was too high or the loan was due. */
export interface Liquidation {
  /** Loan-to-value at that time, in percent. */
  readonly pledgeRate: Exact;
  /** Price of the collateral in the loan coin. */
  readonly price: Exact;
  /** In the pledge coin. */
  readonly taken: Exact;
}

/** The sum of a coin over loans, and its value in USDT. */
export interface CoinSum {
  readonly coin: string;
  readonly amount: Exact;
  readonly amountUsdt: Exact;
}

/** Number of ended loans kept per user; only those of the last three months can be requested. */
const CLOSED_LOANS_PER_USER = 2_000;

/** The collateral that pays `due` (in the loan coin) at a price, at most all of it. */
export function liquidated(loan: Loan, due: Exact, price: Exact, pledgeRate: Exact): Liquidation {
  const needed = truncated(due.div(price), AMOUNT_PLACES);
  return { pledgeRate, price: truncated(price, AMOUNT_PLACES), taken: needed.gt(loan.pledgeAmount) ? loan.pledgeAmount : needed };
}

/**
 * The loan service. A loan moves its pledge into the user's collateral wallet, locked, and its amount from the lending pool into
 * the user's funds. Interest accrues hourly and is posted when the loan ends.
 */
export class LoanBook {
  readonly #ongoing = new Map<string, Loan>();
  readonly closed = new Register<ClosedLoan>(({ orderId }) => orderId, CLOSED_LOANS_PER_USER);

  constructor(readonly office: BackOffice) {}

  /** Grants a loan. Throws `InsufficientBalance` if the balance for the pledge or the pool is too low. */
  grant(loan: Loan): void {
    const { ledger, fundsOf } = this.office;
    const { uid, orderId, loanCoin, loanAmount, pledgeCoin, pledgeAmount } = loan;
    const funds = { wallet: fundsOf(uid), bucket: "available" } as const;
    ledger.transfer(funds, pledgeOf(loan), pledgeCoin, pledgeAmount, causeOf("loan pledge", orderId));
    ledger.move(houseWallet("lending"), funds.wallet, loanCoin, loanAmount, causeOf("loan", orderId));
    this.#ongoing.set(orderId, loan);
  }

  /** The running loans of a user, newest first. */
  ongoing(uid: string): readonly Loan[] {
    return [...this.#ongoing.values()].filter((loan) => loan.uid === uid).sort((a, b) => byId(b.orderId, a.orderId));
  }

  /** Interest owed, in the loan coin. */
  interestOf(loan: Loan): Exact {
    return interestOn(loan.loanAmount, loan.term.hourRate, loan.borrowTime, this.office.now());
  }

  /** Loan-to-value now, in percent. */
  pledgeRateOf(loan: Loan): Exact {
    const { usdtPrice } = this.office;
    const due = loan.loanAmount.plus(this.interestOf(loan)).times(usdtPrice(loan.loanCoin));
    return loanToValue(due, loan.pledgeAmount.times(usdtPrice(loan.pledgeCoin)));
  }

  /** A user's debts with interest, and pledges, per coin. */
  debts(uid: string): { readonly due: readonly CoinSum[]; readonly pledged: readonly CoinSum[] } {
    const loans = this.ongoing(uid);
    return {
      due: this.#sums(loans.map((loan) => ({ coin: loan.loanCoin, amount: loan.loanAmount.plus(this.interestOf(loan)) }))),
      pledged: this.#sums(loans.map(({ pledgeCoin, pledgeAmount }) => ({ coin: pledgeCoin, amount: pledgeAmount }))),
    };
  }

  /** Liquidates loans past their term, and loans with too little collateral. */
  review(): void {
    const now = this.office.now();
    for (const loan of [...this.#ongoing.values()]) {
      const { durationMs } = loan.term;
      const isDue = durationMs !== undefined && now >= loan.borrowTime + durationMs;
      if (isDue || this.pledgeRateOf(loan).gte(FORCE_RATE)) this.#liquidate(loan);
    }
  }

  /** The lending pool takes collateral for the debt; the rest is returned to the user. */
  #liquidate(loan: Loan): void {
    const { ledger, usdtPrice, fundsOf, now } = this.office;
    const price = usdtPrice(loan.pledgeCoin).div(usdtPrice(loan.loanCoin));
    const liquidation = liquidated(loan, loan.loanAmount.plus(this.interestOf(loan)), price, this.pledgeRateOf(loan));
    const { taken } = liquidation;
    const pledge = pledgeOf(loan);
    const pool = { wallet: houseWallet("lending"), bucket: "available" as const };
    const funds = { wallet: fundsOf(loan.uid), bucket: "available" as const };
    ledger.transfer(pledge, pool, loan.pledgeCoin, taken, causeOf("loan liquidation", loan.orderId));
    const returned = causeOf("loan pledge returned", loan.orderId);
    ledger.transfer(pledge, funds, loan.pledgeCoin, loan.pledgeAmount.minus(taken), returned);
    this.#ongoing.delete(loan.orderId);
    this.closed.enter(loan.uid, { ...loan, outcome: "FORCE", closedTime: now(), liquidation });
  }

  #sums(rows: readonly Omit<CoinSum, "amountUsdt">[]): readonly CoinSum[] {
    const sums = new Map<string, Exact>();
    for (const { coin, amount } of rows) sums.set(coin, (sums.get(coin) ?? ZERO).plus(amount));
    return [...sums].map(([coin, amount]) => ({ coin, amount, amountUsdt: amount.times(this.office.usdtPrice(coin)) }));
  }
}

/** Where the pledge of a loan is. */
const pledgeOf = ({ uid }: Loan) => ({ wallet: walletOf(uid, "collateral"), bucket: "locked" }) as const;
