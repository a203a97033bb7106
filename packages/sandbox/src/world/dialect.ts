import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import type { ProductCategory } from "@exchange-graph/contract/vocabulary";
import { Refused } from "../refused.js";
import type { Account } from "./accounts.js";

/**
 * Kind of client for refusals: equal failures have different codes on Classic spot, on Classic futures and on a unified account.
 */
export type Dialect = "spot" | "futures" | "unified";

export const dialectOf = (account: Account, category: ProductCategory): Dialect =>
  account.mode === "unified" ? "unified" : category === "SPOT" || category === "MARGIN" ? "spot" : "futures";

type Name = keyof typeof REFUSAL;

const IN_DIALECT = {
  unknownSymbol: ["unknownSpotSymbol", "unknownSymbol", "unknownSymbol"],
  symbolOffline: ["symbolOffline", "contractRemoved", "unifiedSymbolClosed"],
  symbolHalted: ["symbolMaintained", "symbolMaintained", "unifiedSymbolClosed"],
  priceScale: ["spotPriceScale", "futuresPriceStep", "unifiedPriceStep"],
  quantityScale: ["tooManyDecimals", "tooManyDecimals", "unifiedQuantityPrecision"],
  quantityTooSmall: ["belowMinimumQuantity", "belowMinimumQuantity", "unifiedBelowMinimumQuantity"],
  quantityTooLarge: ["aboveMaximumQuantity", "aboveMaximumQuantity", "unifiedAboveMaximumQuantity"],
  valueTooSmall: ["belowMinimumAmount", "belowMinimumAmount", "unifiedBelowMinimumAmount"],
  priceTooLow: ["spotPriceTooLow", "futuresPriceTooLow", "unifiedPriceTooLow"],
  priceTooHigh: ["spotPriceTooHigh", "futuresPriceTooHigh", "unifiedPriceTooHigh"],
  tooManyOrders: ["spotTooManyOrders", "futuresTooManyOrders", "unifiedTooManyOrders"],
  duplicate: ["spotDuplicate", "futuresDuplicate", "unifiedDuplicate"],
  insufficientBalance: ["insufficientBalance", "insufficientFuturesBalance", "insufficientUnifiedBalance"],
  insufficientMargin: ["insufficientBalance", "insufficientFuturesBalance", "insufficientUnifiedMargin"],
  beyondTier: ["insufficientBalance", "positionBeyondTier", "unifiedPositionBeyondTier"],
  orderNotFound: ["spotOrderNotFound", "futuresCancelNotFound", "unifiedOrderNotFound"],
  positionSide: ["positionModeMismatch", "openingTypeIllegal", "positionSideMissing"],
  noPosition: ["noPosition", "noPosition", "unifiedNoPosition"],
  positionTooSmall: ["positionTooSmall", "positionTooSmall", "unifiedPositionTooSmall"],
  nothingModified: ["nothingModified", "nothingModified", "unifiedNothingModified"],
  noPositionForTpsl: ["noPositionForTpsl", "noPositionForTpsl", "unifiedNoPositionForTpsl"],
  takeProfitWrongSide: ["takeProfitWrongSide", "takeProfitWrongSide", "unifiedTakeProfitWrongSide"],
  stopLossWrongSide: ["stopLossWrongSide", "stopLossWrongSide", "unifiedStopLossWrongSide"],
  shortStopLossWrongSide: ["stopLossWrongSide", "shortStopLossWrongSide", "unifiedStopLossWrongSide"],
  planNotFound: ["planOrderNotFound", "planOrderNotFound", "strategyNotFound"],
  positionModeMismatch: ["positionModeMismatch", "positionModeMismatch", "positionModeMismatch"],
} as const satisfies Readonly<Record<string, readonly [spot: Name, futures: Name, unified: Name]>>;

const COLUMNS = { spot: 0, futures: 1, unified: 2 } as const;

type Failure = keyof typeof IN_DIALECT;

/** Values for a refusal's text, which differs per dialect. */
type Fillings = Partial<Readonly<Record<Dialect, readonly string[]>>>;

export const refused = (dialect: Dialect, failure: Failure, fillings: Fillings = {}): Refused =>
  new Refused(REFUSAL[IN_DIALECT[failure][COLUMNS[dialect]]], ...(fillings[dialect] ?? []));
