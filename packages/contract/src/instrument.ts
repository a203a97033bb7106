import {
  type Decoded,
  id,
  mapped,
  optionalDecimal,
  optionalFlag,
  optionalInteger,
  optionalPlaces,
  optionalText,
  optionalTime,
  optionalToken,
} from "./codec.js";
import { exact, plain } from "./decimal.js";
import { endpoint, perSecond, REFERENCE_DATA } from "./endpoint.js";
import { listOf, optionalTexts } from "./lists.js";
import { maybe, oneOf, required, symbolName } from "./parameter.js";
import { record } from "./record.js";
import { productType } from "./trading.js";
import { PRODUCT_CATEGORIES } from "./vocabulary.js";

/**
 * Instruments with their trading rules. v3 has one record for every category, v2 calls a futures instrument a contract. Most
 * fields apply to some categories only and are empty elsewhere.
 *
 * Both records are requested by category, and a v2 contract lacks it: the caller adds it.
 */

export const INSTRUMENT_STATUSES = [
  "listed",
  "online",
  "maintain",
  "limit_open",
  "limit_close",
  "offline",
  "restricted_api",
] as const;
const STATUS_WIRE_NAMES = { normal: "online", off: "offline", restrictedapi: "restricted_api" } as const;

export const CONTRACT_TYPES = ["perpetual", "delivery"] as const;
export const ASSET_CLASSES = ["crypto", "metal", "stock", "commodity"] as const;

const wireInstrument = record({
  symbol: id("Symbol name, for example `BTCUSDT`"),
  baseCoin: optionalText("Coin that is bought and sold"),
  quoteCoin: optionalText("Coin that it is priced in"),
  status: optionalToken(
    "State of trading (also spelt `symbolStatus`)",
    INSTRUMENT_STATUSES,
    STATUS_WIRE_NAMES,
    "status",
    "symbolStatus",
  ),
  type: optionalToken("Perpetual, or with a delivery; futures only", CONTRACT_TYPES),
  symbolType: optionalToken("Class of the base asset, or what `type` says", [...CONTRACT_TYPES, ...ASSET_CLASSES]),
  pricePrecision: optionalPlaces("Decimals of a price", "pricePrecision", "pricePlace"),
  quantityPrecision: optionalPlaces("Decimals of a quantity", "quantityPrecision", "volumePlace"),
  quotePrecision: optionalPlaces("Decimals of an amount in quote coin"),
  priceMultiplier: optionalDecimal(
    "Tick size: a price is a multiple of it, in quote coin (Classic: `priceEndStep` units of the last decimal; spot and margin: one unit of it)",
  ),
  priceEndStep: optionalInteger("Tick size, counted in units of the last price decimal"),
  quantityMultiplier: optionalDecimal(
    "Step size: a quantity is a multiple of it, in base coin; spot and margin: one unit of the last decimal",
    "quantityMultiplier",
    "sizeMultiplier",
  ),
  minOrderQty: optionalDecimal("Smallest order, in base coin", "minOrderQty", "minTradeNum"),
  maxOrderQty: optionalDecimal("Largest limit order, in base coin"),
  maxMarketOrderQty: optionalDecimal("Largest market order, in base coin"),
  minOrderAmount: optionalDecimal("Smallest order, in quote coin", "minOrderAmount", "minTradeUSDT"),
  buyLimitPriceRatio: optionalDecimal("How far above the market a buy may be priced, as a fraction"),
  sellLimitPriceRatio: optionalDecimal("How far below the market a sell may be priced, as a fraction"),
  makerFeeRate: optionalDecimal("Default maker fee, as a fraction"),
  takerFeeRate: optionalDecimal("Default taker fee, as a fraction"),
  feeRateUpRatio: optionalDecimal("Surcharge on the fee rate when costs are estimated, as a fraction"),
  openCostUpRatio: optionalDecimal("Surcharge on the opening cost when it is estimated, as a fraction; futures only"),
  maxSymbolOrderNum: optionalInteger("Most open orders that an account may have in the symbol"),
  maxProductOrderNum: optionalInteger("Most open orders that an account may have in the category"),
  maxPositionNum: optionalInteger("Most positions that an account may have; futures only"),
  posLimit: optionalDecimal("Largest share of the open positions for one user, as a fraction"),
  minLeverage: optionalDecimal("Lowest leverage", "minLeverage", "minLever"),
  maxLeverage: optionalDecimal("Highest leverage", "maxLeverage", "maxLever"),
  fundInterval: optionalInteger("Hours between two funding settlements; futures only"),
  supportMarginCoins: optionalTexts("Coins that serve as margin; v2 names them"),
  launchTime: optionalTime("When it was listed"),
  offTime: optionalTime("Delisting; null where none is planned"),
  limitOpenTime: optionalTime("From when on positions can no longer be opened; null where that is not planned"),
  maintainTime: optionalTime("Maintenance; null where none is planned"),
  deliveryStartTime: optionalTime("Start of the delivery"),
  deliveryTime: optionalTime("The delivery itself"),
  deliveryPeriod: optionalText("Which delivery this is, for example `this_quarter`"),
  isRegional: optionalFlag("Is the symbol restricted to some regions (`areaSymbol`)? Spot and margin only", "areaSymbol"),
  isRwa: optionalFlag("Is the base a real-world asset? Futures only"),
  isReality: optionalFlag("Is the base a real-world asset? Spot only"),
  isIsolatedBaseBorrowable: optionalFlag("Can the base coin be borrowed with isolated margin?"),
  isIsolatedQuoteBorrowable: optionalFlag(
    "Can the quote coin be borrowed with isolated margin?",
    "isIsolatedQuotedBorrowable",
    "isIsolatedQuoteBorrowable",
  ),
  maxCrossedLeverage: optionalDecimal("Highest leverage with cross margin; margin only"),
  maxIsolatedLeverage: optionalDecimal("Highest leverage with isolated margin; margin only"),
  warningRiskRatio: optionalDecimal("Risk ratio at which the exchange warns, as a fraction; margin only"),
  liquidationRiskRatio: optionalDecimal("Risk ratio at which the exchange liquidates, as a fraction; margin only"),
  userMinBorrow: optionalDecimal("Smallest amount that can be borrowed; margin only"),
});
type WireInstrument = Decoded<typeof wireInstrument>;
type TypeFields = Pick<WireInstrument, "type" | "typeRaw" | "symbolType" | "symbolTypeRaw">;

