import { parse } from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ANYONE, buildGraph, createContext } from "../../src/resolvers/index.js";
import { type LiveGraph, startLiveGraph } from "./support/liveGraph.js";

let live: LiveGraph;
beforeAll(async () => {
  live = await startLiveGraph();
});
afterAll(() => live.close());

const graph = buildGraph();

describe("compiled execution", () => {
  it.each([
    [
      "identifiers of every kind",
      '{ account { id positions { id account { id } } loans { ongoing { id } } } spotSymbol(symbol: "BTCUSDT") { id } }',
    ],
    ["one thing by its identifier", '{ node(id: "WyJBY2NvdW50IiwibWFpbiJd") { id __typename ... on Account { name } } }'],
    [
      "several, one of which is none",
      '{ nodes(ids: ["WyJTcG90U3ltYm9sIiwiQlRDVVNEVCJd", "WyJBY2NvdW50Iiwibm9ib2R5Il0", "WyJBY2NvdW50IiwibWFpbiJd"]) { __typename id } }',
    ],
  ])("answers %s as graphql-js does", async (_what, document) => {
    const compiled = compileQuery(graph, parse(document), "");
    if (!isCompiledQuery(compiled)) throw new Error("not compiled");
    const answer = await compiled.query(undefined, createContext(live.exchange, ANYONE), {});
    const { data, errors } = await live.run(document);
    expect(errors).toEqual([]);
    expect(answer).toEqual({ data });
  });

  it("answers a list with a bad identifier as graphql-js does: a hole, and an error at its place", async () => {
    const document = '{ nodes(ids: ["WyJBY2NvdW50IiwibWFpbiJd", "nonsense", "WyJTcG90U3ltYm9sIiwiQlRDVVNEVCJd"]) { id } }';
    const compiled = compileQuery(graph, parse(document), "");
    if (!isCompiledQuery(compiled)) throw new Error("not compiled");
    const answer = await compiled.query(undefined, createContext(live.exchange, ANYONE), {});
    const { data, errors } = await live.run(document);
    expect(answer.data).toEqual(data);
    expect(answer.errors?.map(({ path }) => path)).toEqual([["nodes", 1]]);
    expect(errors.map(({ path }) => path)).toEqual([["nodes", 1]]);
  });
});
