import { type Exchange, type Requester, RequestReads } from "../datasources/index.js";
import type { Progress } from "../datasources/streams/eventQueue.js";
import type { StreamEvent, Streams } from "../datasources/streams/index.js";
import type { PaceInput } from "../schema/pace.js";
import type { Asker } from "./access/asker.js";
import { visibleExchange } from "./access/visibleExchange.js";
import type { MutationObserver } from "./mutations/mutationObserver.js";

/** What a subscription's stream says of itself while it runs. */
interface StreamSeat {
  /** How fast it was asked to be. */
  pace: Pick<PaceInput, "mode" | "everyMs">;
  /** Was the current state there as soon as the stream was open? */
  hasState: boolean;
  /** How far it has come. */
  progress: Progress;
  /** The event that is being answered. */
  event: Pick<StreamEvent<unknown>, "kind" | "time" | "stale"> | undefined;
}

/** What one operation has at hand. */
export interface RequestContext {
  readonly asker: Asker;
  /** Over those accounts alone that the asker sees. */
  readonly reads: RequestReads;
  /** The exchange's streams; `undefined` when its stream address is not known. */
  readonly streams: Streams | undefined;
  /** Hears of every mutation that ends. */
  readonly mutations?: MutationObserver | undefined;
  /** Operations over a socket alone. */
  readonly seat?: StreamSeat;
}

/** A context for one operation; never shared between two. */
export const createContext = (
  exchange: Exchange,
  asker: Asker,
  streams?: Streams,
  mutations?: MutationObserver,
  requester?: Requester,
): RequestContext => ({
  asker,
  reads: new RequestReads(visibleExchange(exchange, asker.rights), mutations, requester),
  streams,
  mutations,
});

const NOT_BEGUN: Progress = { received: 0, taken: 0, skipped: 0 };

/** A context for one operation over a socket. */
export const createStreamContext = (
  exchange: Exchange,
  asker: Asker,
  streams?: Streams,
  mutations?: MutationObserver,
  requester?: Requester,
): RequestContext & { readonly seat: StreamSeat } => ({
  ...createContext(exchange, asker, streams, mutations, requester),
  seat: { pace: { mode: "ALL" }, hasState: false, progress: NOT_BEGUN, event: undefined },
});
