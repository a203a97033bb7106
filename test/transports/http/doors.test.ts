import { once } from "node:events";
import { text } from "node:stream/consumers";
import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { fetchExchange, Client as UrqlClient } from "@urql/core";
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { DOCUMENT_LIMITS } from "../../../src/engine/documents/documentLimits.js";
import { hashOf, ManifestError, TrustedDocuments } from "../../../src/engine/documents/trustedDocuments.js";
import { type GraphGateway, graphGateway } from "../../support/gateway/graphGateway.js";
import { post, type TinyGateway, tinyGateway } from "../../support/gateway/tinyGateway.js";

/** The first error, over each transport. */
interface Verdict {
  readonly status?: number;
  readonly code: unknown;
  readonly extensions: unknown;
}
interface Refusal {
  readonly errors?: readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[];
}

const verdictOf = ({ errors }: Refusal): Verdict => ({
  code: errors?.[0]?.extensions.code,
  extensions: errors?.[0]?.extensions,
});

const TRANSPORTS = {
  async HTTP(url: string, body: { query: string; variables?: object }): Promise<Verdict> {
    const response = await post(url, body);
    return { ...verdictOf((await response.json()) as Refusal), status: response.status };
  },
  async WebSocket(url: string, body: { query: string; variables?: object }): Promise<Verdict> {
    const client = createClient({ url: `${url.replace("http", "ws")}/graphql`, webSocketImpl: WebSocket, retryAttempts: 0 });
    const result = await new Promise<Refusal>((resolve) =>
      client.subscribe(
        { query: body.query, variables: { ...body.variables } },
        {
          next: (one) => resolve(one as Refusal),
          error: (errors) => resolve({ errors: errors as never }),
          complete: () => undefined,
        },
      ),
    );
    await client.dispose();
    return verdictOf(result);
  },
  async SSE(url: string, body: { query: string; variables?: object }): Promise<Verdict> {
    const response = await fetch(`${url}/graphql/stream`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify(body),
    });
    const data = /^data: (\{.*)$/m.exec(await response.text())?.[1] ?? "{}";
    return verdictOf(JSON.parse(data) as Refusal);
  },
};
const TRANSPORT_NAMES = ["HTTP", "WebSocket", "SSE"] as const;

describe.each(TRANSPORT_NAMES)("over %s", (transport) => {
  let gateway: GraphGateway;
  beforeAll(async () => {
    gateway = await graphGateway();
  });
  afterAll(() => gateway.close());

  it.each<[string, { query: string; variables?: object }]>([
    ["depth", { query: `{ accounts { ${"positions { account { ".repeat(8)} name ${"} } ".repeat(8)} } }` }],
    [
      "aliases",
      { query: `{ account { ${Array.from({ length: DOCUMENT_LIMITS.aliases + 1 }, (_, at) => `a${at}: name`).join(" ")} } }` },
    ],
    [
      "listItems",
      {
        query: "query ($s: [String!]) { tickers(category: SPOT, symbols: $s) { symbol } }",
        variables: { s: Array.from({ length: 501 }, () => "A") },
      },
    ],
    [
      "nodes",
      {
        query:
          "{ account { fills(category: SPOT, first: 500) { nodes { account { balances { coin } fundingBalances { coin } } } } } }",
      },
    ],
    [
      "upstreamCalls",
      {
        query:
          'query ($n: Int) { account { broker { subAccounts(first: $n) { nodes { contact { email } spotAssets { coin } } } } } a: account(name: "b") { broker { subAccounts(first: $n) { nodes { contact { email } } } } } }',
        variables: { n: 500 },
      },
    ],
  ])("refuses requests over a limit without an upstream call: %s", async (name, body) => {
    const before = gateway.upstream.calls.length;
    const { status, extensions } = await TRANSPORTS[transport](gateway.url, body);
    const limit = { name, allowed: expect.any(Number), actual: expect.any(Number) };
    const isOfFields = name === "nodes" || name === "upstreamCalls";
    const fields = isOfFields ? { fields: expect.arrayContaining([expect.objectContaining({ field: expect.any(String) })]) } : {};
    expect(extensions).toEqual({ code: "QUERY_TOO_EXPENSIVE", retryable: false, limit: { ...limit, ...fields } });
    if (status !== undefined) expect(status).toBe(400);
    expect(gateway.upstream.calls.length).toBe(before);
  });

  it("refuses a subscription that may have no root, as a mistake of its document", async () => {
    const query = 'subscription ($x: Boolean!) { ticker(category: SPOT, symbol: "BTCUSDT") @include(if: $x) { symbol } }';
    const { status, extensions } = await TRANSPORTS[transport](gateway.url, { query, variables: { x: true } });
    expect(extensions).toEqual({ code: "GRAPHQL_VALIDATION_FAILED", retryable: false });
    if (status !== undefined) expect(status).toBe(400);
  });
});

