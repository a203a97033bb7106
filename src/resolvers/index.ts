/** The graph and its context. */

export { demand } from "./access/demand.js";
export { ANYONE, type Principal } from "./access/principal.js";
export { type Grants, Rights } from "./access/rights.js";
export { createContext, type RequestContext } from "./context.js";
export { buildGraph } from "./graph.js";
export type { MutationAuthor } from "./mutations/mutationAuthor.js";
export { outlookOver } from "./outlook.js";
