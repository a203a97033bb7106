/** The graph and its context. */

export { ANYONE, demand, type Grants, type Principal, Rights } from "./access/principal.js";
export { createContext, estimateStateOver, type MutationAuthor, type RequestContext } from "./context.js";
export { buildGraph } from "./graph.js";
export type { EventSource, Resuming } from "./subscriptions/streamed.js";
