import type { GraphQLSchema } from "graphql";
import { buildGraph } from "../../src/resolvers/index.js";

/** A worker reloads this module for each of its files but keeps globals. */
const worker: typeof globalThis & { graph?: GraphQLSchema } = globalThis;
worker.graph ??= buildGraph();

/** The graph, built once per worker, because that takes longer than most tests. No test may change it. */
export const graph: GraphQLSchema = worker.graph;
