import { DAY_MS, HOUR_MS } from "@exchange-graph/contract/clock";
import { type DecimalText, type Exact, exact, truncated } from "@exchange-graph/contract/decimal";

/** Duration and cost of a loan. Rates are percent per hour, as the exchange quotes them for loans. */
export interface LoanTerm {
  /** Pledge days as in the history. */
  readonly daily: string;
  /** Duration; a flexible loan has no end. */
  readonly durationMs: number | undefined;
  readonly hourRate: DecimalText;
}

export const LOAN_TERMS = {
  seven: { daily: "7", durationMs: 7 * DAY_MS, hourRate: "0.000617" },
  thirty: { daily: "30", durationMs: 30 * DAY_MS, hourRate: "0.000879" },
  flexible: { daily: "FLEXIBLE", durationMs: undefined, hourRate: "0.00054" },
} as const satisfies Readonly<Record<string, LoanTerm>>;

/** Loan-to-value in percent: initial, at the margin call, at liquidation. */
export const INITIAL_RATE = exact("65");
export const TOP_UP_RATE = exact("75");
export const FORCE_RATE = exact("83");

/** Coins that can be borrowed and pledged. */
export const LOAN_COINS: readonly string[] = ["USDT", "USDC", "BTC", "ETH"];
export const PLEDGE_COINS: readonly string[] = ["BTC", "ETH", "SOL", "USDT", "XRP", "DOGE"];
/** Minimum and maximum of a loan, and the maximum pledge, in USDT. */
export const LOAN_LIMITS_IN_USDT = { min: exact("200"), max: exact("1000000") } as const;
export const PLEDGE_LIMIT_IN_USDT = exact("2000000");

const HUNDRED = exact("100");
const PER_CENT = exact("0.01");
/** Decimals of an amount of a coin. */
export const AMOUNT_PLACES = 8;
/** Decimals of a loan-to-value in percent. */
const RATE_PLACES = 2;

/** Interest on `principal` for every hour that has begun since `borrowTime`, in the loan coin. */
export function interestOn(principal: Exact, hourRate: DecimalText, borrowTime: number, now: number): Exact {
  const hours = exact(String(Math.floor(Math.max(0, now - borrowTime) / HOUR_MS) + 1));
  return truncated(principal.times(exact(hourRate)).times(PER_CENT).times(hours), AMOUNT_PLACES);
}

/** Loan-to-value in percent: debt divided by collateral, both in USDT. */
export const loanToValue = (due: Exact, pledged: Exact): Exact => truncated(due.times(HUNDRED).div(pledged), RATE_PLACES);

/** Value of collateral per borrowed USDT at the initial rate. */
export const PLEDGE_PER_USDT = HUNDRED.div(INITIAL_RATE);
