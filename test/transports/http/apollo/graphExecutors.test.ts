import { readFileSync } from "node:fs";
import { type GraphQLError, parse } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isCompilable } from "../../../../src/engine/execution/compiledQuery.js";
import { ANYONE, createContext } from "../../../../src/resolvers/index.js";
import { type LiveGraph, startLiveGraph } from "../../../resolvers/support/liveGraph.js";
import { examplesOf } from "../../../support/examples.js";
import { apolloExecutor, type Executor, engineExecutor } from "../../../support/gateway/executors.js";
import { graph as schema } from "../../../support/graph.js";

let ordinary: Executor;
let compiled: Executor;
let live: LiveGraph;
beforeAll(async () => {
  // Some documents need more than the rate budget of one second, and the clock does not advance here.
  live = await startLiveGraph({ hasLimits: false });
  const contextOf = () => createContext(live.exchange, ANYONE);
  ordinary = await apolloExecutor(schema, contextOf);
  compiled = await engineExecutor(schema, contextOf, true);
  // Cursors are of an account's user from the moment at which that is known.
  const hasUser = ({ name }: { readonly name: string }) => live.exchange.knownUsers.userOf(name) !== undefined;
  while (!live.exchange.accounts.every(hasUser)) await live.while(ordinary.ask({ query: "{ accounts { id } }" }));
});
afterAll(() => Promise.all([ordinary.stop(), compiled.stop(), live.close()]));

/** Each quote has a unique identifier, which is replaced. */
const QUOTATION = /("traceId":)"[^"]*"/g;

async function ask(executor: Executor, query: string): Promise<{ data: unknown; errors: readonly GraphQLError[] }> {
  const { body } = await executor.ask({ query });
  const { data, errors = [] } = JSON.parse(body.replace(QUOTATION, "$1null"));
  return { data, errors: errors.sort((a: GraphQLError, b: GraphQLError) => String(a.path).localeCompare(String(b.path))) };
}

const examples = examplesOf("query").map(({ file, text }): [string, string] => [file, text]);
const page: [string, string] = ["GraphiQL's first query", readFileSync("apps/graphiql/firstQuery.graphql", "utf8")];

describe.each([...examples, page])("%s", (_, document) => {
  it("can be compiled", () => {
    expect(isCompilable(schema, parse(document))).toBe(true);
  });

  it("gives the same answer on both executors", async () => {
    // The market changes with the clock, which advances only here.
    live.nextMinute();
    const expected = await ask(ordinary, document);
    for (let run = 0; run < 3; run++) expect(await ask(compiled, document)).toEqual(expected);
  });
});

describe.each([
  [
    "of every kind",
    '{ account { id positions { id account { id } } loans { ongoing { id } } } spotSymbol(symbol: "BTCUSDT") { id } }',
  ],
  ["of one thing", '{ node(id: "WyJBY2NvdW50IiwibWFpbiJd") { id __typename ... on Account { name } } }'],
  [
    "of several, one of which is none",
    '{ nodes(ids: ["WyJTcG90U3ltYm9sIiwiQlRDVVNEVCJd", "WyJBY2NvdW50Iiwibm9ib2R5Il0", "WyJBY2NvdW50IiwibWFpbiJd"]) { __typename id } }',
  ],
  [
    "of several, one of which cannot be one",
    '{ nodes(ids: ["WyJBY2NvdW50IiwibWFpbiJd", "nonsense", "WyJTcG90U3ltYm9sIiwiQlRDVVNEVCJd"]) { id } }',
  ],
])("identifiers %s", (_, document) => {
  it("give the same answer on both executors", async () => {
    live.nextMinute();
    const expected = await ask(ordinary, document);
    expect(expected.data).not.toBeUndefined();
    expect(await ask(compiled, document)).toEqual(expected);
  });
});
