import { createClient } from "graphql-ws";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { ExternalStore } from "../../src/datasources/reads/store/externalStore.js";
import { hashOf, TrustedDocuments } from "../../src/engine/documents/trustedDocuments.js";
import { wsUrlOf } from "../support/gateway/liveGateway.js";
import { post, type TinyGateway, tinyGateway } from "../support/gateway/tinyGateway.js";

/** The members of a GraphQL request. */
type Request = Readonly<Record<string, unknown>>;

/** Sends a request over one transport and resolves to the whole result; `isTraced` requests the trace. */
type Ask = (url: string, request: Request, isTraced?: boolean) => Promise<unknown>;

const TRACE = "exchangeTrace=1";
const traced = (url: string, isTraced: boolean): string => (isTraced ? `${url}?${TRACE}` : url);

const TRANSPORTS: Readonly<Record<"HTTP" | "WebSocket" | "SSE", Ask>> = {
  HTTP: async (url, request, isTraced = false) => (await post(url, request, isTraced ? { "x-exchange-trace": "1" } : {})).json(),
  WebSocket: async (url, request, isTraced = false) => {
    const client = createClient({ url: traced(wsUrlOf(url), isTraced), webSocketImpl: WebSocket, retryAttempts: 0 });
    try {
      return await new Promise((resolve, reject) => {
        client.subscribe(
          { query: "", ...request },
          {
            next: resolve,
            error: (errors) => (Array.isArray(errors) ? resolve({ errors }) : reject(errors)),
            complete: () => undefined,
          },
        );
      });
    } finally {
      await client.dispose();
    }
  },
  SSE: async (url, request, isTraced = false) => {
    const headers = { "content-type": "application/json", accept: "text/event-stream" };
    const address = traced(`${url}/graphql/stream`, isTraced);
    const text = await (await fetch(address, { method: "POST", headers, body: JSON.stringify(request) })).text();
    return JSON.parse(/^data: (.+)$/m.exec(text)?.[1] ?? text);
  },
};

const QUERY = "query Greet($name: String) { hello(name: $name) }";
const ADD = "mutation { add }";
const variables = { name: "me" };
const documentId = `sha256:${hashOf(QUERY)}`;
const persistedQuery = { version: 1, sha256Hash: hashOf(QUERY) };
const NONE_READ = { upstreamCalls: 0, reads: [], omitted: 0 };
const GREETING = { data: { hello: "hello me" } };

let free: TinyGateway;
let bound: TinyGateway;
beforeAll(async () => {
  const manifest = JSON.stringify({ [hashOf(QUERY)]: QUERY, [hashOf(ADD)]: ADD });
  free = await tinyGateway();
  bound = await tinyGateway({ trusted: new TrustedDocuments(manifest) });
});
afterAll(() => Promise.all([free, bound].map(({ gateway }) => gateway.stop())));

describe.each(Object.entries(TRANSPORTS))("%s", (_, ask) => {
  it.each<[string, Request]>([
    ["its text", { query: QUERY }],
    ["documentId", { documentId }],
    ["a persisted query", { extensions: { persistedQuery } }],
  ])("runs a trusted document named by %s", async (_name, named) => {
    expect(await ask(bound.url, { ...named, variables })).toEqual(GREETING);
  });

  it("runs a trusted mutation by its identifier", async () => {
    const before = bound.counts.reads;
    expect(await ask(bound.url, { documentId: hashOf(ADD) })).toEqual({ data: { add: before + 1 } });
  });

  it.each<[string, Request, string, string]>([
    ["a document that is not trusted", { query: "{ hello }" }, "FORBIDDEN", "This gateway runs only"],
    ["an unknown identifier", { documentId: hashOf("{ hello }") }, "PERSISTED_QUERY_NOT_FOUND", "PersistedQueryNotFound"],
    ["what is no identifier", { documentId: "Greet" }, "BAD_REQUEST", "documentId must be the SHA-256"],
    ["an identifier beside a text", { documentId, query: QUERY }, "BAD_REQUEST", "documentId replaces the document"],
    [
      "another hash than the text's",
      { query: ADD, extensions: { persistedQuery } },
      "BAD_REQUEST",
      "provided sha does not match",
    ],
  ])("refuses %s", async (_name, request, code, message) => {
    const { errors } = (await ask(bound.url, request)) as { errors: { message: string; extensions: object }[] };
    expect(errors).toMatchObject([{ message: expect.stringContaining(message), extensions: { code, retryable: false } }]);
  });

  it.each<[string, Request, boolean]>([
    ["its connection asks for it", {}, true],
    ["the operation asks for it", { extensions: { exchangeTrace: true } }, false],
  ])("shows what was read and what it cost where %s", async (_name, more, isTraced) => {
    const result = await ask(free.url, { query: QUERY, variables, ...more }, isTraced);
    const cost = { upstreamCalls: 0, nodes: 1 };
    expect(result).toEqual({
      ...GREETING,
      extensions: { exchange: NONE_READ, cost: { estimated: cost, actual: cost, fields: [] } },
    });
  });

  it.each<[string, Request]>([
    ["a syntax error", { query: "{ hello" }],
    ["an unknown field", { query: "{ nope }" }],
    ["an unknown operation", { query: "query A { hello }", operationName: "B" }],
    ["several operations and no name", { query: "query A { hello } query B { count }" }],
    ["a variable of the wrong type", { query: "query ($count: Int!) { needs(count: $count) }", variables: { count: "x" } }],
    ["a fault of the registry", { query: "{ accounts { refused } }" }],
    ["an internal error", { query: "{ accounts { broken } }" }],
  ])("answers %s as the others do", async (_name, request) => {
    expect(await ask(free.url, request)).toEqual(await TRANSPORTS.HTTP(free.url, request));
  });
});

