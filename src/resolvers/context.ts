import { type Exchange, RequestReads } from "../datasources/index.js";
import type { StreamEvent, Streams } from "../datasources/streams/index.js";

/** What a subscription works with, and what its stream says of itself while it runs. */
export interface StreamSeat {
  readonly streams: Streams;
  /** Was the current state there as soon as the stream was open? */
  hasState: boolean;
  /** The event that is being answered. */
  event: Pick<StreamEvent<unknown>, "kind" | "time" | "stale"> | undefined;
}

/** What one operation has at hand. */
export interface RequestContext {
  readonly reads: RequestReads;
  /** Subscriptions alone. */
  readonly seat?: StreamSeat;
}

/** A context for one operation; never shared between two. */
export const createContext = (exchange: Exchange): RequestContext => ({ reads: new RequestReads(exchange) });

/** A context for one subscription. */
export const createStreamContext = (exchange: Exchange, streams: Streams): RequestContext & { readonly seat: StreamSeat } => ({
  ...createContext(exchange),
  seat: { streams, hasState: false, event: undefined },
});