describe("only trusted documents", () => {
  const KNOWN = "query Known { hello }";
  const trusted = new TrustedDocuments(JSON.stringify({ [hashOf(KNOWN)]: KNOWN }));
  let tiny: TinyGateway;
  beforeAll(async () => {
    tiny = await tinyGateway({ trusted });
  });
  afterAll(() => tiny.gateway.stop());

  const ask = async (body: object) => (await (await post(tiny.url, body)).json()) as { data?: unknown } & Refusal;

  it("are run by their identifier, by their hash, and by their text", async () => {
    const answer = { data: { hello: "hello you" } };
    expect(await ask({ documentId: `sha256:${hashOf(KNOWN)}` })).toEqual(answer);
    expect(await ask({ extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(KNOWN) } } })).toEqual(answer);
    expect(await ask({ query: KNOWN })).toEqual(answer);
    const parameters = new URLSearchParams({ documentId: `sha256:${hashOf(KNOWN)}` });
    expect(await (await fetch(`${tiny.url}/graphql?${parameters}`)).json()).toEqual(answer);
  });

  it("are the only ones, on every transport, and no other can be registered", async () => {
    const query = "{ hello }";
    for (const transport of TRANSPORT_NAMES) expect((await TRANSPORTS[transport](tiny.url, { query })).code).toBe("FORBIDDEN");
    const extensions = { persistedQuery: { version: 1, sha256Hash: hashOf(query) } };
    expect(verdictOf(await ask({ query, extensions })).code).toBe("FORBIDDEN");
    expect(verdictOf(await ask({ extensions })).code).toBe("PERSISTED_QUERY_NOT_FOUND");
    expect(verdictOf(await ask({ documentId: `sha256:${hashOf(query)}` })).code).toBe("PERSISTED_QUERY_NOT_FOUND");
  });

  const HASH = hashOf(KNOWN);
  const RULE = "documentId must be the SHA-256 of a document, written sha256: and 64 lower-case hexadecimal digits.";

  it.each<[unknown, object, string]>([
    [1, {}, RULE],
    [null, {}, RULE],
    ["", {}, RULE],
    ["Known", {}, RULE],
    [`sha1:${HASH}`, {}, RULE],
    [HASH.toUpperCase(), {}, RULE],
    [`sha256:${HASH}0`, {}, RULE],
    [`sha256:${HASH}`, { query: KNOWN }, "documentId replaces the document: it cannot be combined with query."],
    [
      HASH,
      { extensions: { persistedQuery: { version: 1, sha256Hash: HASH } } },
      "documentId replaces the document: it cannot be combined with extensions.persistedQuery.",
    ],
  ])("are named exactly, in a body and in an address: documentId %o beside %o", async (documentId, beside, message) => {
    const refused = { errors: [{ message, extensions: { code: "BAD_REQUEST", retryable: false } }] };
    const posted = await post(tiny.url, { documentId, ...beside });
    expect([posted.status, await posted.json()]).toEqual([400, refused]);
    const parameters = new URLSearchParams(
      Object.entries({ documentId: documentId ?? "", ...beside }).map(([name, value]) => [
        name,
        typeof value === "object" ? JSON.stringify(value) : String(value),
      ]),
    );
    const got = await fetch(`${tiny.url}/graphql?${parameters}`, { headers: { "apollo-require-preflight": "1" } });
    expect([got.status, await got.json()]).toEqual([400, refused]);
  });

  it("are named once in an address", async () => {
    const got = await fetch(`${tiny.url}/graphql?documentId=${HASH}&documentId=${HASH}`);
    expect([got.status, await got.json()]).toMatchObject([400, { errors: [{ message: "documentId must occur once." }] }]);
  });

  it("may carry extensions of their client", async () => {
    const extensions = { clientLibrary: { name: "@apollo/client", version: "4.3.8" } };
    expect(await ask({ documentId: HASH, extensions })).toEqual({ data: { hello: "hello you" } });
    const parameters = new URLSearchParams({ documentId: HASH, extensions: JSON.stringify(extensions) });
    expect(await (await fetch(`${tiny.url}/graphql?${parameters}`)).json()).toEqual({ data: { hello: "hello you" } });
  });

  it("are those of the current manifest, over every transport, also for documents that were run or refused before", async () => {
    const NEXT = "query Next { hello }";
    const known = { query: KNOWN };
    const answer = { data: { hello: "hello you" } };
    for (let times = 0; times < 3; times++) expect(await ask(known)).toEqual(answer);
    expect(verdictOf(await ask({ query: NEXT })).code).toBe("FORBIDDEN");
    trusted.replace(JSON.stringify({ [hashOf(NEXT)]: NEXT }));
    expect(await ask({ query: NEXT })).toEqual(answer);
    for (const transport of TRANSPORT_NAMES) expect((await TRANSPORTS[transport](tiny.url, known)).code).toBe("FORBIDDEN");
    expect(verdictOf(await ask({ documentId: `sha256:${hashOf(KNOWN)}` })).code).toBe("PERSISTED_QUERY_NOT_FOUND");
    expect(() => trusted.replace("{")).toThrow(ManifestError);
    expect(await ask({ query: NEXT })).toEqual(answer);
    trusted.replace(JSON.stringify({ [hashOf(KNOWN)]: KNOWN }));
    expect(await ask(known)).toEqual(answer);
    expect(verdictOf(await ask({ query: NEXT })).code).toBe("FORBIDDEN");
  });

  it("come from a manifest as the code generator writes it", () => {
    const written = new TrustedDocuments(JSON.stringify({ [`sha256:${hashOf(KNOWN)}`]: KNOWN }));
    expect(written.textOf(hashOf(KNOWN))).toBe(KNOWN);
  });

  it("come from a manifest whose identifiers match its documents", () => {
    expect(() => new TrustedDocuments("[]")).toThrow(ManifestError);
    expect(() => new TrustedDocuments("{")).toThrow(ManifestError);
    expect(() => new TrustedDocuments(JSON.stringify({ [hashOf("a")]: "b" }))).toThrow("not the one of its hash");
  });
});

