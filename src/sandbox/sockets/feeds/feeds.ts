import type { State } from "../../world/state.js";
import { bookFeeds } from "./book.js";
import { candleFeeds } from "./candle.js";
import type { Feed } from "./feed.js";
import { liquidationFeed } from "./liquidation.js";
import { publicTradeFeeds } from "./publicTrade.js";
import { tickerFeeds } from "./ticker.js";

/** Every channel of the exchange, both generations. */
export const feedsOf = ({ markets }: State): readonly Feed[] => [
  ...tickerFeeds(markets),
  ...publicTradeFeeds(markets),
  ...candleFeeds(markets),
  ...bookFeeds(markets),
  liquidationFeed,
];
