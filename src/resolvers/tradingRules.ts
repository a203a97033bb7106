import { FieldResolver, Resolver, Root } from "type-graphql";
import type { readMarginPairs, readSpotSymbols } from "../datasources/queries/reference.js";
import { Borrowable, MarginPair, MaxLeverage, RiskRatios } from "../schema/marginPair.js";
import { SpotSymbol } from "../schema/spotSymbol.js";
import { FeeRates, Precision, PriceLimits, TradeSize } from "../schema/tradingRules.js";

type RowOf<Read extends (...parameters: never) => Promise<readonly unknown[]>> = Awaited<ReturnType<Read>>[number];
type SpotSymbolRecord = RowOf<typeof readSpotSymbols>;
type MarginPairRecord = RowOf<typeof readMarginPairs>;

const FEES = "Default fees: an account may have its own";
const PRECISION = "How many decimals prices and amounts may have";
const TRADE_SIZE = "How small and how large an order may be";

const tradeSize = ({ minTradeAmount, maxTradeAmount, minTradeUSDT }: SpotSymbolRecord | MarginPairRecord): TradeSize => ({
  min: minTradeAmount,
  max: maxTradeAmount,
  minUsdt: minTradeUSDT,
});

@Resolver(() => SpotSymbol)
export class SpotSymbolResolver {
  @FieldResolver(() => FeeRates, { description: FEES })
  fees(@Root() { makerFeeRate, takerFeeRate }: SpotSymbolRecord): FeeRates {
    return { maker: makerFeeRate, taker: takerFeeRate };
  }

  @FieldResolver(() => Precision, { description: PRECISION })
  precision(@Root() { pricePrecision, quantityPrecision, quotePrecision }: SpotSymbolRecord): Precision {
    return { price: pricePrecision, quantity: quantityPrecision, quote: quotePrecision };
  }

  @FieldResolver(() => TradeSize, { description: TRADE_SIZE })
  tradeSize(@Root() symbol: SpotSymbolRecord): TradeSize {
    return tradeSize(symbol);
  }

  @FieldResolver(() => PriceLimits, { description: "How far from the market an order may be priced" })
  priceLimits(@Root() { buyLimitPriceRatio, sellLimitPriceRatio }: SpotSymbolRecord): PriceLimits {
    return { buy: buyLimitPriceRatio, sell: sellLimitPriceRatio };
  }
}

@Resolver(() => MarginPair)
export class MarginPairResolver {
  @FieldResolver(() => FeeRates, { description: FEES })
  fees(@Root() { makerFeeRate, takerFeeRate }: MarginPairRecord): FeeRates {
    return { maker: makerFeeRate, taker: takerFeeRate };
  }

  @FieldResolver(() => Precision, { description: PRECISION })
  precision(@Root() { pricePrecision, quantityPrecision }: MarginPairRecord): Precision {
    return { price: pricePrecision, quantity: quantityPrecision, quote: null };
  }

  @FieldResolver(() => TradeSize, { description: TRADE_SIZE })
  tradeSize(@Root() pair: MarginPairRecord): TradeSize {
    return tradeSize(pair);
  }

  @FieldResolver(() => MaxLeverage, { description: "Highest leverage by margin mode" })
  maxLeverage(@Root() { maxCrossedLeverage, maxIsolatedLeverage }: MarginPairRecord): MaxLeverage {
    return { crossed: maxCrossedLeverage, isolated: maxIsolatedLeverage };
  }

  @FieldResolver(() => RiskRatios, { description: "Risk ratios at which the exchange warns and liquidates" })
  riskRatios(@Root() { warningRiskRatio, liquidationRiskRatio }: MarginPairRecord): RiskRatios {
    return { warning: warningRiskRatio, liquidation: liquidationRiskRatio };
  }

  @FieldResolver(() => Borrowable, { description: "Which of the pair's coins can be borrowed" })
  borrowable(@Root() { isIsolatedBaseBorrowable, isIsolatedQuoteBorrowable, isCrossBorrowable }: MarginPairRecord): Borrowable {
    return { isolatedBase: isIsolatedBaseBorrowable, isolatedQuote: isIsolatedQuoteBorrowable, crossed: isCrossBorrowable };
  }
}
