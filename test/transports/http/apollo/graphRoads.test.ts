import { readFileSync } from "node:fs";
import { type ApolloServer, HeaderMap } from "@apollo/server";
import { type GraphQLError, parse } from "graphql";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentPolicy } from "../../../../src/engine/documents/documentPolicy.js";
import { isCompilable } from "../../../../src/engine/execution/compilable.js";
import { ANYONE, buildGraph, createContext, type RequestContext } from "../../../../src/resolvers/index.js";
import { ErrorLog } from "../../../../src/telemetry/logs/errorLog.js";
import { createApollo } from "../../../../src/transports/http/apollo/apollo.js";
import { type LiveGraph, startLiveGraph } from "../../../resolvers/support/liveGraph.js";
import { examplesOf } from "../../../support/examples.js";

const schema = buildGraph();
const log = pino({ level: "silent" });
const ordinary = createApollo<RequestContext>({
  schema,
  log,
  errors: new ErrorLog(log),
  documents: documentPolicy({ introspection: true }),
  compiled: false,
});
const compiled = createApollo<RequestContext>({
  schema,
  log,
  errors: new ErrorLog(log),
  documents: documentPolicy({ introspection: true }),
  compiled: true,
});

let live: LiveGraph;
beforeAll(async () => {
  // Some documents need more than a second's budget, and here no second passes.
  live = await startLiveGraph({ hasLimits: false });
  await Promise.all([ordinary.start(), compiled.start()]);
});
afterAll(() => Promise.all([ordinary.stop(), compiled.stop(), live.close()]));

/** Each quotation has an identifier of its own, whoever asks for it. */
const QUOTATION = /("traceId":)"[^"]*"/g;

async function ask(
  road: ApolloServer<RequestContext>,
  query: string,
): Promise<{ data: unknown; errors: readonly GraphQLError[] }> {
  const response = await road.executeHTTPGraphQLRequest({
    httpGraphQLRequest: {
      method: "POST",
      headers: new HeaderMap([["content-type", "application/json"]]),
      search: "",
      body: { query },
    },
    context: async () => createContext(live.exchange, ANYONE),
  });
  if (response.body.kind !== "complete") throw new Error("expected one answer");
  const { data, errors = [] } = JSON.parse(response.body.string.replace(QUOTATION, "$1null"));
  return { data, errors: errors.sort((a: GraphQLError, b: GraphQLError) => String(a.path).localeCompare(String(b.path))) };
}

const examples = examplesOf("query").map(({ file, text }): [string, string] => [file, text]);
const page: [string, string] = ["GraphiQL's first query", readFileSync("apps/graphiql/firstQuery.graphql", "utf8")];

describe.each([...examples, page])("%s", (_, document) => {
  it("can be compiled", () => {
    expect(isCompilable(schema, parse(document))).toBe(true);
  });

  it("gives the same answer on both roads", async () => {
    // The market moves with the clock, and the clock only here.
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
  it("give the same answer on both roads", async () => {
    live.nextMinute();
    const expected = await ask(ordinary, document);
    expect(expected.data).not.toBeUndefined();
    expect(await ask(compiled, document)).toEqual(expected);
  });
});
