import { type Decoded, decimalAboveZero, id, optionalDecimal, optionalTime, optionalToken } from "./codec.js";
import { endpoint, MARKET_DATA, perSecond } from "./endpoint.js";
import { listOf } from "./lists.js";
import { maybe, oneOf, required, symbolName } from "./parameter.js";
import { record } from "./record.js";
import { productType } from "./trading.js";
import { MARKET_CATEGORIES } from "./vocabulary.js";

/**
 * Tickers: the last 24 hours of a symbol.
 *
 * The API versions send the same figures under different keys. A v2 record has no category: the caller adds it, because every
 * call is for one category.
 */

export const DELIVERY_STATUSES = ["delivery_config_period", "delivery_normal", "delivery_before", "delivery_period"] as const;

export const ticker = record({
  symbol: id("Symbol name, for example `BTCUSDT`"),
  lastPrice: optionalDecimal("Price of the last trade, in quote coin (`lastPr`)", "lastPrice", "lastPr"),
  openPrice24h: optionalDecimal("Price 24 hours ago, in quote coin (`open24h`, `open`)", "openPrice24h", "open24h", "open"),
  highPrice24h: optionalDecimal("Highest price of the last 24 hours, in quote coin (`high24h`)", "highPrice24h", "high24h"),
  lowPrice24h: optionalDecimal("Lowest price of the last 24 hours, in quote coin (`low24h`)", "lowPrice24h", "low24h"),
  change24h: optionalDecimal(
    "Change of the price in the last 24 hours, as a fraction: 0.05 is 5 % (`price24hPcnt`; Classic: `change24h`)",
    "price24hPcnt",
    "change24h",
  ),
  volume24h: optionalDecimal("Traded in the last 24 hours, in base coin (`baseVolume`)", "volume24h", "baseVolume"),
  turnover24h: optionalDecimal("Traded in the last 24 hours, in quote coin (`quoteVolume`)", "turnover24h", "quoteVolume"),
  turnover24hUsdt: optionalDecimal("Traded in the last 24 hours, in USDT; v2 REST only (`usdtVolume`)", "usdtVolume"),
  bid1Price: optionalDecimal("Best bid, in quote coin; null if there are no bids (`bidPr`)", "bid1Price", "bidPr"),
  bid1Qty: optionalDecimal("Quantity at the best bid, in base coin (`bid1Size`; Classic: `bidSz`)", "bid1Size", "bidSz"),
  ask1Price: optionalDecimal("Best ask, in quote coin; null if there are no asks (`askPr`)", "ask1Price", "askPr"),
  ask1Qty: optionalDecimal("Quantity at the best ask, in base coin (`ask1Size`; Classic: `askSz`)", "ask1Size", "askSz"),
  indexPrice: optionalDecimal("Index price, in quote coin; futures only"),
  markPrice: optionalDecimal("Mark price, in quote coin; futures only"),
  fundingRate: optionalDecimal("Current funding rate, as a fraction; perpetual futures only"),
  nextFundingTime: optionalTime("Next settlement of funding; perpetual futures only, carried by pushes"),
  openInterest: optionalDecimal("Open positions, in base coin; futures only (`holdingAmount`)", "openInterest", "holdingAmount"),
  openUtc: optionalDecimal("Price at midnight UTC; v2 only"),
  changeUtc24h: optionalDecimal("Change of price since midnight UTC, as a fraction; v2 only, pushes of futures leave it out"),
  deliveryStartTime: optionalTime("Start of the delivery; delivery futures only"),
  deliveryTime: optionalTime("The delivery itself; delivery futures only"),
  deliveryStatus: optionalToken("State of the contract; delivery futures only", DELIVERY_STATUSES),
  deliveryPrice: decimalAboveZero(
    "Price at which the contract was delivered; delivery futures only, from the v2 ticker stream only (setting `STREAMS_PUBLIC`), null elsewhere",
  ),
  time: optionalTime("When the figures were true (the exchange's `ts`)", "ts"),
});
export type Ticker = Decoded<typeof ticker>;

const READ = { rate: perSecond(20, "IP"), cache: MARKET_DATA, data: listOf(ticker) } as const;

export const tickers = endpoint({
  ...READ,
  name: "tickers",
  doc: "Tickers of a category, or of one symbol",
  path: "/api/v3/market/tickers",
  parameters: {
    category: required("Product category", oneOf(MARKET_CATEGORIES)),
    symbol: maybe("Symbol name. Default: all of them", symbolName()),
  },
});

export const classicSpotTickers = endpoint({
  ...READ,
  name: "classicSpotTickers",
  doc: "Tickers of spot, or of one symbol",
  path: "/api/v2/spot/market/tickers",
  parameters: { symbol: maybe("Symbol name. Default: all of them", symbolName()) },
});

export const classicFuturesTickers = endpoint({
  ...READ,
  name: "classicFuturesTickers",
  doc: "Tickers of a futures product type",
  path: "/api/v2/mix/market/tickers",
  parameters: { productType },
});

export const classicFuturesTicker = endpoint({
  ...READ,
  name: "classicFuturesTicker",
  doc: "The ticker of one futures symbol, as a list of one",
  path: "/api/v2/mix/market/ticker",
  parameters: {
    symbol: required("Symbol name", symbolName()),
    productType,
  },
});
