import { parse, print } from "graphql";
import { describe, expect, expectTypeOf, it } from "vitest";
import { createClient, type QueryResult } from "../src/index.js";
import { LOST, ScriptedNetwork, TypedText } from "./support/scripted.js";

const QUERY = "{ viewer { name } }";
const DATA = { data: { viewer: { name: "desk" } } };

function world(options: Partial<Parameters<typeof createClient>[0]>, ...script: ConstructorParameters<typeof ScriptedNetwork>) {
  const network = new ScriptedNetwork(...script);
  const { fetch, clock } = network;
  return { network, client: createClient({ url: "http://gateway/graphql", fetch, clock, timeoutMs: 5_000, ...options }) };
}

describe("a query", () => {
  it("that a library sends has its errors as received, with their places in the document", async () => {
    const errors = [
      { message: "no field b", locations: [{ line: 2, column: 3 }], extensions: { code: "GRAPHQL_VALIDATION_FAILED" } },
    ];
    const { client } = world({}, { errors });
    expect(await client.send({ kind: "query", document: QUERY })).toEqual({ data: null, errors });
  });

  it("has its data, its extensions, and the errors of fields that are null", async () => {
    const errors = [{ message: "no", path: ["viewer", 0], extensions: { code: "FORBIDDEN", scope: "read:account" } }];
    const { client, network } = world({}, { data: { viewer: null }, errors, extensions: { cost: 1 } });
    expect(await client.query(QUERY, {}, { trace: true })).toEqual({
      data: { viewer: null },
      errors: [
        { code: "FORBIDDEN", codeRaw: "FORBIDDEN", message: "no", retryable: false, path: ["viewer", 0], scope: "read:account" },
      ],
      extensions: { cost: 1 },
    });
    expect(network.bodies).toEqual([{ query: QUERY, variables: {}, extensions: { exchangeTrace: true } }]);
  });

  it.each([
    ["UNREACHABLE", LOST.refused],
    ["UNREACHABLE", LOST.torn],
    ["TIMED_OUT", LOST.silent],
    ["BAD_ANSWER", { status: 502, body: "<html>" }],
    ["BAD_ANSWER", { status: 200, body: "[]" }],
    ["BAD_ANSWER", { status: 200, body: '{"data":null}' }],
    ["UNAUTHENTICATED", { status: 401, body: '{"errors":[{"message":"no","extensions":{"code":"UNAUTHENTICATED"}}]}' }],
  ])("without data has the error %s, and is not sent again", async (code, answer) => {
    const { client, network } = world({}, answer);
    const { data, errors } = await network.while(client.query(QUERY));
    expect([data, errors.map((error) => error.code)]).toEqual([null, [code]]);
    expect(network.bodies).toHaveLength(1);
    expect(network.clock.pending).toBe(0);
  });

  it("is sent with the token of the moment", async () => {
    const tokens = ["exgt_1", "exgt_2"];
    const { client, network } = world({ token: async () => tokens.shift() }, DATA, DATA);
    await client.query(QUERY);
    await client.query(QUERY);
    expect(network.headers.map((headers) => headers.get("authorization"))).toEqual(["Bearer exgt_1", "Bearer exgt_2"]);
  });

  it("waits for no token that never comes", async () => {
    const { client, network } = world({ token: () => new Promise<string>(() => undefined) });
    expect((await network.while(client.query(QUERY))).errors).toMatchObject([{ code: "TIMED_OUT" }]);
  });

  it("says what the exchange said, and which rules were broken", async () => {
    const extensions = {
      code: "BAD_USER_INPUT",
      retryable: true,
      retryAfterMs: 5,
      violations: [{ argument: "qty", rule: "at least 1" }],
      exchange: { code: "40015", msg: "busy", endpoint: "/api" },
    };
    const { client } = world({}, { errors: [{ message: "m", extensions }] });
    const { errors } = await client.query(QUERY);
    expect(errors).toEqual([{ ...extensions, codeRaw: "BAD_USER_INPUT", message: "m" }]);
  });

  it("is sent by its hash alone where documents are trusted", async () => {
    const document = new TypedText<{ viewer: null }, Record<string, never>>(QUERY, { hash: "sha256:00" });
    const { client, network } = world({ trustedDocuments: true }, DATA, DATA);
    await client.query(document);
    await client.query(QUERY);
    expect(network.bodies).toEqual([{ documentId: "sha256:00", query: "" }, { query: QUERY }]);
  });

  it("as a syntax tree is printed, or refused where nothing prints it", async () => {
    const { client, network } = world({ print }, DATA);
    await client.query(parse(QUERY));
    expect(network.bodies[0]?.query?.replace(/\s+/g, " ")).toBe(QUERY);
    await expect(world({}).client.query(parse(QUERY))).rejects.toThrow("requires the option `print`");
  });

  it("ends with its signal", async () => {
    const { client, network } = world({}, LOST.silent);
    const ending = new AbortController();
    const asking = client.query(QUERY, {}, { signal: ending.signal });
    ending.abort(new Error("the page has gone"));
    await expect(asking).rejects.toThrow("the page has gone");
    await expect(client.query(QUERY, {}, { signal: ending.signal })).rejects.toThrow("the page has gone");
    expect(network.clock.pending).toBe(0);
  });

  it("has its types from its document", () => {
    const document = new TypedText<{ readonly viewer: { readonly name: string } }, { readonly first: number }>(QUERY);
    const { client } = world({});
    expectTypeOf(client.query(document, { first: 1 })).resolves.toEqualTypeOf<
      QueryResult<{ readonly viewer: { readonly name: string } }>
    >();
    // @ts-expect-error: the variables are those of the document
    expectTypeOf(() => client.query(document, { first: "1" })).toBeFunction();
  });
});
