import { execute, Kind, parse } from "graphql";
import { expect, it } from "vitest";
import { Trace } from "../../../src/datasources/reads/reader/trace.js";
import { CompiledQuery } from "../../../src/engine/execution/compiledQuery.js";
import { SerializedTextCache } from "../../../src/engine/execution/serializedTextCache.js";
import { type TinyContext, tinyGraph } from "../../support/gateway/tinyGraph.js";

const schema = tinyGraph();
const contextValue: TinyContext = {
  principal: "anyone",
  counts: { reads: 0 },
  gate: Promise.resolve(),
  reads: { trace: new Trace() },
};
/** More objects than a selection writes before it is compiled. */
const RUNS = 80;

const DOCUMENTS = [
  "{ accounts { name mode opened } hello }",
  "{ accounts { opened upper name __typename mode again: upper } }",
  "{ accounts { name refused mode broken } hello }",
  "{ accounts { mode needed name } hello }",
  '{ account(name: "main") { name self { name self { missing name } } } }',
  "{ badMoment hello badMode }",
  "{ holes accounts { name } fullList }",
  "{ __proto__: hello constructor: hello }",
  '{ account(name: "main") { self { name @skip(if: true) } name } hello }',
];

it.each(DOCUMENTS)("a selection that has written many objects writes them as graphql-js does: %s", async (text) => {
  const document = parse(text);
  const [operation] = document.definitions;
  const type = schema.getQueryType();
  if (operation?.kind !== Kind.OPERATION_DEFINITION || !type) throw new Error("no query");
  const query = new CompiledQuery(schema, type, document, operation, new SerializedTextCache());
  const { data, errors = [] } = await execute({ schema, document, contextValue });
  const said = (all: readonly { readonly path?: unknown; readonly message: string }[]) =>
    all.map(({ path, message }) => JSON.stringify([path, message])).sort();
  for (let run = 1; run < RUNS; run++) await query.execute(contextValue, {});
  const result = await query.execute(contextValue, {});
  expect(result.data).toBe(JSON.stringify(data));
  expect(said(result.errors)).toEqual(said(errors));
});
