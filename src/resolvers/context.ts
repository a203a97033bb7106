import { type Exchange, type Requester, RequestReads } from "../datasources/index.js";
import type { Streams } from "../datasources/streams/index.js";
import type { Asker } from "./access/asker.js";
import { visibleExchange } from "./access/visibleExchange.js";
import type { MutationObserver } from "./mutations/mutationObserver.js";

/** What one operation has at hand. */
export interface RequestContext {
  readonly asker: Asker;
  /** Over those accounts alone that the asker sees. */
  readonly reads: RequestReads;
  /** The exchange's streams; `undefined` when its stream address is not known. */
  readonly streams: Streams | undefined;
  /** Hears of every mutation that ends. */
  readonly mutations?: MutationObserver | undefined;
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
