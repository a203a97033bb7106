import type { DecimalText } from "../../../decimal.js";

/** How much of a coin's value counts as margin: the value up to each bound counts at its rate. */
export interface Collateral {
  readonly coin: string;
  /** Most that one user, and all users together, may pledge, in units of the coin. */
  readonly userLimit: DecimalText;
  readonly totalLimit: DecimalText;
  /** From each `minValue` on (in USD) the rate of the tier holds. The first begins at 0, the last has no end. */
  readonly tiers: readonly { readonly minValue: DecimalText; readonly rate: DecimalText }[];
}

const collateral = (
  coin: string,
  userLimit: string,
  totalLimit: string,
  ...tiers: readonly (readonly [string, string])[]
): Collateral => ({
  coin,
  userLimit,
  totalLimit,
  tiers: tiers.map(([minValue, rate]) => ({ minValue, rate })),
});

export const COLLATERAL: readonly Collateral[] = [
  collateral("USDT", "50000000", "2000000000", ["0", "1"]),
  collateral("USDC", "20000000", "500000000", ["0", "1"], ["5000000", "0.98"]),
  collateral("BTC", "800", "20000", ["0", "0.98"], ["5000000", "0.95"], ["20000000", "0.9"], ["50000000", "0.8"]),
  collateral("ETH", "9000", "300000", ["0", "0.975"], ["4000000", "0.94"], ["12000000", "0.88"], ["30000000", "0.75"]),
  collateral("SOL", "60000", "1500000", ["0", "0.93"], ["1000000", "0.88"], ["4000000", "0.75"]),
  collateral("XRP", "6000000", "90000000", ["0", "0.92"], ["800000", "0.85"], ["3000000", "0.7"]),
  collateral("BNB", "9000", "200000", ["0", "0.92"], ["1000000", "0.85"], ["3000000", "0.7"]),
  collateral("DOGE", "20000000", "400000000", ["0", "0.9"], ["600000", "0.8"], ["2000000", "0.6"]),
  collateral("ADA", "9000000", "120000000", ["0", "0.9"], ["500000", "0.8"], ["1500000", "0.6"]),
  collateral("LTC", "50000", "900000", ["0", "0.9"], ["500000", "0.82"], ["1500000", "0.65"]),
  collateral("LINK", "300000", "6000000", ["0", "0.88"], ["400000", "0.8"], ["1200000", "0.6"]),
  collateral("AVAX", "150000", "3000000", ["0", "0.88"], ["400000", "0.8"], ["1200000", "0.6"]),
  collateral("TRX", "20000000", "300000000", ["0", "0.85"], ["300000", "0.75"], ["1000000", "0.5"]),
];
