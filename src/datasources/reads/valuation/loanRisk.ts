import type { Decoded } from "@exchange-graph/contract/codec";
import { type DecimalText, type Exact, exact, plain, truncated } from "@exchange-graph/contract/decimal";
import type { ongoingLoan } from "@exchange-graph/contract/loan";

/** A running loan of the exchange's list. */
export type OngoingLoan = Decoded<typeof ongoingLoan>;

export type PricedLoan = OngoingLoan & { readonly prices: LoanPrices };

/** Running or changed loans, and those that have ended. */
export interface LoanEvent {
  readonly loans: readonly PricedLoan[];
  readonly over: readonly PricedLoan[];
}

/** Amounts of a running loan: the debt in the loan coin, the collateral in the pledge coin; `null` if not known. */
interface Loan {
  readonly loanAmount: DecimalText | null;
  readonly interestAmount: DecimalText | null;
  readonly pledgeAmount: DecimalText | null;
}

/** Price of one unit of each coin, both in the same coin; `null` without a market. */
export interface LoanPrices {
  readonly loanCoin: DecimalText | null;
  readonly pledgeCoin: DecimalText | null;
}

/** Decimals of a ratio; further ones are cut off. */
const PLACES = 6;
const ONE = exact("1");

/**
 * The loan-to-value at these prices: debt with interest divided by the value of the collateral, as a fraction, cut off after six
 * decimals. `null` without an amount, a price, or collateral.
 */
export function currentLtv(loan: Loan, prices: LoanPrices): DecimalText | null {
  const ratio = ratioOf(loan, prices);
  return ratio === null ? null : plain(truncated(ratio, PLACES));
}

/**
 * Fraction by which the price of the collateral may fall until the loan-to-value reaches `ltv`, cut off after six decimals.
 * Negative if the loan-to-value is above it. `null` without an amount, a price, collateral, or a ratio.
 */
export function distanceTo(ltv: DecimalText | null, loan: Loan, prices: LoanPrices): DecimalText | null {
  const ratio = ratioOf(loan, prices);
  if (ratio === null || ltv === null) return null;
  const limit = exact(ltv);
  if (limit.eq("0")) return null;
  // The ratio rises as the price falls: it reaches the limit at price × ratio / limit.
  return plain(truncated(ONE.minus(ratio.div(limit)), PLACES));
}

/** Debt divided by collateral, as a fraction. */
function ratioOf({ loanAmount, interestAmount, pledgeAmount }: Loan, { loanCoin, pledgeCoin }: LoanPrices): Exact | null {
  if (loanCoin === null || pledgeCoin === null) return null;
  if (loanAmount === null || interestAmount === null || pledgeAmount === null) return null;
  const collateral = exact(pledgeAmount).times(exact(pledgeCoin));
  if (collateral.eq("0")) return null;
  return exact(loanAmount).plus(exact(interestAmount)).times(exact(loanCoin)).div(collateral);
}
