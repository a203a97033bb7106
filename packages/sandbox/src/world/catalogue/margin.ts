import type { DecimalText } from "@exchange-graph/contract/decimal";

/** A spot pair that can be traded with borrowed coins. It has the prices, quantities and fees of the spot pair. */
export interface MarginPair {
  readonly symbol: string;
  readonly maxCrossedLeverage: number;
  readonly maxIsolatedLeverage: number;
  readonly warningRiskRatio: DecimalText;
  readonly liquidationRiskRatio: DecimalText;
  readonly minBorrow: DecimalText;
  readonly isIsolatedBaseBorrowable: boolean;
  readonly isIsolatedQuoteBorrowable: boolean;
  readonly isUnderMaintenance: boolean;
}

const pair = (symbol: string, crossed: number, isolated: number, rest: Partial<MarginPair> = {}): MarginPair => ({
  symbol,
  maxCrossedLeverage: crossed,
  maxIsolatedLeverage: isolated,
  warningRiskRatio: "0.8",
  liquidationRiskRatio: "1",
  minBorrow: "0.00000001",
  isIsolatedBaseBorrowable: true,
  isIsolatedQuoteBorrowable: true,
  isUnderMaintenance: false,
  ...rest,
});

export const MARGIN_PAIRS: readonly MarginPair[] = [
  pair("BTCUSDT", 5, 10),
  pair("ETHUSDT", 5, 10),
  pair("SOLUSDT", 3, 5),
  pair("XRPUSDT", 3, 5),
  pair("DOGEUSDT", 3, 5),
  pair("ADAUSDT", 3, 5),
  pair("LTCUSDT", 3, 5),
  pair("LINKUSDT", 3, 5),
  pair("AVAXUSDT", 3, 5, { isIsolatedBaseBorrowable: false }),
  pair("TRXUSDT", 3, 3, { isIsolatedBaseBorrowable: false }),
  pair("BNBUSDT", 3, 3, { isUnderMaintenance: true }),
  pair("ETHBTC", 3, 5, { isIsolatedQuoteBorrowable: false }),
];

/** Interest per hour, as a fraction of the debt. */
export const HOURLY_INTEREST: DecimalText = "0.00000625";

/** Highest leverage with which a coin can be borrowed: that of its best pair; 1 if it has none. */
export const maxCoinLeverage = (pairs: readonly MarginPair[], coin: string): number =>
  Math.max(
    1,
    ...pairs
      .filter(({ symbol }) => symbol.startsWith(coin) || symbol.endsWith(coin))
      .map(({ maxCrossedLeverage }) => maxCrossedLeverage),
  );
