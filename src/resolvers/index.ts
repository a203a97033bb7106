/** The graph, and what its operations run with. */
export { ANYONE, type Asker } from "./access/asker.js";
export { demand } from "./access/demand.js";
export { type Grants, Rights } from "./access/rights.js";
export { createContext, type RequestContext } from "./context.js";
export { outlookOver } from "./costs/outlook.js";
export { buildGraph } from "./graph.js";
export type { EndedMutation, MutationObserver } from "./mutations/mutationObserver.js";
