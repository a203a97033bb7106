import { accountChannel, classicEquityChannel, classicFuturesAccountChannel, classicSpotAccountChannel } from "./account.js";
import { BOOK_CHANNELS, CLASSIC_BOOK_CHANNELS, RPI_BOOK_CHANNELS } from "./book.js";
import { classicCandleChannel, klineChannel } from "./candle.js";
import type { Argument, Channel } from "./channel.js";
import { classicFuturesFillChannel, classicSpotFillChannel, fastFillChannel, fillChannel } from "./fill.js";
import { liquidationChannel } from "./liquidation.js";
import { classicFuturesOrdersChannel, classicSpotOrdersChannel, classicSpotTriggerOrdersChannel, orderChannel } from "./order.js";
import { classicPlanOrdersChannel, strategyOrderChannel } from "./plan.js";
import { classicPositionsChannel, classicPositionsHistoryChannel, positionChannel } from "./position.js";
import { classicTradeChannel, publicTradeChannel } from "./publicTrade.js";
import { classicTickerChannel, tickerChannel } from "./ticker.js";

/** Every channel of the exchange that we know, both API versions. */
export const channels: readonly Channel[] = [
  tickerChannel,
  publicTradeChannel,
  klineChannel,
  ...BOOK_CHANNELS,
  ...RPI_BOOK_CHANNELS,
  liquidationChannel,
  orderChannel,
  fillChannel,
  fastFillChannel,
  accountChannel,
  positionChannel,
  strategyOrderChannel,
  classicTickerChannel,
  classicTradeChannel,
  classicCandleChannel,
  ...CLASSIC_BOOK_CHANNELS,
  classicSpotOrdersChannel,
  classicSpotTriggerOrdersChannel,
  classicFuturesOrdersChannel,
  classicSpotAccountChannel,
  classicFuturesAccountChannel,
  classicEquityChannel,
  classicPositionsChannel,
  classicPositionsHistoryChannel,
  classicSpotFillChannel,
  classicFuturesFillChannel,
  classicPlanOrdersChannel,
];

/** The channel that an argument asks for on a socket of this API version and access; nothing when there is none. */
export const channelFor = (socket: Pick<Channel, "apiVersion" | "access">, argument: Argument): Channel | undefined =>
  channels.find(
    (channel) =>
      channel.apiVersion === socket.apiVersion && channel.access === socket.access && channel.parameters(argument) !== undefined,
  );
