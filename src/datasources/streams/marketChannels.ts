import type { Candle } from "@exchange-graph/contract/candle";
import type { Market } from "@exchange-graph/contract/channels/arguments";
import {
  BOOK_CHANNELS,
  type BookChannel,
  CLASSIC_BOOK_CHANNELS,
  RPI_BOOK_CHANNELS,
} from "@exchange-graph/contract/channels/book";
import { type CandleMarket, classicCandleChannel, klineChannel } from "@exchange-graph/contract/channels/candle";
import type { Channel } from "@exchange-graph/contract/channels/channel";
import { classicTradeChannel, publicTradeChannel } from "@exchange-graph/contract/channels/publicTrade";
import { classicTickerChannel, tickerChannel } from "@exchange-graph/contract/channels/ticker";
import { inCapitals } from "@exchange-graph/contract/letterCase";
import { symbolName } from "@exchange-graph/contract/parameter";
import { marketCategoryOf, type ProductCategory } from "@exchange-graph/contract/vocabulary";
import { badInput } from "../errors/index.js";
import type { Depth } from "./book/orderBook.js";

const SYMBOL = symbolName();

/**
 * The market of a public topic; letter case does not matter. Throws `BAD_USER_INPUT` for an impossible symbol name: one request
 * subscribes to several topics, and a name that is too long would break all of them.
 */
export function topicMarket(category: ProductCategory, symbol: string): Market {
  if (!SYMBOL.accepts(symbol)) throw badInput([{ argument: "symbol", rule: `must be ${SYMBOL.allowed}` }]);
  return { category: marketCategoryOf(category), symbol: inCapitals(symbol) };
}

/** The two public sockets. Both have the same markets. */
export type ApiVersion = Channel["apiVersion"];

export const tickerOf = (apiVersion: ApiVersion) => (apiVersion === "v3" ? tickerChannel : classicTickerChannel);
export const tradesOf = (apiVersion: ApiVersion) => (apiVersion === "v3" ? publicTradeChannel : classicTradeChannel);

/** v3 streams fewer intervals than v2: the others are taken from v2, whichever version is preferred. */
export const candlesOf = (apiVersion: ApiVersion, market: CandleMarket): Channel<CandleMarket, Candle> =>
  apiVersion === "v3" && klineChannel.parameters(klineChannel.argument(market)) !== undefined
    ? klineChannel
    : classicCandleChannel;

/** A depth as a number of levels, for comparisons. */
export const levels = (depth: Depth): number => (depth === "full" ? Number.POSITIVE_INFINITY : depth);

/** The book channels of this kind, the shallowest first. RPI books exist on v3 only. */
export function booksOf(apiVersion: ApiVersion, isRpi: boolean): readonly BookChannel[] {
  const channels = isRpi ? RPI_BOOK_CHANNELS : apiVersion === "v3" ? BOOK_CHANNELS : CLASSIC_BOOK_CHANNELS;
  return [...channels].sort((a, b) => levels(a.tier) - levels(b.tier));
}
