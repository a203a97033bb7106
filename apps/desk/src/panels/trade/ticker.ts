import { graphql, type ResultOf } from "../../graph/document.js";
import { Latest } from "../../graph/latest.js";
import { useLatest } from "../../graph/useLatest.js";
import type { Market } from "./instrument.js";

const WatchTicker = graphql(`
  subscription WatchTicker($category: ProductCategoryInput!, $symbol: String!) {
    ticker(category: $category, symbol: $symbol, pace: { mode: LATEST, everyMs: 200 }) {
      ticker {
        id
        lastPrice
        ask1Price
        bid1Price
        change24h
        highPrice24h
        lowPrice24h
        volume24h
        turnover24h
        markPrice
        indexPrice
        fundingRate
        nextFundingTime
        openInterest
      }
    }
  }
`);

export type Ticker = ResultOf<typeof WatchTicker>["ticker"]["ticker"];

const tickers = new Latest(WatchTicker, ({ ticker: { ticker } }) => ticker);

/** The ticker of a market, at most five times a second. */
export function useTicker({ category, symbol }: Market) {
  const { value, feed } = useLatest(tickers, { category, symbol });
  return { ticker: value, feed };
}
