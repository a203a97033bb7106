/** The graph and its context. */

export type { MutationAuthor } from "./access/mutationAuthor.js";
export { ANYONE, demand, type Principal } from "./access/principal.js";
export { type Grants, Rights } from "./access/rights.js";
export { createContext, type RequestContext } from "./context.js";
export { buildGraph } from "./graph.js";
export { outlookOver } from "./outlook.js";