describe("a page of another origin", () => {
  const PAGE = "https://app.example.com";
  let tiny: TinyGateway;
  beforeAll(async () => {
    tiny = await tinyGateway({ corsOrigins: [PAGE] });
  });
  afterAll(() => tiny.gateway.stop());

  const preflight = (origin: string) =>
    fetch(`${tiny.url}/graphql`, { method: "OPTIONS", headers: { origin, "access-control-request-method": "POST" } });

  it("that is listed may send requests and read responses, without browser credentials", async () => {
    const allowed = await preflight(PAGE);
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get("access-control-allow-origin")).toBe(PAGE);
    expect(allowed.headers.get("access-control-allow-headers")).toContain("authorization");
    const answer = await post(tiny.url, { query: "{ hello }" }, { origin: PAGE });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe(PAGE);
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    expect(answer.headers.get("access-control-expose-headers")?.split(", ")).toEqual(
      expect.arrayContaining(["retry-after", "x-request-id", "content-disposition", "x-export-from", "x-export-to"]),
    );
    expect(answer.headers.get("vary")).toContain("Origin");
  });

  it("that is listed gets answers that depend on its origin, also long ones, which depend on the accepted encoding too", async () => {
    const fields = Array.from({ length: 45 }, (_, at) => `f${at}: hello(name: $n)`);
    const body = { query: `query ($n: String) { ${fields.join(" ")} }`, variables: { n: "x".repeat(400) } };
    expect((await post(tiny.url, body, { origin: PAGE })).headers.get("vary")).toBe("Origin, accept-encoding");
    expect((await post(tiny.url, body)).headers.get("vary")).toBe("accept-encoding");
  });

  it("that is listed may reserve an event stream and refer to it", async () => {
    const { headers } = await preflight(PAGE);
    for (const method of ["GET", "POST", "PUT", "DELETE"])
      expect(headers.get("access-control-allow-methods")?.split(", ")).toContain(method);
    expect(headers.get("access-control-allow-headers")?.split(", ")).toContain("x-graphql-event-stream-token");
    const reserved = await fetch(`${tiny.url}/graphql/stream`, { method: "PUT", headers: { origin: PAGE } });
    expect([reserved.status, reserved.headers.get("access-control-allow-origin")]).toEqual([201, PAGE]);
  });

  it("that is listed may send every header that Apollo Client and urql send by themselves, a trace context and a position", async () => {
    const sent = new Set<string>();
    const fetcher: typeof fetch = async (_, init) => {
      for (const [name] of new Headers(init?.headers)) sent.add(name);
      return Response.json({ data: { hello: "hello you" } });
    };
    const apollo = new ApolloClient({
      cache: new InMemoryCache(),
      link: new HttpLink({ uri: `${tiny.url}/graphql`, fetch: fetcher }),
      clientAwareness: { name: "desk", version: "1.0" },
    });
    await apollo.query({ query: gql("query Hello { hello }") });
    for (const preferGetMethod of ["force", false] as const) {
      const urql = new UrqlClient({ url: `${tiny.url}/graphql`, exchanges: [fetchExchange], fetch: fetcher, preferGetMethod });
      await urql.query("query Hello { hello }", {}).toPromise();
    }
    const allowed = (await preflight(PAGE)).headers.get("access-control-allow-headers")?.split(", ");
    expect(allowed).toEqual(expect.arrayContaining([...sent, "traceparent", "last-event-id"]));
    expect([...sent]).toContain("apollographql-client-name");
  });

  it("that is not listed gets no CORS headers", async () => {
    expect((await preflight("https://evil.example")).headers.get("access-control-allow-origin")).toBeNull();
    const answer = await post(tiny.url, { query: "{ hello }" }, { origin: "https://evil.example" });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  it.each([
    ["cross-site", 403],
    ["same-site", 403],
    ["same-origin", 200],
    ["none", 200],
  ])("opens no event stream whose answer it would not see: a browser says %s", async (site, status) => {
    const url = `${tiny.url}/graphql/stream?${new URLSearchParams({ query: "{ hello }" })}`;
    const answer = await fetch(url, { headers: { accept: "text/event-stream", "sec-fetch-site": site } });
    await answer.body?.cancel();
    expect(answer.status).toBe(status);
  });

  it.each([
    [PAGE, "open"],
    [
      "https://evil.example",
      '403 {"errors":[{"message":"Pages of other origins may not open sockets, unless CORS_ORIGINS lists them.","extensions":{"code":"FORBIDDEN","retryable":false}}]}',
    ],
  ])("may open sockets if it is listed, and is refused with the reason otherwise: %s", async (origin, outcome) => {
    const socket = new WebSocket(`${tiny.url.replace("http", "ws")}/graphql`, "graphql-transport-ws", { origin });
    const seen = await new Promise<string>((resolve, reject) => {
      socket.once("open", () => resolve("open"));
      socket.once("error", reject);
      socket.once("unexpected-response", (_, response) =>
        text(response).then((body) => resolve(`${response.statusCode} ${body}`), reject),
      );
    });
    socket.close();
    expect(seen).toBe(outcome);
  });
});

describe("a socket that is refused", () => {
  let tiny: TinyGateway;
  beforeAll(async () => {
    tiny = await tinyGateway({ hosts: [], limits: { socket: { connections: 0 } } });
  });
  afterAll(() => tiny.gateway.stop());

  it.each([
    ["/elsewhere", "127.0.0.1", "404 WebSockets are served at /graphql.", { code: "BAD_REQUEST", retryable: false }],
    ["/graphql", "evil.example", "421 This gateway is not served under this host name.", { code: "FORBIDDEN", retryable: false }],
    ["/graphql", "127.0.0.1", "503 Too many sockets are open.", { code: "OVERLOADED", retryable: true, retryAfterMs: 1_000 }],
  ])("says why in the body of the answer: %s of %s", async (path, host, why, extensions) => {
    const socket = new WebSocket(`${tiny.url.replace("http", "ws")}${path}`, "graphql-transport-ws", { headers: { host } });
    socket.on("error", () => undefined);
    const [, response] = await once(socket, "unexpected-response");
    const { errors } = JSON.parse(await text(response)) as Refusal;
    expect(`${response.statusCode} ${errors?.[0]?.message}`).toContain(why);
    expect(errors?.[0]?.extensions).toEqual(extensions);
    expect(response.headers["content-type"]).toContain("application/json");
  });
});

describe("names of a schema that is hidden", () => {
  const asked = [
    { query: "{ helo }", shown: 'Cannot query field "helo".' },
    { query: "{ account(nam: 1) { name } }", shown: 'Unknown argument "nam".' },
    { query: "{ account }", shown: "The document does not match the schema here." },
    { query: "{ hello { x } }", shown: "The document does not match the schema here." },
    { query: "{ deep(list: {}) }", shown: "The document does not match the schema here." },
    {
      query: "query ($f: Filter) { filtered(filter: $f) }",
      variables: { f: { mod: 1 } },
      shown: 'Variable "$f" does not fit its type at "f".',
    },
    {
      query: "query ($f: Filter) { filtered(filter: $f) }",
      variables: { f: { mode: "NO" } },
      shown: 'Variable "$f" does not fit its type at "f.mode".',
    },
    { query: "query ($f: Int) { filtered(filter: $f) }", shown: "The document does not match the schema here." },
    { query: "{ hello ...F }", shown: 'Unknown fragment "F".' },
  ];

  it.each(asked)("are in no error: $query", async ({ shown, ...body }) => {
    const tiny = await tinyGateway({ introspection: false });
    const { errors } = (await (await post(tiny.url, body)).json()) as { errors: { message: string }[] };
    expect(errors.map(({ message }) => message)).toContain(shown);
    for (const { message } of errors)
      expect(message).not.toMatch(/Query|Account|Filter|Mode|String|Int|UNIFIED|required|of type/);
    await tiny.gateway.stop();
  });
});

describe("an invalid value", () => {
  const long = "A".repeat(1_500);
  const query = "query ($f: Filter) { filtered(filter: $f) }";

  it.each([
    [
      "a text",
      { query, variables: { f: { mode: long } } },
      /^Variable "\$f" got invalid value "A+… at "f.mode"; .* "A+… does not/,
    ],
    [
      "a name",
      { query, variables: { f: { [long]: 1 } } },
      /^Variable "\$f" got invalid value { A+… 1 }; Field "A+… is not defined/,
    ],
    [
      "many words",
      { query, variables: { f: { mode: 'a "word" '.repeat(100) } } },
      /^Variable "\$f" got invalid value .* … .* enum\.$/,
    ],
    ["a name in the document", { query: `{ ${long} }` }, /^Cannot query field "A+… on type "Query"\.$/],
  ])("is quoted by an excerpt, however long it is: %s", async (_, body, message) => {
    const tiny = await tinyGateway();
    const { errors } = (await (await post(tiny.url, body)).json()) as { errors: { message: string }[] };
    expect(errors[0]?.message).toMatch(message);
    for (const { message } of errors) expect(message.length).toBeLessThan(1_010);
    await tiny.gateway.stop();
  });
});

describe("suggestions", () => {
  it("are omitted from every error when they are off", async () => {
    const tiny = await tinyGateway({ suggestions: false });
    const asked = [
      { query: "{ helo }" },
      { query: "{ account(nam: 1) { name } }" },
      { query: "query ($f: Filter) { filtered(filter: $f) }", variables: { f: { mod: "UNIFIED" } } },
      { query: "query ($f: Filter) { filtered(filter: $f) }", variables: { f: { mode: "UNIFIE" } } },
    ];
    for (const body of asked) {
      const text = await (await post(tiny.url, body)).text();
      expect(text).toContain('"errors"');
      expect(text).not.toContain("Did you mean");
    }
    await tiny.gateway.stop();
  });
});

describe("lists of requests", () => {
  it("are refused: one request is one operation", async () => {
    const tiny = await tinyGateway();
    const response = await post(tiny.url, [{ query: "{ hello }" }]);
    expect(response.status).toBe(400);
    await tiny.gateway.stop();
  });
});