const isContractType = (type: WireInstrument["symbolType"]): type is (typeof CONTRACT_TYPES)[number] =>
  type === "perpetual" || type === "delivery";

/** `symbolType` meant the contract type until v3 gave that a key of its own and used the old one for the asset class. */
const contractTypeAndAssetClass = ({ type, typeRaw, symbolType, symbolTypeRaw }: TypeFields) =>
  isContractType(symbolType)
    ? { type: type ?? symbolType, typeRaw: typeRaw ?? symbolTypeRaw, assetClass: null, assetClassRaw: null }
    : { type, typeRaw, assetClass: symbolType, assetClassRaw: symbolTypeRaw };

/** v2 has the tick size in units of the last price decimal: 5 with one decimal is 0.5. */
const tickSize = (priceEndStep: number | null, pricePrecision: number | null): string | null =>
  priceEndStep === null || pricePrecision === null ? null : plain(exact(`${priceEndStep}e-${pricePrecision}`));

export const instrument = mapped(
  wireInstrument,
  ({ type, typeRaw, symbolType, symbolTypeRaw, priceMultiplier, priceEndStep, ...common }) => ({
    ...common,
    ...contractTypeAndAssetClass({ type, typeRaw, symbolType, symbolTypeRaw }),
    priceMultiplier: priceMultiplier ?? tickSize(priceEndStep, common.pricePrecision),
  }),
);
export type Instrument = Decoded<typeof instrument>;

const READ = { rate: perSecond(20, "IP"), cache: REFERENCE_DATA, data: listOf(instrument) } as const;

export const instruments = endpoint({
  ...READ,
  name: "instruments",
  doc: "Instruments of a category, or one of them",
  path: "/api/v3/market/instruments",
  aliases: ["/api/v3/public/instruments"],
  parameters: {
    category: required("Product category", oneOf(PRODUCT_CATEGORIES)),
    symbol: maybe("Symbol name. Default: all of them", symbolName()),
  },
});

export const classicContracts = endpoint({
  ...READ,
  name: "classicContracts",
  doc: "Contracts of a futures product type, or one of them",
  path: "/api/v2/mix/market/contracts",
  parameters: { productType, symbol: maybe("Symbol name. Default: all of them", symbolName()) },
});
