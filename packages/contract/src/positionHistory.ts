import { type Codec, type Decoded, optionalDecimal, optionalText, optionalTime, optionalToken } from "./codec.js";
import { endpoint, PRIVATE_HISTORY, perSecond } from "./endpoint.js";
import { optionalFeeTotal } from "./fee.js";
import { classicPage, page } from "./page.js";
import { between, classicPaging, maybe, oneOf, required, symbolName, unifiedPaging } from "./parameter.js";
import { FUTURES_POSITIONS_READ, UNIFIED_TRADE_WRITE } from "./permissions.js";
import { commonPositionFields, positionCategory } from "./position.js";
import { record, withWireKeys } from "./record.js";
import type { WithoutCategory } from "./trading.js";
import { FUTURES_CATEGORIES, FUTURES_PRODUCT_TYPES, POSITION_SIDES } from "./vocabulary.js";

/** A closed position is identified by its identifier, or else by its times. */
export const closedFields = {
  positionId: optionalText("The exchange's identifier of the position"),
  ...commonPositionFields,
  marginCoin: optionalText("Coin that the position was margined and settled in"),
  posSide: optionalToken("Long or short, in one-way mode too", POSITION_SIDES),
  avgPrice: optionalDecimal("Average opening price, in quote coin (`openPriceAvg`)", "openPriceAvg"),
  avgClosePrice: optionalDecimal("Average closing price, in quote coin (`closePriceAvg`)", "closePriceAvg"),
  openedQty: optionalDecimal("Total quantity opened, in base coin (`openTotalPos`)", "openTotalPos"),
  closedQty: optionalDecimal("Total quantity closed, in base coin (`closeTotalPos`)", "closeTotalPos"),
  realisedPnl: optionalDecimal(
    "Cumulative realised profit and loss without fees and funding, in margin coin (`cumRealisedPnl`)",
    "cumRealisedPnl",
  ),
  netProfit: optionalDecimal("Net profit and loss: `realisedPnl` and `totalFunding` less the fees, in margin coin"),
  totalFunding: optionalDecimal("Funding accumulated over the position's life, in margin coin; zero when there was none"),
  openFee: optionalFeeTotal("Opening fees over the position's life, in margin coin (`openFeeTotal`)", "negative", "openFeeTotal"),
  closeFee: optionalFeeTotal(
    "Closing fees over the position's life, in margin coin (`closeFeeTotal`)",
    "negative",
    "closeFeeTotal",
  ),
  cashDividend: optionalDecimal("Cash dividend, in USDT; null where the exchange names none"),
  createdTime: optionalTime("When the position was opened (Classic: `ctime`)"),
  updatedTime: optionalTime("When it last changed: its closing (Classic: `utime`)"),
};

export const historicalPosition = record({ category: positionCategory, ...closedFields });
export type HistoricalPosition = Decoded<typeof historicalPosition>;

/** Some rows have the times in lower case, some in camel case. */
const classicHistoricalPosition: Codec<WithoutCategory<HistoricalPosition>> = record(
  withWireKeys(closedFields, {
    holdMode: ["posMode"],
    posSide: ["holdSide"],
    avgPrice: ["openAvgPrice"],
    avgClosePrice: ["closeAvgPrice"],
    realisedPnl: ["pnl"],
    openFee: ["openFee"],
    closeFee: ["closeFee"],
    createdTime: ["cTime", "ctime"],
    updatedTime: ["uTime", "utime"],
  }),
);

export const positionHistory = endpoint({
  name: "positionHistory",
  doc: "Closed positions of the last 90 days",
  path: "/api/v3/position/history-position",
  // A read that requires the permission to write.
  permissions: UNIFIED_TRADE_WRITE,
  rate: perSecond(20, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: {
    category: required("Product category", oneOf(FUTURES_CATEGORIES)),
    symbol: maybe("Symbol name", symbolName()),
    ...between,
    ...unifiedPaging(100, 100),
  },
  window: { from: "startTime", to: "endTime", range: { days: 30 }, age: { days: 90 } },
  data: page(historicalPosition),
});

export const classicPositionHistory = endpoint({
  name: "classicPositionHistory",
  doc: "Closed positions of the last three months",
  path: "/api/v2/mix/position/history-position",
  permissions: FUTURES_POSITIONS_READ,
  rate: perSecond(20, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: {
    productType: maybe(
      "Product type; ignored when a symbol is given",
      oneOf(FUTURES_PRODUCT_TYPES, { fallback: "USDT-FUTURES" }),
    ),
    symbol: maybe("Symbol name", symbolName()),
    ...between,
    ...classicPaging(20, 100),
  },
  window: { from: "startTime", to: "endTime", age: { months: 3 } },
  data: classicPage(classicHistoricalPosition, "list"),
});
