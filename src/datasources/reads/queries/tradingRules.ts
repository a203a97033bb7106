import type { MarginPair, SpotSymbol } from "@exchange-graph/contract/pair";
import { mapRows, type Row } from "@exchange-graph/contract/rows";
import { oncePerAnswer } from "./keptLists.js";

/** The rules of a pair, grouped by topic. They are the same for all readers of a list, so they are grouped once per answer. */

type Pair = SpotSymbol | MarginPair;

const feesOf = ({ makerFeeRate, takerFeeRate }: Pick<Pair, "makerFeeRate" | "takerFeeRate">) => ({
  maker: makerFeeRate,
  taker: takerFeeRate,
});

const sizesOf = (pair: Pick<Pair, "minTradeAmount" | "maxTradeAmount" | "minTradeUSDT">) => ({
  min: pair.minTradeAmount,
  max: pair.maxTradeAmount,
  minUsdt: pair.minTradeUSDT,
});

const ofSpotSymbol = (row: SpotSymbol) => ({
  ...row,
  fees: feesOf(row),
  orderSize: { ...sizesOf(row), maxLimitValue: row.maxLimitOrderValue, maxMarketValue: row.maxMarketOrderValue },
  precision: { price: row.pricePrecision, quantity: row.quantityPrecision, quote: row.quotePrecision },
  priceLimits: { buy: row.buyLimitPriceRatio, sell: row.sellLimitPriceRatio },
});
export type ListedSpotSymbol = ReturnType<typeof ofSpotSymbol>;
/** The spot pairs of an answer, with grouped rules. */
export const listedSpotSymbols = oncePerAnswer((rows: readonly Row<SpotSymbol>[]): readonly Row<ListedSpotSymbol>[] =>
  mapRows(rows, ofSpotSymbol),
);

const ofMarginPair = (row: MarginPair) => ({
  ...row,
  fees: feesOf(row),
  orderSize: { ...sizesOf(row), maxLimitValue: null, maxMarketValue: null },
  precision: { price: row.pricePrecision, quantity: row.quantityPrecision, quote: null },
  maxLeverage: { crossed: row.maxCrossedLeverage, isolated: row.maxIsolatedLeverage },
  riskRatios: { warning: row.warningRiskRatio, liquidation: row.liquidationRiskRatio },
  borrowable: {
    isIsolatedBaseBorrowable: row.isIsolatedBaseBorrowable,
    isIsolatedQuoteBorrowable: row.isIsolatedQuoteBorrowable,
    isCrossBorrowable: row.isCrossBorrowable,
  },
});
export type ListedMarginPair = ReturnType<typeof ofMarginPair>;
/** The margin pairs of an answer, with grouped rules. */
export const listedMarginPairs = oncePerAnswer((rows: readonly Row<MarginPair>[]): readonly Row<ListedMarginPair>[] =>
  mapRows(rows, ofMarginPair),
);
