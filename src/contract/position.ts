import { decimal, list, optionalText, record, text, time, token, optionalDecimal, type Decoded } from "./codec.js";
import { endpoint, perSecond, PRIVATE_HISTORY } from "./endpoint.js";
import { maybe, oneOf, pageSize, required, symbolName, timestamp, words } from "./parameter.js";
import { FUTURES_CATEGORIES, HOLD_MODES, MARGIN_MODES, POSITION_SIDES } from "./vocabulary.js";

/** Positions of a unified account (v3). */

export const historicalPosition = record({
  positionId: text("Position identifier"),
  category: token("Product category", FUTURES_CATEGORIES),
  symbol: text("Symbol name"),
  marginCoin: text("Margin coin"),
  holdMode: token("Position mode", HOLD_MODES),
  posSide: token("Position side", POSITION_SIDES),
  marginMode: token("Margin mode", MARGIN_MODES),
  openPriceAvg: decimal("Average opening price"),
  closePriceAvg: decimal("Average closing price"),
  openTotalPos: decimal("Total opened quantity"),
  closeTotalPos: decimal("Total closed quantity"),
  cumRealisedPnl: decimal("Cumulative realised profit and loss, without fees and funding"),
  netProfit: decimal("Net profit and loss, with fees and funding"),
  totalFunding: decimal("Accumulated funding fee over the position's life"),
  openFeeTotal: decimal("Opening fees deducted over the position's life"),
  closeFeeTotal: decimal("Closing fees deducted over the position's life"),
  cashDividend: optionalDecimal("Cash dividend in USDT"),
  createdTime: time("Creation"),
  updatedTime: time("Last update"),
});
export type HistoricalPosition = Decoded<typeof historicalPosition>;

/** A page of a v3 list; `cursor` leads to older rows and is empty at the end. */
export const historicalPositionPage = record({
  list: list("Closed positions, newest first", historicalPosition),
  cursor: optionalText("Leads to older rows"),
});

export const positionHistory = endpoint({
  name: "positionHistory",
  doc: "Closed positions of the last 90 days",
  method: "GET",
  path: "/api/v3/position/history-position",
  generation: "v3",
  access: "private",
  serves: "UNIFIED",
  permissions: ["uta_trade:read_write"],
  rate: perSecond(20, "UID"),
  cache: PRIVATE_HISTORY,
  parameters: {
    category: required("Product category", oneOf(FUTURES_CATEGORIES)),
    symbol: maybe("Symbol name", symbolName()),
    startTime: maybe("Only positions from here on", timestamp()),
    endTime: maybe("Only positions up to here", timestamp()),
    limit: maybe("Page size", pageSize(100, 100)),
    cursor: maybe("The cursor of the page before", words()),
  },
  window: { from: "startTime", to: "endTime", range: { days: 30 }, age: { days: 90 } },
  data: historicalPositionPage,
});
