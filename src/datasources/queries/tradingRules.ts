import type { MarginPair, SpotSymbol } from "@exchange-graph/contract/pair";
import { mapRows, type Row } from "@exchange-graph/contract/rows";
import { oncePerAnswer } from "./oncePerAnswer.js";

/** The rules of a pair, grouped by topic. They are the same for all readers of a list, so they are grouped once per answer. */

const common = ({
  makerFeeRate,
  takerFeeRate,
  minTradeAmount,
  maxTradeAmount,
  minTradeUSDT,
}: Pick<SpotSymbol | MarginPair, "makerFeeRate" | "takerFeeRate" | "minTradeAmount" | "maxTradeAmount" | "minTradeUSDT">) => ({
  fees: { maker: makerFeeRate, taker: takerFeeRate },
  orderSize: { min: minTradeAmount, max: maxTradeAmount, minUsdt: minTradeUSDT },
});

const ofSpotSymbol = (row: SpotSymbol) => ({
  ...row,
  ...common(row),
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
  ...common(row),
  precision: { price: row.pricePrecision, quantity: row.quantityPrecision, quote: null },
  maxLeverage: { crossed: row.maxCrossedLeverage, isolated: row.maxIsolatedLeverage },
  riskRatios: { warning: row.warningRiskRatio, liquidation: row.liquidationRiskRatio },
  borrowable: {
    isolatedBase: row.isIsolatedBaseBorrowable,
    isolatedQuote: row.isIsolatedQuoteBorrowable,
    crossed: row.isCrossBorrowable,
  },
});
export type ListedMarginPair = ReturnType<typeof ofMarginPair>;
/** The margin pairs of an answer, with grouped rules. */
export const listedMarginPairs = oncePerAnswer((rows: readonly Row<MarginPair>[]): readonly Row<ListedMarginPair>[] =>
  mapRows(rows, ofMarginPair),
);
