/** What the other modules of the data source may use of this one. */

export type { Candle } from "@exchange-graph/contract/candle";
export type { Liquidation } from "@exchange-graph/contract/channels/liquidation";
export type { StreamedTicker } from "@exchange-graph/contract/channels/ticker";
export type { PlanOrder } from "@exchange-graph/contract/plan";
export type { PublicTrade } from "@exchange-graph/contract/publicTrade";
export type { StrategyType } from "@exchange-graph/contract/vocabulary";
export { OrderBook, type ShownBook } from "./book/orderBook.js";
export { ACCOUNT_CHANNELS, type StreamedBy } from "./channels/index.js";
export { createStreams, type StreamsSettings } from "./createStreams.js";
export { type EventQueue, eventQueue } from "./eventQueue.js";
export type { Listener, MarketStreams, StateView, StreamEvent, Unlisten } from "./listening.js";
export type { LiveWorth } from "./live/liveList.js";
export { markedHoldings } from "./live/markedHoldings.js";
export { markedPositions } from "./live/markedPositions.js";
export { topicMarket } from "./marketTopics.js";
export { overMany, type SubjectEvent } from "./overMany.js";
export { type Appended, type EventLog, KEPT_EVENTS, KEPT_MS, type LogEntry } from "./resumption/eventLog.js";
export type { Role, SharedTopics, ShareTopics, SharingParts } from "./sharing.js";
export type { OpenTopic, StreamGauges, Streams } from "./streams.js";
export type { TopicHandle, TopicSink } from "./upstream/link.js";
export { type Topic, UpstreamConnections } from "./upstream/upstreamConnections.js";
