import { createHash } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { post, type TinyGateway, tinyGateway } from "../../support/gateway/tinyGateway.js";

let tiny: TinyGateway;
beforeAll(async () => {
  tiny = await tinyGateway();
});
afterAll(() => tiny.gateway.stop());

const get = (parameters: Record<string, string>, headers: Record<string, string> = { "apollo-require-preflight": "1" }) =>
  fetch(`${tiny.url}/graphql?${new URLSearchParams(parameters)}`, { headers });

/** Status and code of the first error. */
const verdict = async (response: Response) => {
  const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
  return [response.status, errors?.[0]?.extensions.code];
};

describe("GraphQL over HTTP", () => {
  it("answers a POST of JSON", async () => {
    const response = await post(tiny.url, { query: "query ($name: String) { hello(name: $name) }", variables: { name: "me" } });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ data: { hello: "hello me" } });
  });

  it("answers a GET, with variables and operation name", async () => {
    const query = "query A { hello } query B($name: String) { hello(name: $name) }";
    const response = await get({ query, variables: '{"name":"me"}', operationName: "B" });
    expect(await response.json()).toEqual({ data: { hello: "hello me" } });
  });

  it("counts an empty operation name and null as not given in a GET, as the specification says", async () => {
    const answer = { data: { hello: "hello you" } };
    const empty = { operationName: "", variables: "null", extensions: "null" };
    expect(await (await get({ query: "{ hello }", ...empty })).json()).toEqual(answer);
    const query = "query Registered { hello }";
    const extensions = { persistedQuery: { version: 1, sha256Hash: createHash("sha256").update(query).digest("hex") } };
    await post(tiny.url, { query, extensions });
    expect(await (await get({ operationName: "", extensions: JSON.stringify(extensions) })).json()).toEqual(answer);
    expect(await verdict(await get({ query: "{ hello }", operationName: "null" }))).toEqual([
      400,
      "OPERATION_RESOLUTION_FAILURE",
    ]);
    expect(await verdict(await get({ query: "{ hello }", variables: "" }))).toEqual([400, "BAD_REQUEST"]);
  });

  it.each([
    [undefined, "application/json; charset=utf-8"],
    ["*/*", "application/json; charset=utf-8"],
    ["application/json", "application/json; charset=utf-8"],
    ["application/graphql-response+json", "application/graphql-response+json; charset=utf-8"],
    ["application/json;q=0.5, application/graphql-response+json", "application/graphql-response+json; charset=utf-8"],
  ])("answers in the requested media type: %s", async (accept, contentType) => {
    const response = await post(tiny.url, { query: "{ hello }" }, accept === undefined ? {} : { accept });
    expect(response.headers.get("content-type")).toBe(contentType);
  });

  it("refuses an unsupported media type", async () => {
    expect(await verdict(await post(tiny.url, { query: "{ hello }" }, { accept: "image/png" }))).toEqual([406, "BAD_REQUEST"]);
  });

  it("forbids caching of answers", async () => {
    expect((await post(tiny.url, { query: "{ hello }" })).headers.get("cache-control")).toBe("no-store");
  });

  it("serves a persisted query after it was registered, by POST and by GET", async () => {
    const query = "{ hello }";
    const extensions = { persistedQuery: { version: 1, sha256Hash: createHash("sha256").update(query).digest("hex") } };
    expect(await verdict(await post(tiny.url, { extensions }))).toEqual([200, "PERSISTED_QUERY_NOT_FOUND"]);
    await post(tiny.url, { query, extensions });
    expect(await (await post(tiny.url, { extensions })).json()).toEqual({ data: { hello: "hello you" } });
    expect(await (await get({ extensions: JSON.stringify(extensions) })).json()).toEqual({ data: { hello: "hello you" } });
  });

  it.each([
    ["a hash that is another document's", { version: 1, sha256Hash: createHash("sha256").update("{ hello }").digest("hex") }],
    ["a version that there is not", { version: 2, sha256Hash: createHash("sha256").update("mutation { add }").digest("hex") }],
  ])("refuses a mutation under %s, as its client's mistake", async (_, persistedQuery) => {
    tiny.lines.length = 0;
    tiny.counts.reads = 0;
    expect(await verdict(await post(tiny.url, { query: "mutation { add }", extensions: { persistedQuery } }))).toEqual([
      400,
      "BAD_REQUEST",
    ]);
    expect(tiny.counts.reads).toBe(0);
    expect(tiny.lines.filter((line) => line.includes('"error"'))).toEqual([]);
  });

  it("refuses a body by its declared length before it arrives", async () => {
    const request = httpRequest(`${tiny.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", "content-length": 10_000_000 },
    });
    request.flushHeaders();
    const [response] = await once(request, "response");
    expect(response.statusCode).toBe(413);
    request.on("error", () => undefined).destroy();
  });

  it("executes a mutation each time, also under a persisted hash", async () => {
    const query = "mutation { add }";
    const extensions = { persistedQuery: { version: 1, sha256Hash: createHash("sha256").update(query).digest("hex") } };
    tiny.counts.reads = 0;
    await post(tiny.url, { query, extensions });
    await Promise.all(Array.from({ length: 5 }, () => post(tiny.url, { extensions })));
    await Promise.all(Array.from({ length: 5 }, () => post(tiny.url, { query })));
    expect(tiny.counts.reads).toBe(11);
  });

  it("answers an executed mutation in JSON, whatever the client accepts", async () => {
    const response = await post(tiny.url, { query: "mutation { add }" }, { accept: "image/png" });
    expect([response.status, response.headers.get("content-type"), response.headers.get("cache-control")]).toEqual([
      ...[200, "application/json; charset=utf-8", "no-store"],
    ]);
    expect(await response.json()).toEqual({ data: { add: expect.any(Number) } });
  });

  it("executes no mutation by GET", async () => {
    tiny.counts.reads = 0;
    expect(await verdict(await get({ query: "mutation { add }" }))).toEqual([405, "BAD_REQUEST"]);
    expect(tiny.counts.reads).toBe(0);
  });
});

describe("a request that no browser should be able to make for another site", () => {
  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "is refused: a POST of %s",
    async (contentType) => {
      const response = await post(tiny.url, { query: "{ hello }" }, { "content-type": contentType });
      expect(await verdict(response)).toEqual([400, "BAD_REQUEST"]);
    },
  );

  it("is refused: a compressed body, which is not read as text", async () => {
    const response = await fetch(`${tiny.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", "content-encoding": "gzip" },
      body: gzipSync('{"query":"{ hello }"}'),
    });
    expect(response.headers.get("accept-encoding")).toBe("identity");
    expect(await verdict(response)).toEqual([415, "BAD_REQUEST"]);
    expect((await post(tiny.url, { query: "{ hello }" }, { "content-encoding": "identity" })).status).toBe(200);
  });

  it("is refused: a GET that needs no preflight", async () => {
    expect(await verdict(await get({ query: "{ hello }" }, { "sec-fetch-site": "cross-site" }))).toEqual([400, "BAD_REQUEST"]);
  });
});

