import { plain } from "@exchange-graph/contract/decimal";
import { classicFuturesTicker, classicFuturesTickers, classicSpotTickers, tickers } from "@exchange-graph/contract/ticker";
import type { Market } from "../world/market/market.js";
import type { Markets } from "../world/market/markets.js";
import type { Ticker } from "../world/market/ticker.js";
import { type Handler, open } from "./handler.js";
import { categoryOf, listed, named } from "./symbols.js";
import { type Best, bestOf, classicFigures, delivery, sinceMidnight, unifiedFigures } from "./wire/ticker.js";

/** Tickers of both API versions. */
export function tickerHandlers(markets: Markets): readonly Handler[] {
  const each = (found: readonly Market[], render: (market: Market, ticker: Ticker, best: Best) => unknown): unknown =>
    found.map((market) => render(market, market.ticker(markets.tick), bestOf(market.top(markets.tick))));

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

const usdtVolume = (markets: Markets, { listing }: Market, { turnover24h }: Ticker): string =>
  plain(turnover24h.times(markets.usdtPrice(listing.instrument.quoteCoin) ?? turnover24h.minus(turnover24h)));

const unified = ({ listing: { instrument } }: Market, ticker: Ticker, best: Best): unknown => ({
  category: instrument.category,
  symbol: instrument.symbol,
  ...unifiedFigures(instrument, ticker, best),
  ts: String(ticker.at),
});

const classic = ({ listing }: Market, ticker: Ticker, best: Best) => ({
  symbol: listing.instrument.symbol,
  ...classicFigures(ticker, best),
  changeUtc24h: sinceMidnight(ticker),
});

/** The turnover of futures is in US dollars, for every settlement coin. */
const futures = (market: Market, ticker: Ticker, best: Best): unknown => ({
  ...classic(market, ticker, best),
  usdtVolume: plain(ticker.turnover24h),
  open24h: plain(ticker.open24h),
  ...delivery(market.listing.instrument, ticker.at),
});
