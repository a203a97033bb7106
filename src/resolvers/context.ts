import { type Exchange, type Requester, RequestReads } from "../datasources/index.js";
import type { Streams } from "../datasources/streams/index.js";
import type { Principal } from "./access/principal.js";
import { visibleExchange } from "./access/visibleExchange.js";
import type { MutationAuthor } from "./mutations/mutationAuthor.js";

/** What one operation has at hand. */
export interface RequestContext {
  readonly principal: Principal;
  /** Over those accounts alone that the asker sees. */
  readonly reads: RequestReads;
  /** The exchange's streams; `undefined` when its stream address is not known. */
  readonly streams: Streams | undefined;
  /** Of a mutation. */
  readonly author?: MutationAuthor | undefined;
}

/** A context for one operation; never shared between two. */
export const createContext = (
  exchange: Exchange,
  principal: Principal,
  streams?: Streams,
  author?: MutationAuthor,
  requester?: Requester,
): RequestContext => ({
  principal,
  reads: new RequestReads(visibleExchange(exchange, principal.rights), author, requester, streams?.live),
  streams,
  author,
});
