import { type DecimalText, type Exact, exact, plain, truncated } from "@exchange-graph/contract/decimal";

/** A running loan's amounts: the debt in the loan coin, the collateral in the pledge coin; `null` where they are not known. */
interface Loan {
  readonly loanAmount: DecimalText | null;
  readonly interestAmount: DecimalText | null;
  readonly pledgeAmount: DecimalText | null;
}

/** What one unit of each coin is worth, both in the same coin; `null` where there is no market. */
export interface LoanPrices {
  readonly loanCoin: DecimalText | null;
  readonly pledgeCoin: DecimalText | null;
}

/** Decimals of a ratio. What lies beyond is cut off. */
const PLACES = 6;
const ONE = exact("1");

/**
 * The loan-to-value at these prices: debt with interest over the value of the collateral, as a fraction, cut off
 * after six decimals. `null` without an amount, a price, or collateral.
 */
export function currentLtv(loan: Loan, prices: LoanPrices): DecimalText | null {
  const ratio = ratioOf(loan, prices);
  return ratio === null ? null : plain(truncated(ratio, PLACES));
}

/**
 * How far the price of the collateral may fall until the loan-to-value is `ltv`, as a fraction of its price now, cut off
 * after six decimals. Negative once that ratio has been passed. `null` without an amount, a price, collateral, or a ratio.
 */
export function distanceTo(ltv: DecimalText | null, loan: Loan, prices: LoanPrices): DecimalText | null {
  const ratio = ratioOf(loan, prices);
  if (ratio === null || ltv === null) return null;
  const limit = exact(ltv);
  if (limit.eq("0")) return null;
  // The ratio grows as the price falls: it reaches the limit at price × ratio / limit.
  return plain(truncated(ONE.minus(ratio.div(limit)), PLACES));
}

/** Debt over collateral, as a fraction. */
function ratioOf({ loanAmount, interestAmount, pledgeAmount }: Loan, { loanCoin, pledgeCoin }: LoanPrices): Exact | null {
  if (loanCoin === null || pledgeCoin === null) return null;
  if (loanAmount === null || interestAmount === null || pledgeAmount === null) return null;
  const collateral = exact(pledgeAmount).times(exact(pledgeCoin));
  if (collateral.eq("0")) return null;
  return exact(loanAmount).plus(exact(interestAmount)).times(exact(loanCoin)).div(collateral);
}
