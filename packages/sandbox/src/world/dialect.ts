import { REFUSAL, type Refusal } from "@exchange-graph/contract/errors/refusal";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { Refused } from "../refused.js";
import type { Account } from "./accounts.js";

/**
 * Kind of client for refusals: equal failures have different codes on Classic spot, on Classic futures and on a unified account.
 */
export type Dialect = "spot" | "futures" | "unified";

/** The dialect of refusals for an account and a category. */
export const dialectOf = (account: Account, category: ProductCategory): Dialect =>
  account.mode === "unified" ? "unified" : category === "SPOT" || category === "MARGIN" ? "spot" : "futures";

const everywhere = (refusal: Refusal): Readonly<Record<Dialect, Refusal>> => ({
  spot: refusal,
  futures: refusal,
  unified: refusal,
});

/** The refusal of each failure per dialect. */
const IN_DIALECT = {
  unknownSymbol: { spot: REFUSAL.unknownSpotSymbol, futures: REFUSAL.unknownSymbol, unified: REFUSAL.unknownSymbol },
  symbolOffline: { spot: REFUSAL.symbolOffline, futures: REFUSAL.contractRemoved, unified: REFUSAL.unifiedSymbolClosed },
  symbolHalted: { spot: REFUSAL.symbolMaintained, futures: REFUSAL.symbolMaintained, unified: REFUSAL.unifiedSymbolClosed },
  priceScale: { spot: REFUSAL.spotPriceScale, futures: REFUSAL.futuresPriceStep, unified: REFUSAL.unifiedPriceStep },
  quantityScale: { spot: REFUSAL.tooManyDecimals, futures: REFUSAL.tooManyDecimals, unified: REFUSAL.unifiedQuantityPrecision },
  quantityTooSmall: {
    spot: REFUSAL.belowMinimumQuantity,
    futures: REFUSAL.belowMinimumQuantity,
    unified: REFUSAL.unifiedBelowMinimumQuantity,
  },
  quantityTooLarge: {
    spot: REFUSAL.aboveMaximumQuantity,
    futures: REFUSAL.aboveMaximumQuantity,
    unified: REFUSAL.unifiedAboveMaximumQuantity,
  },
  valueTooSmall: {
    spot: REFUSAL.belowMinimumAmount,
    futures: REFUSAL.belowMinimumAmount,
    unified: REFUSAL.unifiedBelowMinimumAmount,
  },
  priceTooLow: { spot: REFUSAL.spotPriceTooLow, futures: REFUSAL.futuresPriceTooLow, unified: REFUSAL.unifiedPriceTooLow },
  priceTooHigh: { spot: REFUSAL.spotPriceTooHigh, futures: REFUSAL.futuresPriceTooHigh, unified: REFUSAL.unifiedPriceTooHigh },
  tooManyOrders: {
    spot: REFUSAL.spotTooManyOrders,
    futures: REFUSAL.futuresTooManyOrders,
    unified: REFUSAL.unifiedTooManyOrders,
  },
  duplicate: { spot: REFUSAL.spotDuplicate, futures: REFUSAL.futuresDuplicate, unified: REFUSAL.unifiedDuplicate },
  insufficientBalance: {
    spot: REFUSAL.insufficientBalance,
    futures: REFUSAL.insufficientFuturesBalance,
    unified: REFUSAL.insufficientUnifiedBalance,
  },
  insufficientMargin: {
    spot: REFUSAL.insufficientBalance,
    futures: REFUSAL.insufficientFuturesBalance,
    unified: REFUSAL.insufficientUnifiedMargin,
  },
  beyondTier: {
    spot: REFUSAL.insufficientBalance,
    futures: REFUSAL.positionBeyondTier,
    unified: REFUSAL.unifiedPositionBeyondTier,
  },
  orderNotFound: {
    spot: REFUSAL.spotOrderNotFound,
    futures: REFUSAL.futuresCancelNotFound,
    unified: REFUSAL.unifiedOrderNotFound,
  },
  positionSide: { spot: REFUSAL.positionModeMismatch, futures: REFUSAL.openingTypeIllegal, unified: REFUSAL.positionSideMissing },
  noPosition: { spot: REFUSAL.noPosition, futures: REFUSAL.noPosition, unified: REFUSAL.unifiedNoPosition },
  positionTooSmall: {
    spot: REFUSAL.positionTooSmall,
    futures: REFUSAL.positionTooSmall,
    unified: REFUSAL.unifiedPositionTooSmall,
  },
  nothingModified: { spot: REFUSAL.nothingModified, futures: REFUSAL.nothingModified, unified: REFUSAL.unifiedNothingModified },
  noPositionForTpsl: {
    spot: REFUSAL.noPositionForTpsl,
    futures: REFUSAL.noPositionForTpsl,
    unified: REFUSAL.unifiedNoPositionForTpsl,
  },
  takeProfitWrongSide: {
    spot: REFUSAL.takeProfitWrongSide,
    futures: REFUSAL.takeProfitWrongSide,
    unified: REFUSAL.unifiedTakeProfitWrongSide,
  },
  stopLossWrongSide: {
    spot: REFUSAL.stopLossWrongSide,
    futures: REFUSAL.stopLossWrongSide,
    unified: REFUSAL.unifiedStopLossWrongSide,
  },
  shortStopLossWrongSide: {
    spot: REFUSAL.stopLossWrongSide,
    futures: REFUSAL.shortStopLossWrongSide,
    unified: REFUSAL.unifiedStopLossWrongSide,
  },
  planNotFound: { spot: REFUSAL.planOrderNotFound, futures: REFUSAL.planOrderNotFound, unified: REFUSAL.strategyNotFound },
  positionModeMismatch: everywhere(REFUSAL.positionModeMismatch),
} as const satisfies Readonly<Record<string, Readonly<Record<Dialect, Refusal>>>>;

type Failure = keyof typeof IN_DIALECT;

/** Values for a refusal's text, which differs per dialect. */
type Fillings = Partial<Readonly<Record<Dialect, readonly string[]>>>;

/** The refusal of a failure in the client's dialect. */
export const refused = (dialect: Dialect, failure: Failure, fillings: Fillings = {}): Refused =>
  new Refused(IN_DIALECT[failure][dialect], ...(fillings[dialect] ?? []));
