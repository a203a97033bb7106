import {
  type Codec,
  type Decoded,
  decimalAboveZero,
  id,
  mapped,
  needed,
  nothing,
  optionalDecimal,
  optionalFlag,
  optionalText,
  optionalTime,
  optionalToken,
  text,
  token,
} from "./codec.js";
import { exact, isZero, plain, truncated } from "./decimal.js";
import { endpoint, PRIVATE_STATE, perSecond, writeEndpoint } from "./endpoint.js";
import { optionalFeeTotal } from "./fee.js";
import { ASSET_MODES } from "./futuresAccount.js";
import { page, wholeList } from "./page.js";
import { amount, capitalCoinName, maybe, oneOf, required, symbolName } from "./parameter.js";
import { FUTURES_POSITIONS_READ, FUTURES_POSITIONS_WRITE, UNIFIED_TRADE_READ } from "./permissions.js";
import { record, withWireKeys } from "./record.js";
import { productType, type WithoutCategory } from "./trading.js";
import {
  FUTURES_CATEGORIES,
  HOLD_MODES,
  MARGIN_MODE_WIRE_NAMES,
  MARGIN_MODES,
  POSITION_SIDES,
  POSITION_STATUS_WIRE_NAMES,
  POSITION_STATUSES,
} from "./vocabulary.js";

/**
 * Open positions of either API version. v3's records, pushes included, are canonical. Fees are positive when paid, funding is
 * positive when received. Unlike an order, a position has a side in one-way mode too.
 */
export const commonPositionFields = {
  symbol: id("Symbol name, for example `BTCUSDT` (`instId` in places)", "symbol", "instId"),
  marginCoin: text("Coin that the position is margined and settled in"),
  holdMode: optionalToken("Position mode in which it is held (Classic: `posMode`)", HOLD_MODES),
  posSide: token("Long or short, in one-way mode too (Classic: `holdSide`)", POSITION_SIDES),
  marginMode: optionalToken("Margin mode in which it is held", MARGIN_MODES, MARGIN_MODE_WIRE_NAMES),
};

export const positionCategory = token("Product category that it is traded in", FUTURES_CATEGORIES);

/** A push has other names for the same fields in places; it also leaves figures empty once the position is closed. */
export const positionFields = {
  ...commonPositionFields,
  margin: optionalDecimal(
    "Margin of the position, in margin coin (`positionBalance`; Classic: `marginSize`)",
    "positionBalance",
    "marginSize",
  ),
  availableQty: optionalDecimal("Quantity that can be closed, in base coin (`available`)", "available"),
  frozenQty: optionalDecimal("Quantity held by orders that would close it, in base coin (`frozen`; Classic: `locked`)", "frozen"),
  qty: needed(optionalDecimal("Quantity, in base coin (`total`, also spelt `size`)", "total", "size")),
  leverage: optionalDecimal("Leverage of the position"),
  realisedPnl: optionalDecimal(
    "Profit and loss realised so far, in margin coin (`curRealisedPnl`; Classic: `achievedProfits`)",
    "curRealisedPnl",
  ),
  avgPrice: decimalAboveZero("Average opening price, in quote coin (Classic: `openPriceAvg`)"),
  status: optionalToken(
    "State of the position (`positionStatus`); Classic accounts do not say",
    POSITION_STATUSES,
    POSITION_STATUS_WIRE_NAMES,
    "positionStatus",
  ),
  unrealisedPnl: optionalDecimal("Unrealised profit and loss, in margin coin (Classic: `unrealizedPL`)"),
  liquidationPrice: decimalAboveZero(
    "Estimated liquidation price, in quote coin; null when there is none (also spelt `liqPrice`)",
    "liquidationPrice",
    "liqPrice",
  ),
  maintenanceMarginRate: optionalDecimal("Maintenance margin rate, as a fraction (`mmr`; Classic: `keepMarginRate`)", "mmr"),
  profitRate: optionalDecimal(
    "Unrealised profit and loss as a fraction of the margin (`unrealizedPLR`). Where the exchange does not send it, the same quotient: `unrealisedPnl` by `margin`, to 10 decimals",
  ),
  markPrice: optionalDecimal("Mark price, in quote coin"),
  breakEvenPrice: decimalAboveZero("Price at which closing would cost nothing, fees included, in quote coin"),
  totalFunding: optionalDecimal(
    "Funding so far, in margin coin (also spelt `totalFundingFee` and `totalFee`)",
    "totalFunding",
    "totalFundingFee",
  ),
  openFee: optionalFeeTotal(
    "Opening fees so far, in margin coin (`openFeeTotal`; Classic: `deductedFee`)",
    "negative",
    "openFeeTotal",
  ),
  closeFee: optionalFeeTotal("Closing fees so far, in margin coin (`closeFeeTotal`)", "negative", "closeFeeTotal"),
  cashDividend: optionalDecimal("Cash dividend, in USDT"),
  openOrderQty: optionalDecimal(
    "Quantity held by orders that would open more, in base coin; Classic only (`openDelegateSize`)",
    "openDelegateSize",
  ),
  marginRatio: optionalDecimal(
    "Margin ratio of the account or position, as a fraction; Classic only (also spelt `marginRate`)",
    "marginRatio",
    "marginRate",
  ),
  assetMode: optionalToken("Which coins count as margin; Classic only", ASSET_MODES),
  hasAutoMargin: optionalFlag("Is margin added automatically? Classic, and where one symbol was asked for", "autoMargin"),
  takeProfit: needed(decimalAboveZero("Trigger price of the position's take-profit; Classic lists alone")),
  takeProfitId: optionalText("Trigger order behind the take-profit; Classic lists alone"),
  stopLoss: needed(decimalAboveZero("Trigger price of the position's stop-loss; Classic lists alone")),
  stopLossId: optionalText("Trigger order behind the stop-loss; Classic lists alone"),
  createdTime: optionalTime("When the position was opened (Classic: `cTime`)"),
  updatedTime: optionalTime("When it last changed (Classic: `uTime`)"),
};