describe("a client that offers HTTP/2 with each request, as Java's does", () => {
  const ask = async (method: string, path: string, body = "") => {
    const offer = { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c", "http2-settings": "AAMAAABkAAQAoAAAAAIAAAAA" };
    const headers = { ...offer, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const request = httpRequest(tiny.url + path, { method, headers });
    request.end(body);
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return [response.statusCode, response.httpVersion, JSON.parse(await text(response))];
  };

  it("is answered over HTTP/1.1", async () => {
    const body = JSON.stringify({ query: "{ hello }", padding: "x".repeat(1_500) });
    expect(await ask("POST", "/graphql", body)).toEqual([200, "1.1", { data: { hello: "hello you" } }]);
    expect(await ask("GET", "/healthz")).toEqual([200, "1.1", { status: "ok" }]);
  });
});

describe("a request that cannot be understood", () => {
  it.each<[string, unknown, number, string]>([
    ["not JSON", "{ query", 400, "BAD_REQUEST"],
    ["empty", "", 400, "BAD_REQUEST"],
    ["a JSON list", [{ query: "{ hello }" }], 400, "BAD_REQUEST"],
    ["a JSON text", '"{ hello }"', 400, "BAD_REQUEST"],
    ["null", "null", 400, "BAD_REQUEST"],
    ["without a query", { variables: {} }, 400, "BAD_REQUEST"],
    ["a query that is no text", { query: 7 }, 400, "BAD_REQUEST"],
    ["variables as text", { query: "{ hello }", variables: "{}" }, 400, "BAD_REQUEST"],
    ["a syntax error", { query: "{ hello" }, 400, "GRAPHQL_PARSE_FAILED"],
    ["an unknown field", { query: "{ nope }" }, 400, "GRAPHQL_VALIDATION_FAILED"],
    ["a bad variable", { query: "query ($n: Int!) { needs(count: $n) }", variables: { n: "x" } }, 400, "BAD_USER_INPUT"],
    ["no such operation", { query: "query A { hello }", operationName: "B" }, 400, "OPERATION_RESOLUTION_FAILURE"],
  ])("is refused with a code: %s", async (_, body, status, code) => {
    expect(await verdict(await post(tiny.url, body))).toEqual([status, code]);
  });

  it("is refused when it is longer than the limit, and read up to it", async () => {
    const frame = JSON.stringify({ query: "{ hello }", padding: "" }).length;
    const sized = (bytes: number) => ({ query: "{ hello }", padding: "x".repeat(bytes - frame) });
    expect((await post(tiny.url, sized(2_048))).status).toBe(200);
    expect(await verdict(await post(tiny.url, sized(2_049)))).toEqual([413, "BAD_REQUEST"]);
  });

  it("is refused for an unknown path, with a message that does not repeat it", async () => {
    const response = await fetch(`${tiny.url}/admin<script>`);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain("script");
  });

  it("is refused for a path that cannot be decoded, like any other request", async () => {
    const response = await fetch(`${tiny.url}/script%zz`);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("x-request-id")).toMatch(/^[\w-]+$/);
    expect([response.status, await response.json()]).toEqual([
      400,
      { errors: [{ message: "The request could not be read.", extensions: { code: "BAD_REQUEST", retryable: false } }] },
    ]);
  });

  it.each<[string, string, string]>([
    ["PUT", "/graphql", "GET, POST"],
    ["DELETE", "/graphql", "GET, POST"],
    ["OPTIONS", "/graphql", "GET, POST"],
    ["HEAD", "/graphql?query=%7Bhello%7D", "GET, POST"],
    ["PATCH", "/graphql/stream", "GET, POST, PUT, DELETE"],
    ["POST", "/healthz", "GET, HEAD"],
    ["PUT", "/readyz?verbose", "GET, HEAD"],
    ["DELETE", "/metrics", "GET, HEAD"],
    ["OPTIONS", "/graphiql", "GET, HEAD"],
  ])("is refused when its method is %s at %s", async (method, path, allowed) => {
    const response = await fetch(`${tiny.url}${path}`, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allowed]);
  });

  it("that posts an operation to another address is told where the graph is", async () => {
    const response = await fetch(`${tiny.url}/healthz`, { method: "POST", body: '{"query":"{ hello }"}' });
    expect(await response.json()).toMatchObject({ errors: [{ message: "Use GET or HEAD. GraphQL is served at /graphql." }] });
  });
});

