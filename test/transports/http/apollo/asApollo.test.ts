import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Trace } from "../../../../src/datasources/reads/reader/trace.js";
import { apolloExecutor, type Executor, engineExecutor } from "../../../support/gateway/executors.js";
import { type TinyContext, tinyGraph } from "../../../support/gateway/tinyGraph.js";

interface Asked {
  readonly query?: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string;
  readonly extensions?: unknown;
}

const schema = tinyGraph();
const contextOf = (): TinyContext => ({
  principal: "anyone",
  counts: { reads: 0 },
  gate: Promise.resolve(),
  reads: { trace: new Trace() },
});
let ordinary: Executor;
const executors: Record<string, Executor> = {};
beforeAll(async () => {
  ordinary = await apolloExecutor(schema, contextOf);
  executors.compiled = await engineExecutor(schema, contextOf, true);
  executors.interpreted = await engineExecutor(schema, contextOf, false);
});
afterAll(() => Promise.all([ordinary, ...Object.values(executors)].map((executor) => executor.stop())));

async function ask(executor: Executor, body: Asked, accept: string) {
  const answer = await executor.ask(body, accept);
  return { ...answer, body: inOrder(JSON.parse(answer.body)) };
}

/** Sorts the errors: fields that run concurrently report theirs in an unspecified order. */
function inOrder(answer: { errors?: { path?: unknown; message: string }[] }) {
  answer.errors?.sort((a, b) => JSON.stringify([a.path, a.message]).localeCompare(JSON.stringify([b.path, b.message])));
  return answer;
}

