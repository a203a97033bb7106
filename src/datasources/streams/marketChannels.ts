import type { Candle } from "../../contract/candle.js";
import type { Market } from "../../contract/channels/arguments.js";
import { BOOK_CHANNELS, type BookChannel, CLASSIC_BOOK_CHANNELS, RPI_BOOK_CHANNELS } from "../../contract/channels/book.js";
import { type CandleMarket, classicCandleChannel, klineChannel } from "../../contract/channels/candle.js";
import type { Channel } from "../../contract/channels/channel.js";
import { classicTradeChannel, publicTradeChannel } from "../../contract/channels/publicTrade.js";
import { classicTickerChannel, tickerChannel } from "../../contract/channels/ticker.js";
import { inCapitals } from "../../contract/letterCase.js";
import { symbolName } from "../../contract/parameter.js";
import { marketOf as marketCategoryOf, type ProductCategory } from "../../contract/vocabulary.js";
import { badInput } from "../fault.js";
import type { Depth } from "./book/orderBook.js";

const SYMBOL = symbolName();

/**
 * What a public topic is about; letter case does not matter. Throws `BAD_USER_INPUT` for what cannot be a symbol's name:
 * one request to the exchange asks for several topics, and none of them would come if one were too long for it.
 */
export function marketOf(category: ProductCategory, symbol: string): Market {
  if (!SYMBOL.accepts(symbol)) throw badInput([{ argument: "symbol", rule: `must be ${SYMBOL.allowed}` }]);
  return { category: marketCategoryOf(category), symbol: inCapitals(symbol) };
}

/** Which of the two sockets public data comes from. Both carry the same markets. */
export type Generation = Channel["generation"];

/** The ticker channel of a generation. */
export const tickerOf = (generation: Generation) => (generation === "v3" ? tickerChannel : classicTickerChannel);
/** The channel of public trades of a generation. */
export const tradesOf = (generation: Generation) => (generation === "v3" ? publicTradeChannel : classicTradeChannel);

/** v3 streams fewer intervals than v2: the others come over v2, whichever generation is preferred. */
export const candlesOf = (generation: Generation, market: CandleMarket): Channel<CandleMarket, Candle> =>
  generation === "v3" && klineChannel.parameters(klineChannel.argument(market)) !== undefined
    ? klineChannel
    : classicCandleChannel;

/** A depth as a number of levels, to be compared. */
export const levels = (depth: Depth): number => (depth === "full" ? Number.POSITIVE_INFINITY : depth);

/** The channels that have books of this kind, the shallowest first. RPI orders are shown on v3 alone. */
export function booksOf(generation: Generation, isRpi: boolean): readonly BookChannel[] {
  const channels = isRpi ? RPI_BOOK_CHANNELS : generation === "v3" ? BOOK_CHANNELS : CLASSIC_BOOK_CHANNELS;
  return [...channels].sort((a, b) => levels(a.tier) - levels(b.tier));
}
