import { addDecimals, compareDecimals, divideDecimals, multiplyDecimals, subtractDecimals } from "@exchange-graph/client";

/** A planned trade of a contract whose profit is in quote coin. Prices in quote coin, the quantity in base coin. */
export interface Plan {
  readonly side: "BUY" | "SELL";
  readonly entry: string;
  readonly exit: string;
  readonly qty: string;
  readonly leverage: string;
  /** Fee of each of both trades, as a fraction; null if it is not known. */
  readonly feeRate: string | null;
  /** Maintenance margin as a fraction of the position's value; null if it is not known. */
  readonly maintenanceRate: string | null;
}

/** What comes of it, in quote coin; null where a figure that it needs is not known. */
export interface Outlook {
  readonly margin: string;
  readonly profit: string;
  /** Of both trades. */
  readonly fees: string | null;
  /** After fees. */
  readonly net: string | null;
  /** Of the margin, as a fraction, after fees. */
  readonly onMargin: string | null;
  /** Price at which an isolated position is liquidated, without added margin and fees; null if there is none above zero. */
  readonly liquidation: string | null;
}

/** Digits of divisions. */
const DIGITS = 12;

/**
 * The outlook of a trade. An isolated position is liquidated where its margin is down to the maintenance margin: for a long one
 * at `entry × (1 − 1 / leverage) / (1 − rate)`, for a short one at `entry × (1 + 1 / leverage) / (1 + rate)`.
 */
export function outlookOf({ side, entry, exit, qty, leverage, feeRate, maintenanceRate }: Plan): Outlook {
  const isLong = side === "BUY";
  const margin = divideDecimals(multiplyDecimals(entry, qty), leverage, DIGITS);
  const gain = isLong ? subtractDecimals(exit, entry) : subtractDecimals(entry, exit);
  const profit = multiplyDecimals(gain, qty);
  const fees = feeRate === null ? null : multiplyDecimals(multiplyDecimals(addDecimals(entry, exit), qty), feeRate);
  const net = fees === null ? null : subtractDecimals(profit, fees);
  return {
    ...{ margin, profit, fees, net },
    onMargin: net === null ? null : divideDecimals(net, margin, DIGITS),
    liquidation: maintenanceRate === null ? null : liquidationOf(isLong, entry, leverage, maintenanceRate),
  };
}

function liquidationOf(isLong: boolean, entry: string, leverage: string, rate: string): string | null {
  const share = divideDecimals("1", leverage, DIGITS);
  const price = isLong
    ? divideDecimals(multiplyDecimals(entry, subtractDecimals("1", share)), subtractDecimals("1", rate), DIGITS)
    : divideDecimals(multiplyDecimals(entry, addDecimals("1", share)), addDecimals("1", rate), DIGITS);
  return compareDecimals(price, "0") > 0 ? price : null;
}
