/** What the exchange pushes. */

export type { AccountHoldings } from "../state/holdings.js";
export type { Depth, ShownBook, ShownLevel } from "./book/orderBook.js";
export { createStreams } from "./createStreams.js";
export type { StreamEvent } from "./event.js";
export type { LivePolicy } from "./live/keeper.js";
export type { ApiVersion as Generation } from "./marketChannels.js";
export type { OpenTopic, StateView, StreamGauges, Streams, Unlisten } from "./streams.js";
export type { Listener } from "./topicHub.js";
export type { ConnectionState } from "./upstream/connections.js";