describe("a document that one transport has registered", () => {
  it.each(Object.entries(TRANSPORTS))("is known to all others: %s", async (name, ask) => {
    const query = `${QUERY} # registered over ${name}`;
    const extensions = { persistedQuery: { version: 1, sha256Hash: hashOf(query) } };
    expect(await ask(free.url, { query, variables, extensions })).toEqual(GREETING);
    for (const other of Object.values(TRANSPORTS)) expect(await other(free.url, { variables, extensions })).toEqual(GREETING);
  });
});

describe("a document", () => {
  /** A manifest that counts its look-ups. */
  class CountedDocuments extends TrustedDocuments {
    lookups: string[] = [];

    override textOf(hash: string): string | undefined {
      this.lookups.push("by hash");
      return super.textOf(hash);
    }

    override refused(text: string): ReturnType<TrustedDocuments["refused"]> {
      this.lookups.push("by text");
      return super.refused(text);
    }
  }
  const counted = new CountedDocuments(JSON.stringify({ [hashOf(QUERY)]: QUERY }));
  let counting: TinyGateway;
  beforeAll(async () => {
    counting = await tinyGateway({ trusted: counted });
  });
  afterAll(() => counting.gateway.stop());
  beforeEach(() => {
    counted.lookups = [];
  });

  const GET: Ask = async (url, { variables: values, ...request }) => {
    const parameters = new URLSearchParams({ ...(request as Record<string, string>), variables: JSON.stringify(values) });
    return (await fetch(`${url}/graphql?${parameters}`)).json();
  };

  it.each([...Object.entries(TRANSPORTS), ["GET", GET] as const])(
    "is looked up once for each request over %s",
    async (_, ask) => {
      // The first request over HTTP passes through Apollo, later ones of its kind do not.
      for (const name of ["me", "you"]) {
        expect(await ask(counting.url, { query: QUERY, variables: { name } })).toEqual({ data: { hello: `hello ${name}` } });
        expect(counted.lookups.splice(0)).toEqual(["by text"]);
        expect(await ask(counting.url, { documentId, variables: { name: `${name} 2` } })).toMatchObject({ data: {} });
        expect(counted.lookups.splice(0)).toEqual(["by hash", "by text"]);
      }
      expect(await ask(counting.url, { documentId: hashOf("{ hello }"), variables: {} })).toMatchObject({
        errors: [{ message: "PersistedQueryNotFound" }],
      });
      expect(counted.lookups).toEqual(["by hash"]);
    },
  );
});

describe("a persisted query in the store of several gateways", () => {
  /** A store whose answers come later, as those of another machine do. */
  const texts = new Map<string, string>();
  const externalStore: ExternalStore = {
    trouble: undefined,
    async get(namespace, key) {
      await new Promise((later) => setImmediate(later));
      return texts.get(`${namespace} ${key}`);
    },
    set: (namespace, key, text) => void texts.set(`${namespace} ${key}`, text),
    close: async () => undefined,
  };

  it.each(Object.entries(TRANSPORTS))("registered at one is found by another over %s", async (_, ask) => {
    texts.clear();
    const [first, second] = await Promise.all([tinyGateway({ externalStore }), tinyGateway({ externalStore })]);
    const extensions = { persistedQuery };
    expect(await ask(first.url, { query: QUERY, extensions, variables })).toEqual(GREETING);
    for (const request of [{ extensions }, { documentId }])
      expect(await ask(second.url, { ...request, variables })).toEqual(GREETING);
    await Promise.all([first, second].map(({ gateway }) => gateway.stop()));
  });

  it("is not taken from the store if it is not the text of its hash", async () => {
    texts.clear();
    texts.set(`documents ${hashOf(QUERY)}`, ADD);
    const gateway = await tinyGateway({ externalStore });
    expect(await TRANSPORTS.HTTP(gateway.url, { documentId, variables })).toMatchObject({
      errors: [{ extensions: { code: "PERSISTED_QUERY_NOT_FOUND" } }],
    });
    await gateway.gateway.stop();
  });
});
