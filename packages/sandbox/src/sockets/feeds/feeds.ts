import type { State } from "../../world/state.js";
import { accountFeeds, positionFeeds } from "./account.js";
import { bookFeeds } from "./book.js";
import { candleFeeds } from "./candle.js";
import { orderFeeds } from "./order.js";
import { liquidationFeed, publicTradeFeeds } from "./publicTrade.js";
import { tickerFeeds } from "./ticker.js";
import type { TopicFeed } from "./topicFeed.js";

/**
 * Every channel of the exchange, of both API versions. `hasCrowd`: whether other participants besides the users are liquidated.
 */
export const feedsOf = (state: State, hasCrowd: boolean): readonly TopicFeed[] => [
  ...tickerFeeds(state.markets),
  ...publicTradeFeeds(state.markets),
  ...candleFeeds(state.markets),
  ...bookFeeds(state.markets),
  liquidationFeed(hasCrowd ? state.markets.all : [], state.markets),
  ...orderFeeds(state),
  ...accountFeeds(state),
  ...positionFeeds(state),
];
