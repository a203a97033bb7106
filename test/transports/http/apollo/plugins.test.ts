import { print } from "graphql";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { hashOf } from "../../../../src/engine/documents/trustedDocuments.js";
import type { ApolloPlugin } from "../../../../src/transports/http/apollo/apolloServer.js";
import { post, type TinyGateway, tinyGateway } from "../../../support/gateway/tinyGateway.js";

const QUERY = "query Greet($name: String) { hello(name: $name) }";
const GREETING = { data: { hello: "hello me" } };

let seen: object[] = [];
/** A plugin as Apollo documents it. */
const plugin: ApolloPlugin = {
  async requestDidStart({ schema }) {
    return {
      async didResolveOperation({ source, document, operation, operationName, request }) {
        seen.push({
          schema: schema.getQueryType()?.getFields().hello?.name,
          ...{ source, operationName, variables: request.variables },
          document: operation !== undefined && print(document) === print(operation),
        });
      },
      async willSendResponse({ response, errors }) {
        response.http.headers.set("x-plugin", errors === undefined ? "fine" : "failed");
      },
    };
  },
};

let tiny: TinyGateway;
beforeAll(async () => {
  tiny = await tinyGateway({ plugins: [plugin] });
});
afterAll(() => tiny.gateway.stop());
beforeEach(() => {
  seen = [];
});

describe("a plugin of Apollo Server", () => {
  it("sees each request with the graph's schema, its document and its operation, and may add headers", async () => {
    const view = { schema: "hello", source: QUERY, operationName: "Greet", variables: { name: "me" }, document: true };
    const body = { query: QUERY, variables: { name: "me" } };
    for (let run = 0; run < 3; run++) {
      const answer = await post(tiny.url, body);
      expect([answer.status, answer.headers.get("x-plugin"), await answer.json()]).toEqual([200, "fine", GREETING]);
    }
    expect(seen).toEqual([view, view, view]);
  });

  it("sees the text of a document that is named by its hash", async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: hashOf(QUERY) } };
    for (const query of [QUERY, undefined]) await post(tiny.url, { query, extensions, variables: { name: "me" } });
    expect(seen).toMatchObject([{ source: QUERY }, { source: QUERY, operationName: "Greet" }]);
  });

  it("sees no operation of a document that the engine refuses", async () => {
    const answer = await post(tiny.url, { query: "{ nope }" });
    expect([answer.status, await answer.json()]).toMatchObject([400, { errors: [{ message: /nope/ }] }]);
    expect(seen).toMatchObject([{ source: "{ nope }", operationName: null, document: false }]);
  });
});

describe("a browser that opens /graphql", () => {
  it("gets a page that leads to GraphiQL", async () => {
    const page = await fetch(`${tiny.url}/graphql`, { headers: { accept: "text/html,*/*;q=0.8" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html"]);
    expect(await page.text()).toContain('<a href="/graphiql">');
  });
});