const MOMENT = "2024-01-02T03:04:05.678Z";
const cases: Record<string, Asked> = {
  "a plain field": { query: "{ hello }" },
  "a variable": { query: "query ($name: String) { hello(name: $name) }", variables: { name: "me" } },
  "a variable left out": { query: "query ($name: String) { hello(name: $name) }" },
  "a variable of null": { query: "query ($name: String) { hello(name: $name) }", variables: { name: null } },
  "a default": { query: 'query ($name: String = "all") { hello(name: $name) }' },
  "lists, enums, scalars and aliases": { query: "{ accounts { n: name mode opened upper self { self { name } } } }" },
  fragments: {
    query:
      "{ accounts { ...A ... on Account { mode } } } fragment A on Account { name self { ...B } } fragment B on Account { name mode }",
  },
  "merged selections": { query: "{ accounts { self { name } } accounts { self { mode } name } }" },
  interfaces: { query: "{ named { __typename name ... on Account { mode } ... on Pair { tick } } }" },
  unions: { query: "{ either { __typename ... on Named { name } ... on Account { mode } } }" },
  "a type that cannot be resolved": { query: "{ stranger { name } hello }" },
  "skip and include": {
    query:
      "query ($yes: Boolean!, $no: Boolean!) { a: hello @include(if: $yes) b: hello @skip(if: $yes) c: hello @include(if: $no) d: hello @skip(if: $no) }",
    variables: { yes: true, no: false },
  },
  "skip and include on fragments": {
    query: `query ($yes: Boolean!, $no: Boolean!) {
      accounts { ...A @skip(if: $yes) ... on Account @include(if: $yes) { mode } ... @include(if: $no) { opened } }
      account(name: "main") { ...A @include(if: $yes) name @skip(if: $yes) }
    } fragment A on Account { name self { upper @include(if: $no) name } }`,
    variables: { yes: true, no: false },
  },
  "one field twice, skipped once": {
    query: "query ($yes: Boolean!) { hello @skip(if: $yes) ...F } fragment F on Query { hello }",
    variables: { yes: true },
  },
  introspection: {
    query: '{ __schema { queryType { name fields { name args { name defaultValue } } } } __type(name: "Account") { name } }',
  },
  "a fault of the registry": { query: "{ accounts { name refused } hello }" },
  "an internal error": { query: "{ accounts { name broken } hello }" },
  "faults of both kinds": { query: "{ accounts { refused broken } }" },
  "null in a non-null list": { query: "{ accounts { name needed } }" },
  "null of a non-null field": { query: '{ account(name: "main") { self { self { missing name } } name } hello }' },
  "null up to the root": { query: "{ accounts { missing } hello }" },
  "nothing found": { query: '{ account(name: "x") { name needed } }' },
  "holes in a list": { query: "{ holes }" },
  "a null that a list cannot hold": { query: "{ fullList hello }" },
  "no list where one should be": { query: "{ notAList hello }" },
  "a type that cannot be resolved, asynchronously": { query: "{ laterStranger { name } hello }" },
  "a scalar as literal": { query: `{ moment(at: "${MOMENT}") }` },
  "a scalar as variable": { query: "query ($at: Moment) { moment(at: $at) }", variables: { at: MOMENT } },
  "a scalar's default in the schema": { query: "{ moment }" },
  "a scalar's default in the operation": { query: `query ($at: Moment = "${MOMENT}") { moment(at: $at) }` },
  "a scalar that cannot be read": { query: "query ($at: Moment) { moment(at: $at) }", variables: { at: "soon" } },
  "a scalar literal that cannot be read": { query: '{ moment(at: "soon") }' },
  "a scalar that cannot be written": { query: "{ badMoment hello }" },
  "an enum value that does not exist": { query: "{ badMode hello }" },
  "an input object": {
    query: "query ($filter: Filter) { filtered(filter: $filter) }",
    variables: { filter: { from: MOMENT, mode: "CLASSIC", deep: [1, 2] } },
  },
  "an input object with a default inside": {
    query: "query ($filter: Filter) { filtered(filter: $filter) }",
    variables: { filter: {} },
  },
  "an input object literal": { query: `query ($mode: Mode) { filtered(filter: { from: "${MOMENT}", mode: $mode, deep: 3 }) }` },
  "an input object as default": { query: `query ($filter: Filter = { from: "${MOMENT}" }) { filtered(filter: $filter) }` },
  "a variable left out of an input object literal": { query: "query ($mode: Mode) { filtered(filter: { mode: $mode }) }" },
  "a variable left out of a list literal": {
    query: "query ($a: Int!, $b: [Int!]) { x: deep(list: [1, $a]) y: deep(list: $b) }",
    variables: { a: 2 },
  },
  "a variable of null in a list literal": { query: "query ($a: Int) { deep(list: [1, $a]) }", variables: { a: null } },
  "a missing variable in a list literal": { query: "query ($a: Int) { deep(list: [1, $a]) }" },
  "an unknown input field": { query: "query ($filter: Filter) { filtered(filter: $filter) }", variables: { filter: { x: 1 } } },
  "two bad variables": {
    query: "query ($filter: Filter, $at: Moment!) { filtered(filter: $filter) moment(at: $at) }",
    variables: { filter: { deep: ["x"] } },
  },
  "a variable of the wrong type": { query: "query ($count: Int!) { needs(count: $count) }", variables: { count: "3" } },
  "a missing variable": { query: "query ($count: Int!) { needs(count: $count) }" },
  "a number out of range": { query: "query ($count: Int!) { needs(count: $count) }", variables: { count: 3_000_000_000 } },
  "null in place of a default": { query: "query ($count: Int = 1) { needs(count: $count) }", variables: { count: null } },
  "a rejection with text": { query: "{ rejectsText hello }" },
  "a rejection without a reason": { query: "{ rejectsNothing hello }" },
  "one of several operations": { query: "query A { hello } query B { count }", operationName: "B" },
  "several operations and no name": { query: "query A { hello } query B { count }" },
  "a name that no operation has": { query: "query A { hello }", operationName: "C" },
  "an unused name": { query: "query A { hello }" },
  "a mutation": { query: "mutation { add }" },
  "a syntax error": { query: "{ hello" },
  "an unknown field": { query: "{ nope }" },
  "no query": {},
  "a persisted query that is not known": {
    extensions: { persistedQuery: { version: 1, sha256Hash: "0".repeat(64) } },
  },
};

describe("the engine answers as Apollo Server does by itself", () => {
  for (const accept of ["application/json", "application/graphql-response+json"]) {
    it.each(Object.entries(cases))(`${accept}: %s`, async (_, asked) => {
      const expected = await ask(ordinary, asked, accept);
      // The first run parses the document, the second uses the cached one.
      for (const executor of Object.values(executors))
        for (let run = 0; run < 2; run++) expect(await ask(executor, asked, accept)).toEqual(expected);
    });
  }
});
