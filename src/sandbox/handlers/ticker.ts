import { classicFuturesTicker, classicFuturesTickers, classicSpotTickers, tickers } from "../../contract/ticker.js";
import { type Exact, plain, truncated } from "../../decimal.js";
import type { Depth } from "../world/market/depth.js";
import type { Market } from "../world/market/market.js";
import type { Markets } from "../world/market/markets.js";
import type { FuturesFigures, Ticker } from "../world/market/ticker.js";
import { type Handler, open } from "./handler.js";
import { categoryOf, listed, named } from "./symbols.js";

/** Decimals of a change, as a fraction. */
const CHANGE_PLACES = 5;

/** Tickers of both generations. */
export function tickerHandlers(markets: Markets): readonly Handler[] {
  const each = (found: readonly Market[], render: (market: Market, ticker: Ticker, best: Best) => unknown): unknown =>
    found.map((market) => render(market, market.ticker(markets.tick), bestOf(market.depth(markets.tick))));

  return [
    open(tickers, ({ values }) => each(named(markets, values.category, values.symbol), unified)),
    open(classicSpotTickers, ({ values }) =>
      each(named(markets, "SPOT", values.symbol), (market, ticker, best) => ({
        ...classic(market, ticker, best),
        open: plain(ticker.open24h),
        usdtVolume: usdtVolume(markets, market, ticker),
      })),
    ),
    open(classicFuturesTickers, ({ values }) => each(named(markets, categoryOf(values.productType), undefined), futures)),
    open(classicFuturesTicker, ({ values }) => each([listed(markets, categoryOf(values.productType), values.symbol)], futures)),
  ];
}

/** The best prices and their sizes. An empty side has an empty price and a size of zero. */
interface Best {
  readonly ask: readonly [price: string, size: string];
  readonly bid: readonly [price: string, size: string];
}

const bestOf = ({ asks, bids }: Depth): Best => ({ ask: asks[0] ?? ["", "0"], bid: bids[0] ?? ["", "0"] });

const change = (from: Exact, to: Exact): string => plain(truncated(to.minus(from).div(from), CHANGE_PLACES));

const usdtVolume = (markets: Markets, { listing }: Market, { turnover24h }: Ticker): string =>
  plain(turnover24h.times(markets.usdtPrice(listing.instrument.quoteCoin) ?? turnover24h.minus(turnover24h)));

const unified = ({ listing: { instrument } }: Market, ticker: Ticker, { ask, bid }: Best): unknown => ({
  category: instrument.category,
  symbol: instrument.symbol,
  lastPrice: plain(ticker.last),
  openPrice24h: plain(ticker.open24h),
  highPrice24h: plain(ticker.high24h),
  lowPrice24h: plain(ticker.low24h),
  ask1Price: ask[0],
  bid1Price: bid[0],
  bid1Size: bid[1],
  ask1Size: ask[1],
  price24hPcnt: change(ticker.open24h, ticker.last),
  volume24h: plain(ticker.volume24h),
  turnover24h: plain(ticker.turnover24h),
  ts: String(ticker.at),
  ...(ticker.futures === undefined ? {} : unifiedFutures(ticker.futures, instrument.contract?.delivery)),
});

interface Delivery {
  readonly startTime: number;
  readonly time: number;
}

const delivery = (dates: Delivery | undefined) => ({
  deliveryStartTime: dates === undefined ? "" : String(dates.startTime),
  deliveryTime: dates === undefined ? "" : String(dates.time),
  deliveryStatus: dates === undefined ? "" : "delivery_normal",
});

const unifiedFutures = ({ index, mark, fundingRate, openInterest }: FuturesFigures, dates: Delivery | undefined) => ({
  indexPrice: plain(index),
  markPrice: plain(mark),
  fundingRate: plain(fundingRate),
  openInterest: plain(openInterest),
  ...delivery(dates),
});

const classic = ({ listing: { instrument } }: Market, ticker: Ticker, { ask, bid }: Best) => ({
  symbol: instrument.symbol,
  high24h: plain(ticker.high24h),
  low24h: plain(ticker.low24h),
  lastPr: plain(ticker.last),
  quoteVolume: plain(ticker.turnover24h),
  baseVolume: plain(ticker.volume24h),
  bidPr: bid[0],
  askPr: ask[0],
  bidSz: bid[1],
  askSz: ask[1],
  openUtc: plain(ticker.openUtc),
  ts: String(ticker.at),
  changeUtc24h: change(ticker.openUtc, ticker.last),
  change24h: change(ticker.open24h, ticker.last),
});

/** The turnover of futures counts in US dollars, whichever coin stands for them. */
const futures = (market: Market, ticker: Ticker, best: Best): unknown => ({
  ...classic(market, ticker, best),
  usdtVolume: plain(ticker.turnover24h),
  open24h: plain(ticker.open24h),
  ...(ticker.futures === undefined ? {} : classicFigures(ticker.futures)),
  ...delivery(market.listing.instrument.contract?.delivery),
});

const classicFigures = ({ index, mark, fundingRate, openInterest }: FuturesFigures) => ({
  indexPrice: plain(index),
  markPrice: plain(mark),
  fundingRate: plain(fundingRate),
  holdingAmount: plain(openInterest),
});