describe("an error", () => {
  const errorsOf = async (query: string) => {
    const { errors } = (await (await post(tiny.url, { query })).json()) as {
      errors: { message: string; path: unknown; extensions: unknown }[];
    };
    return errors.map(({ message, path, extensions }) => ({ message, path, extensions }));
  };

  it("of the registry passes with what it carries", async () => {
    expect(await errorsOf('{ account(name: "main") { refused } }')).toEqual([
      {
        message: "the exchange said no",
        path: ["account", "refused"],
        extensions: {
          code: "EXCHANGE_REJECTED",
          retryable: false,
          exchange: { code: "40084", msg: "no", endpoint: "assets" },
        },
      },
    ]);
  });

  it("that are internal are masked for clients, and logged with their stacks", async () => {
    tiny.lines.length = 0;
    const response = await post(tiny.url, { query: 'query Portfolio { account(name: "main") { broken } }' });
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({
      data: { account: { broken: null } },
      errors: [
        {
          message: "Internal server error",
          path: ["account", "broken"],
          locations: [{ line: 1, column: 43 }],
          extensions: { code: "INTERNAL_SERVER_ERROR", retryable: false },
        },
      ],
    });
    const logged = tiny.lines.map((line) => JSON.parse(line)).find(({ level }) => level === "error");
    expect(logged).toMatchObject({
      requestId: response.headers.get("x-request-id"),
      operation: "Portfolio",
      path: "account.broken",
      err: { type: "TypeError", message: "internal-detail", stack: expect.stringContaining("tinyGraph") },
    });
  });

  it("that are internal are logged once by the compiled executor too", async () => {
    const query = "query Again { accounts { broken } }";
    for (let run = 0; run < 3; run++) await post(tiny.url, { query });
    tiny.lines.length = 0;
    await post(tiny.url, { query });
    expect(tiny.lines.filter((line) => line.includes('"level":"error"'))).toHaveLength(2);
  });

  it.each(["{ rejectsText }", "{ badMoment }", "{ badMode }", "{ stranger { name } }"])(
    "shows no internals: %s",
    async (query) => {
      const text = await (await post(tiny.url, { query })).text();
      expect(text).toContain("INTERNAL_SERVER_ERROR");
      expect(text).not.toMatch(/internal-detail|yesterday|neither|stacktrace|node_modules/);
    },
  );
});

