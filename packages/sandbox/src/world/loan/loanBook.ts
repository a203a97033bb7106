import { type Exact, truncated } from "@exchange-graph/contract/decimal";
import type { LOAN_STATUSES } from "@exchange-graph/contract/loan";
import type { BackOffice } from "../backOffice.js";
import { byId } from "../ids.js";
import { houseWallet, walletOf, ZERO } from "../ledger.js";
import { Register } from "../register.js";
import { AMOUNT_PLACES, FORCE_RATE, interestOn, type LoanTerm, loanToValue } from "./terms.js";

/** What a loan was agreed on. Amounts are in the loan coin and the pledge coin. */
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

/** A loan that is over. */
export interface ClosedLoan extends Loan {
  readonly outcome: LoanOutcome;
  /** Unix ms. */
  readonly closedTime: number;
  /** What the lending pool took of the collateral, where the loan was liquidated. */
  readonly liquidation?: Liquidation;
}

/** Collateral sold because a loan outgrew it or fell due. */
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

/** How many loans that are over are remembered; only those of the last three months can be asked for. */
const CLOSED_LOANS_PER_USER = 2_000;

/** The collateral that pays `owed` (in the loan coin) at a price, as far as it reaches. */
export function liquidated(loan: Loan, owed: Exact, price: Exact, pledgeRate: Exact): Liquidation {
  const needed = truncated(owed.div(price), AMOUNT_PLACES);
  return { pledgeRate, price: truncated(price, AMOUNT_PLACES), taken: needed.gt(loan.pledgeAmount) ? loan.pledgeAmount : needed };
}

/**
 * The loan service. A loan moves its pledge into the user's collateral wallet, locked, and its amount out of the lending
 * pool into the user's funds. Interest accrues by the hour and is owed, not posted, until the loan ends.
 */
export class LoanBook {
  readonly #ongoing = new Map<string, Loan>();
  readonly #closed = new Register<ClosedLoan>(({ orderId }) => orderId, CLOSED_LOANS_PER_USER);

  constructor(readonly office: BackOffice) {}

  /** Grants a loan. Throws `InsufficientBalance` when the pledge or the pool falls short. */
  grant(loan: Loan): void {
    const { ledger, fundsOf } = this.office;
    const pledge = { wallet: walletOf(loan.uid, "collateral"), bucket: "locked" as const };
    ledger.transfer(
      { wallet: fundsOf(loan.uid), bucket: "available" },
      pledge,
      loan.pledgeCoin,
      loan.pledgeAmount,
      "loan pledge",
    );
    ledger.move(houseWallet("lending"), fundsOf(loan.uid), loan.loanCoin, loan.loanAmount, "loan");
    this.#ongoing.set(loan.orderId, loan);
  }

  /** Enters a loan that is over; whatever it moved has been posted already. */
  recall(loan: ClosedLoan): void {
    this.#closed.enter(loan.uid, loan);
  }

  /** The running loans of a user, newest first. */
  ongoing(uid: string): readonly Loan[] {
    return [...this.#ongoing.values()].filter((loan) => loan.uid === uid).sort((a, b) => byId(b.orderId, a.orderId));
  }

  /** The loans of a user that are over, newest first. */
  closed(uid: string): readonly ClosedLoan[] {
    return this.#closed.of(uid);
  }

  /** What is owed beyond the loan itself, in the loan coin. */
  interestOf(loan: Loan): Exact {
    return interestOn(loan.loanAmount, loan.term.hourRate, loan.borrowTime, this.office.now());
  }

  /** Loan-to-value now, in percent. */
  pledgeRateOf(loan: Loan): Exact {
    const { usdtPrice } = this.office;
    const owed = loan.loanAmount.plus(this.interestOf(loan)).times(usdtPrice(loan.loanCoin));
    return loanToValue(owed, loan.pledgeAmount.times(usdtPrice(loan.pledgeCoin)));
  }

  /** What a user owes, interest included, and has pledged, per coin. */
  debts(uid: string): { readonly owed: readonly CoinSum[]; readonly pledged: readonly CoinSum[] } {
    const loans = this.ongoing(uid);
    return {
      owed: this.#sums(
        loans,
        ({ loanCoin }) => loanCoin,
        (loan) => loan.loanAmount.plus(this.interestOf(loan)),
      ),
      pledged: this.#sums(
        loans,
        ({ pledgeCoin }) => pledgeCoin,
        ({ pledgeAmount }) => pledgeAmount,
      ),
    };
  }

  /** Liquidates what has to be: loans past their term, and loans whose collateral has become too small. */
  review(): void {
    const now = this.office.now();
    for (const loan of [...this.#ongoing.values()]) {
      const { durationMs } = loan.term;
      const isDue = durationMs !== undefined && now >= loan.borrowTime + durationMs;
      if (isDue || this.pledgeRateOf(loan).gte(FORCE_RATE)) this.#liquidate(loan);
    }
  }

  /** The lending pool takes the collateral for what is owed; what is left over goes back to the user. */
  #liquidate(loan: Loan): void {
    const { ledger, usdtPrice, fundsOf, now } = this.office;
    const price = usdtPrice(loan.pledgeCoin).div(usdtPrice(loan.loanCoin));
    const liquidation = liquidated(loan, loan.loanAmount.plus(this.interestOf(loan)), price, this.pledgeRateOf(loan));
    const { taken } = liquidation;
    const pledge = { wallet: walletOf(loan.uid, "collateral"), bucket: "locked" as const };
    const pool = { wallet: houseWallet("lending"), bucket: "available" as const };
    const funds = { wallet: fundsOf(loan.uid), bucket: "available" as const };
    ledger.transfer(pledge, pool, loan.pledgeCoin, taken, "loan liquidation");
    ledger.transfer(pledge, funds, loan.pledgeCoin, loan.pledgeAmount.minus(taken), "loan pledge returned");
    this.#ongoing.delete(loan.orderId);
    this.recall({ ...loan, outcome: "FORCE", closedTime: now(), liquidation });
  }

  #sums(loans: readonly Loan[], coinOf: (loan: Loan) => string, amountOf: (loan: Loan) => Exact): readonly CoinSum[] {
    const sums = new Map<string, Exact>();
    for (const loan of loans) sums.set(coinOf(loan), (sums.get(coinOf(loan)) ?? ZERO).plus(amountOf(loan)));
    return [...sums].map(([coin, amount]) => ({ coin, amount, amountUsdt: amount.times(this.office.usdtPrice(coin)) }));
  }
}
