import { type Exchange, type Requester, RequestReads } from "../datasources/index.js";
import type { Streams } from "../datasources/streams/index.js";
import type { Principal } from "./access/principal.js";
import { visibleExchange } from "./access/visibleExchange.js";
import type { MutationObserver } from "./mutations/mutationObserver.js";

/** What one operation has at hand. */
export interface RequestContext {
  readonly principal: Principal;
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
  principal: Principal,
  streams?: Streams,
  mutations?: MutationObserver,
  requester?: Requester,
): RequestContext => ({
  principal,
  reads: new RequestReads(visibleExchange(exchange, principal.rights), mutations, requester),
  streams,
  mutations,
});