/** Lists and pushes have different values for an open position: both are decoded as the same value, and so is the raw text. */
export const withOneStatusWord = <T extends { readonly status: string | null; readonly statusRaw: string | null }>(held: T): T =>
  held.status === "normal" ? { ...held, statusRaw: "normal" } : held;

const positionRecord = record({ category: positionCategory, ...positionFields });
export type Position = Decoded<typeof positionRecord>;
export const position: Codec<Position> = mapped(positionRecord, withOneStatusWord);

/** Decimal places of the exchange's profit rate. */
const RATE_PLACES = 10;

/** Unrealised profit as a fraction of the margin. */
export const profitRateOf = ({ unrealisedPnl, margin }: Pick<Position, "unrealisedPnl" | "margin">): string | null =>
  unrealisedPnl === null || margin === null || isZero(margin)
    ? null
    : plain(truncated(exact(unrealisedPnl).div(exact(margin)), RATE_PLACES));

/** Classic has deducted fees as a positive number, and names the accumulated funding the total fee. */
const classicFields = record({
  ...withWireKeys(positionFields, {
    holdMode: ["posMode"],
    posSide: ["holdSide"],
    margin: ["marginSize"],
    frozenQty: ["locked", "frozen"],
    realisedPnl: ["achievedProfits"],
    avgPrice: ["openPriceAvg"],
    unrealisedPnl: ["unrealizedPL"],
    maintenanceMarginRate: ["keepMarginRate"],
    profitRate: ["unrealizedPLR"],
    totalFunding: ["totalFee"],
    createdTime: ["cTime"],
    updatedTime: ["uTime", "cTime"],
  }),
  openFee: optionalFeeTotal("Opening fees so far, positive when paid", "positive", "deductedFee"),
});
/** In v2 only pushes have the profit rate, with fewer decimals. It is computed for both, so that they are equal. */
export const classicPosition: Codec<WithoutCategory<Position>> = mapped(classicFields, (held) => ({
  ...held,
  profitRate: profitRateOf(held) ?? held.profitRate,
}));

export const positions = endpoint({
  name: "positions",
  doc: "Open positions of one category",
  path: "/api/v3/position/current-position",
  permissions: UNIFIED_TRADE_READ,
  rate: perSecond(20, "UID"),
  cache: PRIVATE_STATE,
  parameters: {
    category: required("Product category", oneOf(FUTURES_CATEGORIES)),
    symbol: maybe("Symbol name", symbolName()),
    posSide: maybe("Position side", oneOf(POSITION_SIDES)),
  },
  data: page(position),
});

const CLASSIC = { permissions: FUTURES_POSITIONS_READ, cache: PRIVATE_STATE, data: wholeList(classicPosition) } as const;

export const classicPositions = endpoint({
  ...CLASSIC,
  name: "classicPositions",
  doc: "Open positions of one product type",
  path: "/api/v2/mix/position/all-position",
  rate: perSecond(5, "UID"),
  parameters: { productType, marginCoin: maybe("Margin coin", capitalCoinName()) },
});

export const classicPositionsOfSymbol = endpoint({
  ...CLASSIC,
  name: "classicPositionsOfSymbol",
  doc: "Open positions in one symbol: none, one, or one per side",
  path: "/api/v2/mix/position/single-position",
  rate: perSecond(10, "UID"),
  parameters: {
    productType,
    symbol: required("Symbol name", symbolName()),
    marginCoin: required("Margin coin", capitalCoinName()),
  },
});

export const classicSetMargin = writeEndpoint({
  name: "classicSetMargin",
  doc: "Adds margin to an isolated position or takes some out",
  path: "/api/v2/mix/account/set-margin",
  permissions: FUTURES_POSITIONS_WRITE,
  rate: perSecond(5, "UID"),
  parameters: {
    symbol: required("Symbol name", symbolName()),
    productType,
    marginCoin: required("Margin coin, in capitals", capitalCoinName()),
    holdSide: required("Position side", oneOf(POSITION_SIDES)),
    amount: required("Margin to add; negative to take out", amount("not zero")),
  },
  data: nothing,
});
