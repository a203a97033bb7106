import { classicTickerChannel, tickerChannel } from "@exchange-graph/contract/channels/ticker";
import { plain } from "@exchange-graph/contract/decimal";
import { bestOf, classicFigures, sinceMidnight, unifiedFigures } from "../../handlers/wire/ticker.js";
import { tickAt } from "../../world/market/listing.js";
import type { Market } from "../../world/market/market.js";
import type { Markets } from "../../world/market/markets.js";
import type { FuturesFigures } from "../../world/market/ticker.js";
import { marketFeed, Picture, type TopicFeed } from "./topicFeed.js";

/** Tickers: the whole record each time. */
export const tickerFeeds = (markets: Markets): readonly TopicFeed[] => [
  marketFeed(markets, tickerChannel, (market) => pictureOf(market, markets, unified)),
  marketFeed(markets, classicTickerChannel, (market) => pictureOf(market, markets, classic)),
];

function pictureOf(market: Market, markets: Markets, render: (market: Market, tick: number) => unknown): Picture {
  return new Picture(
    () => market.seq(markets.tick),
    () => {
      const text = JSON.stringify([render(market, markets.tick)]);
      return { text, content: text };
    },
  );
}

/** A contract with a delivery has no funding. */
const nextFunding = ({ listing: { instrument } }: Market, { nextFundingTime }: FuturesFigures): string =>
  instrument.contract?.delivery === undefined ? String(nextFundingTime) : "";

/** The index at the delivery, at which positions are settled; 0 until then. */
function deliveryPrice({ listing }: Market, tick: number): string {
  const time = listing.instrument.contract?.delivery?.time;
  return time === undefined || tick < tickAt(time) ? "0" : plain(listing.price(tickAt(time), "index"));
}

function unified(market: Market, tick: number): unknown {
  const ticker = market.ticker(tick);
  return {
    ...unifiedFigures(market.listing.instrument, ticker, bestOf(market.depth(tick, 1))),
    ...(ticker.futures === undefined ? {} : { nextFundingTime: nextFunding(market, ticker.futures) }),
  };
}

function classic(market: Market, tick: number): unknown {
  const { instrument } = market.listing;
  const ticker = market.ticker(tick);
  const figures = {
    instId: instrument.symbol,
    ...classicFigures(ticker, bestOf(market.depth(tick, 1))),
    open24h: plain(ticker.open24h),
  };
  if (ticker.futures === undefined) return { ...figures, changeUtc24h: sinceMidnight(ticker) };
  return {
    ...figures,
    nextFundingTime: nextFunding(market, ticker.futures),
    symbolType: instrument.contract?.delivery === undefined ? 1 : 2,
    symbol: instrument.symbol,
    deliveryPrice: deliveryPrice(market, tick),
  };
}