describe("equal queries at the same time", () => {
  it("cost fewer executions", async () => {
    let gate = Promise.resolve();
    const gated = await tinyGateway({ gate: () => gate });
    await post(gated.url, { query: "{ slow }" });
    gated.counts.reads = 0;
    let open = (): void => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const answers = Array.from({ length: 20 }, () => post(gated.url, { query: "{ slow }" }));
    // Answered after the others, so they have arrived before the gate opens.
    for (let probe = 0; probe < 20; probe++) await post(gated.url, { query: "{ hello }" });
    open();
    for (const answer of answers) expect(await (await answer).json()).toEqual({ data: { slow: "at last" } });
    expect(gated.counts.reads).toBeLessThan(20);
    await gated.gateway.stop();
  });
});

describe("every answer", () => {
  it.each(["/graphql", "/graphiql", "/healthz", "/nowhere", "/"])(
    "forbids browsers everything that it does not need: %s",
    async (path) => {
      const { headers } = await fetch(tiny.url + path, { redirect: "manual" });
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("content-security-policy")).toMatch(/frame-ancestors 'none'/);
      expect(headers.get("content-security-policy")).not.toMatch(/script-src|unsafe-eval/);
      expect(headers.get("x-powered-by")).toBeNull();
    },
  );
});

describe("introspection", () => {
  const query = "{ __schema { queryType { name } } }";

  it("is answered if it is on", async () => {
    expect((await post(tiny.url, { query })).status).toBe(200);
  });

  it("is refused if it is off", async () => {
    const closed = await tinyGateway({ introspection: false });
    expect(await verdict(await post(closed.url, { query }))).toEqual([400, "GRAPHQL_VALIDATION_FAILED"]);
    await closed.gateway.stop();
  });
});
