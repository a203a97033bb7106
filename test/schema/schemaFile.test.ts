import { readFileSync } from "node:fs";
import { buildSchema, findBreakingChanges } from "graphql";
import { describe, expect, it } from "vitest";
import { buildGraph } from "../../src/resolvers/index.js";
import { printGraph } from "../../src/schema/printGraph.js";

const committed = readFileSync(new URL("../../schema.graphql", import.meta.url), "utf8");

describe("schema.graphql", () => {
  it("contains no field that the graph has removed: changes are additive", () => {
    const breaking = findBreakingChanges(buildSchema(committed), buildGraph());
    expect(breaking.map(({ description }) => description)).toEqual([]);
  });

  it("is the current graph: `npm run schema` updates it", () => {
    expect(committed).toBe(printGraph(buildGraph()));
  });
});
