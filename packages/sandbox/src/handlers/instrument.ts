import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { classicContracts, instruments } from "@exchange-graph/contract/instrument";
import { isNamed } from "@exchange-graph/contract/letterCase";
import { Refused } from "../refused.js";
import { type FuturesInstrument, type Instrument, isFutures, statusAt } from "../world/catalogue/instrument.js";
import type { MarginPair } from "../world/catalogue/margin.js";
import type { Catalogue } from "../world/catalogue.js";
import { timeOf } from "../world/market/listing.js";
import type { Markets } from "../world/market/markets.js";
import { type Handler, open } from "./handler.js";
import { categoryOf, listed, named } from "./symbols.js";
import { picked } from "./wire/fields.js";

/** Maximum number of a user's open orders per product, and of positions. */
const MAX_PRODUCT_ORDERS = "400";
const MAX_POSITIONS = "200";
const FEE_UP_RATIO = "0.005";
const OPEN_COST_UP_RATIO = "0.01";
const POSITION_SHARE = "0.1";

const UNIFIED_STATUS = {
  online: "online",
  gray: "listed",
  halt: "limit_open",
  offline: "offline",
  listed: "listed",
  maintain: "maintain",
  limitOpen: "limit_open",
  limitClose: "limit_close",
  restricted: "restrictedAPI",
} as const;
/** Classic has no status for symbols that cannot be closed. */
const CLASSIC_STATUS = { ...UNIFIED_STATUS, online: "normal", halt: "maintain", limitClose: "maintain", offline: "off" } as const;

/** Tradable instruments, in v3's and Classic's lists. */
export const instrumentHandlers = (catalogue: Catalogue, markets: Markets): readonly Handler[] => [
  open(instruments, ({ values: { category, symbol } }) => {
    if (category === "MARGIN") return marginInstruments(catalogue, markets, symbol);
    const at = timeOf(markets.tick);
    return named(markets, category, symbol).map(({ listing: { instrument } }) =>
      isFutures(instrument) ? futures(instrument, at) : spot(instrument),
    );
  }),
  open(classicContracts, ({ values }) =>
    named(markets, categoryOf(values.productType), values.symbol).flatMap(({ listing: { instrument } }) =>
      isFutures(instrument) ? [contract(instrument, timeOf(markets.tick))] : [],
    ),
  ),
];

function marginInstruments(catalogue: Catalogue, markets: Markets, symbol: string | undefined): unknown {
  const pairs = catalogue.marginPairs.filter((pair) => isNamed(pair.symbol, symbol));
  if (symbol !== undefined && pairs.length === 0) throw new Refused(REFUSAL.unknownSymbol, "symbol");
  return pairs.map((pair) => margin(pair, listed(markets, "SPOT", pair.symbol).listing.instrument));
}

const unit = (places: number): string => (places === 0 ? "1" : `0.${"0".repeat(places - 1)}1`);

/** v3's common fields of every category; fields that do not apply are empty text. */
const common = (instrument: Instrument) => ({
  ...picked(instrument, "symbol", "category", "baseCoin", "quoteCoin"),
  buyLimitPriceRatio: instrument.buyLimitRatio,
  sellLimitPriceRatio: instrument.sellLimitRatio,
  feeRateUpRatio: "",
  minOrderQty: instrument.minQuantity,
  maxOrderQty: "",
  pricePrecision: String(instrument.pricePrecision),
  quantityPrecision: String(instrument.quantityPrecision),
  quotePrecision: String(instrument.quotePrecision),
  minOrderAmount: instrument.minValue,
  maxSymbolOrderNum: "",
  maxProductOrderNum: "",
  status: UNIFIED_STATUS[instrument.status],
  offTime: "",
  limitOpenTime: "",
  maintainTime: "",
});

const spot = (instrument: Instrument) => ({
  ...common(instrument),
  areaSymbol: "no",
  symbolType: "crypto",
  isReality: "no",
});

