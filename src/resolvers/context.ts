import { type Exchange, RequestReads } from "../datasources/index.js";

/** What one operation has at hand. */
export interface RequestContext {
  readonly reads: RequestReads;
}

/** A context for one operation; never shared between two. */
export const createContext = (exchange: Exchange): RequestContext => ({ reads: new RequestReads(exchange) });
