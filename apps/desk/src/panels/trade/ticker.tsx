import { createContext, type ReactNode, useContext, useState } from "react";
import { graphql, type ResultOf } from "../../graph/document.js";
import type { Feed } from "../../graph/feed.js";
import { useLive } from "../../graph/useLive.js";
import { Store, useStore } from "../../state/store.js";
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

interface Shared {
  readonly of: string;
  readonly feed: Feed;
  readonly store: Store<{ readonly of: string; readonly ticker: Ticker } | undefined>;
}

const SharedTicker = createContext<Shared | null>(null);

interface Props {
  readonly market: Market;
  readonly children: ReactNode;
}

/** Subscribes to the market's ticker, at most five times a second, once for all of the page. */
export function TickerOf({ market: { category, symbol }, children }: Props) {
  const of = `${category}/${symbol}`;
  const [store] = useState(() => new Store<{ readonly of: string; readonly ticker: Ticker } | undefined>(undefined));
  const feed = useLive(WatchTicker, { category, symbol }, ({ ticker: { ticker } }) => store.set({ of, ticker }));
  return <SharedTicker value={{ of, feed, store }}>{children}</SharedTicker>;
}

/** The ticker of the page's market. */
export function useTicker() {
  const shared = useContext(SharedTicker);
  if (shared === null) throw new TypeError("there is no ticker: render the component inside <TickerOf>");
  const found = useStore(shared.store);
  return { feed: shared.feed, ticker: found?.of === shared.of ? found.ticker : undefined };
}