const margin = (pair: MarginPair, instrument: Instrument): unknown => ({
  ...common(instrument),
  category: "MARGIN",
  areaSymbol: "",
  maxPositionNum: "",
  isIsolatedBaseBorrowable: pair.isIsolatedBaseBorrowable ? "YES" : "NO",
  isIsolatedQuotedBorrowable: pair.isIsolatedQuoteBorrowable ? "YES" : "NO",
  ...picked(pair, "warningRiskRatio", "liquidationRiskRatio"),
  maxCrossedLeverage: String(pair.maxCrossedLeverage),
  maxIsolatedLeverage: String(pair.maxIsolatedLeverage),
  userMinBorrow: pair.minBorrow,
});

const deliveryOf = ({ contract: { delivery } }: FuturesInstrument) => ({
  deliveryTime: delivery === undefined ? "" : String(delivery.time),
  deliveryStartTime: delivery === undefined ? "" : String(delivery.startTime),
  deliveryPeriod: delivery?.period ?? "",
});

const launchOf = ({ contract: { calendar } }: FuturesInstrument): string | undefined => calendar?.launch?.toString();

const changesOf = ({ contract: { calendar } }: FuturesInstrument) => ({
  offTime: calendar?.off?.toString() ?? "-1",
  limitOpenTime: calendar?.limitOpen?.toString() ?? "-1",
  maintainTime: calendar?.maintain?.toString() ?? "",
});

/** Fields of a contract in both lists. A date that is not set is -1 on futures. */
const contractFields = (instrument: FuturesInstrument) => ({
  ...picked(instrument, "symbol", "baseCoin", "quoteCoin", "makerFeeRate", "takerFeeRate"),
  buyLimitPriceRatio: instrument.buyLimitRatio,
  sellLimitPriceRatio: instrument.sellLimitRatio,
  feeRateUpRatio: FEE_UP_RATIO,
  openCostUpRatio: OPEN_COST_UP_RATIO,
  maxOrderQty: instrument.maxQuantity,
  maxMarketOrderQty: instrument.contract.maxMarketQuantity,
  maxSymbolOrderNum: String(instrument.maxOrders),
  maxProductOrderNum: MAX_PRODUCT_ORDERS,
  maxPositionNum: MAX_POSITIONS,
  ...changesOf(instrument),
  ...deliveryOf(instrument),
  fundInterval: String(instrument.contract.fundingHours),
  isRwa: "NO",
});

const kindOf = ({ contract }: FuturesInstrument) => (contract.delivery === undefined ? "perpetual" : "delivery");

/** The launch of a contract that has always existed is null. */
const futures = (instrument: FuturesInstrument, at: number): unknown => ({
  ...common(instrument),
  ...contractFields(instrument),
  status: UNIFIED_STATUS[statusAt(instrument, at)],
  quotePrecision: "",
  priceMultiplier: unit(instrument.pricePrecision),
  quantityMultiplier: unit(instrument.quantityPrecision),
  type: kindOf(instrument),
  symbolType: "crypto",
  launchTime: launchOf(instrument) ?? null,
  minLeverage: "1",
  maxLeverage: String(instrument.contract.maxLeverage),
});

const contract = (instrument: FuturesInstrument, at: number): unknown => ({
  ...contractFields(instrument),
  supportMarginCoins: [instrument.contract.marginCoin],
  minTradeNum: instrument.minQuantity,
  priceEndStep: "1",
  volumePlace: String(instrument.quantityPrecision),
  pricePlace: String(instrument.pricePrecision),
  sizeMultiplier: unit(instrument.quantityPrecision),
  symbolType: kindOf(instrument),
  minTradeUSDT: instrument.minValue,
  symbolStatus: CLASSIC_STATUS[statusAt(instrument, at)],
  launchTime: launchOf(instrument) ?? "",
  minLever: "1",
  maxLever: String(instrument.contract.maxLeverage),
  posLimit: POSITION_SHARE,
  // No longer maintained.
  openTime: "",
});
