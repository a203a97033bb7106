import { type DecimalText, type Exact, exact } from "@exchange-graph/contract/decimal";

/** Share of a coin that counts as margin: the amount between two bounds counts at the rate of its tier. */
export interface Collateral {
  readonly coin: string;
  /** Maximum amount that one user, and all users together, may pledge, in units of the coin. */
  readonly userLimit: DecimalText;
  readonly totalLimit: DecimalText;
  /** The tier's rate applies from each `minAmount` on (of the coin). The first begins at 0, the last has no end. */
  readonly tiers: readonly { readonly minAmount: Exact; readonly rate: Exact }[];
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
  tiers: tiers.map(([minAmount, rate]) => ({ minAmount: exact(minAmount), rate: exact(rate) })),
});

/** Every coin that counts as margin of a unified account. */
export const COLLATERAL: readonly Collateral[] = [
  collateral("USDT", "50000000", "2000000000", ["0", "1"]),
  collateral("USDC", "20000000", "500000000", ["0", "1"], ["5000000", "0.98"]),
  collateral("BTC", "800", "20000", ["0", "0.98"], ["80", "0.95"], ["300", "0.9"], ["600", "0.8"]),
  collateral("ETH", "9000", "300000", ["0", "0.975"], ["1000", "0.94"], ["3500", "0.88"], ["7000", "0.75"]),
  collateral("SOL", "60000", "1500000", ["0", "0.93"], ["7000", "0.88"], ["28000", "0.75"]),
  collateral("XRP", "6000000", "90000000", ["0", "0.92"], ["1300000", "0.85"], ["4800000", "0.7"]),
  collateral("BNB", "9000", "200000", ["0", "0.92"], ["1700", "0.85"], ["5000", "0.7"]),
  collateral("DOGE", "20000000", "400000000", ["0", "0.9"], ["4800000", "0.8"], ["16000000", "0.6"]),
  collateral("ADA", "9000000", "120000000", ["0", "0.9"], ["1100000", "0.8"], ["3300000", "0.6"]),
  collateral("LTC", "50000", "900000", ["0", "0.9"], ["6000", "0.82"], ["18000", "0.65"]),
  collateral("LINK", "300000", "6000000", ["0", "0.88"], ["28000", "0.8"], ["84000", "0.6"]),
  collateral("AVAX", "150000", "3000000", ["0", "0.88"], ["14000", "0.8"], ["43000", "0.6"]),
  collateral("TRX", "20000000", "300000000", ["0", "0.85"], ["2500000", "0.75"], ["8200000", "0.5"]),
];
