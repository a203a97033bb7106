/** The exchange's streams. */

export type { Candle } from "@exchange-graph/contract/candle";
export type { Liquidation } from "@exchange-graph/contract/channels/liquidation";
export type { StreamedOrder } from "@exchange-graph/contract/channels/order";
export type { StreamedTicker } from "@exchange-graph/contract/channels/ticker";
export type { Fill } from "@exchange-graph/contract/fill";
export type { PlanOrder } from "@exchange-graph/contract/plan";
export type { Position } from "@exchange-graph/contract/position";
export type { PublicTrade } from "@exchange-graph/contract/publicTrade";
export type { ShownBook } from "./book/orderBook.js";
export { createStreams, type StreamsSettings } from "./createStreams.js";
export type { StreamEvent } from "./event.js";
export type { LivePolicy } from "./live/keeper.js";
export type { ApiVersion } from "./marketChannels.js";
export type { AccountHoldings } from "./state/holdings.js";
export type { OpenTopic, StateView, StreamGauges, Streams, Unlisten } from "./streams.js";
export type { Listener } from "./topicHub.js";
