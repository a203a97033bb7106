import { readFileSync } from "node:fs";
import { buildSchema, findBreakingChanges } from "graphql";
import { describe, expect, it } from "vitest";
import { printGraph } from "../../src/schema/printGraph.js";
import { graph } from "../support/graph.js";

const committed = readFileSync(new URL("../../schema.graphql", import.meta.url), "utf8");

describe("schema.graphql", () => {
  it("contains no field that the graph has removed: changes are additive", () => {
    const breaking = findBreakingChanges(buildSchema(committed), graph);
    expect(breaking.map(({ description }) => description)).toEqual([]);
  });

  it("is the current graph: `npm run schema` updates it", () => {
    expect(committed).toBe(printGraph(graph));
  });
});
