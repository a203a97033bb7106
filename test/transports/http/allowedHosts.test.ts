import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type TinyGateway, tinyGateway } from "../../support/gateway/tinyGateway.js";

let tiny: TinyGateway;

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Not `fetch`, which sets the header itself. */
async function statusOf(path: string, host: string, { method = "GET", headers = {}, body = "" }: Asked = {}): Promise<unknown> {
  const request = httpRequest(`${tiny.url}${path}`, { method, headers: { ...headers, host } }).end(body);
  const [response] = await once(request, "response");
  response.destroy();
  return response.statusCode;
}

async function statusOfUpgrade(host: string): Promise<unknown> {
  const origin = `http://${host}`;
  const socket = new WebSocket(`${tiny.url.replace("http", "ws")}/graphql`, "graphql-transport-ws", {
    headers: { host, origin },
  });
  const answer = await Promise.race([
    once(socket, "open").then(() => 101),
    once(socket, "unexpected-response").then(([, response]) => response.statusCode),
  ]);
  socket.on("error", () => undefined).terminate();
  return answer;
}

const JSON_BODY = { method: "POST", headers: { "content-type": "application/json" }, body: '{"query":"{ hello }"}' };
/** Each entry point, with its expected status and a request. */
const DOORS: Readonly<Record<string, readonly [expected: number, ask: (host: string) => Promise<unknown>]>> = {
  "a query": [200, (host) => statusOf("/graphql", host, JSON_BODY)],
  "a query by GET": [
    200,
    (host) => statusOf("/graphql?query=%7Bhello%7D", host, { headers: { "apollo-require-preflight": "1" } }),
  ],
  "an event stream": [
    200,
    (host) => statusOf("/graphql/stream?query=%7Bhello%7D", host, { headers: { accept: "text/event-stream" } }),
  ],
  "a reserved event stream": [201, (host) => statusOf("/graphql/stream", host, { method: "PUT" })],
  "a WebSocket": [101, statusOfUpgrade],
  metrics: [200, (host) => statusOf("/metrics", host)],
  GraphiQL: [200, (host) => statusOf("/graphiql", host)],
  "a page that is not there": [404, (host) => statusOf("/nothing", host)],
};
const FOREIGN = [
  "attacker.example",
  "attacker.example:4000",
  "localhost.attacker.example",
  "127.0.0.1.attacker.example",
  "127.0.0.1@attacker.example",
  "0.0.0.0:4000",
  "localhost.:4000",
  "[::2]",
];
const OWN = ["localhost", "localhost:4000", "127.0.0.1:4000", "127.1.2.3", "[::1]:4000", "gateway.example", "gateway.example:1"];

/** The first line of the answer to a request with these lines. */
async function statusLine(...lines: readonly string[]): Promise<string | undefined> {
  const socket = connect(Number.parseInt(new URL(tiny.url).port, 10), "127.0.0.1");
  socket.write(`${[...lines, "", ""].join("\r\n")}`);
  const [data] = await once(socket, "data");
  socket.destroy();
  return String(data).split("\r\n", 1)[0];
}

const UPGRADE = [
  ...["upgrade: websocket", "connection: upgrade"],
  ...["sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==", "sec-websocket-version: 13"],
  "sec-websocket-protocol: graphql-transport-ws",
];

describe("with names on a list", () => {
  beforeAll(async () => {
    tiny = await tinyGateway({ hosts: ["Gateway.example"] });
  });
  afterAll(() => tiny.gateway.stop());

  describe.each(Object.entries(DOORS))("%s", (_, [expected, ask]) => {
    it.each(FOREIGN)("is refused to a page under a rebound host name: %s", async (host) => {
      tiny.lines.length = 0;
      expect(await ask(host)).toBe(421);
      expect(JSON.parse(tiny.lines.find((line) => line.includes('"refused"')) ?? "{}")).toMatchObject({
        who: null,
        codes: ["FORBIDDEN"],
      });
    });

    it.each(OWN)("is served under this machine's names and the listed ones: %s", async (host) => {
      expect(await ask(host)).toBe(expected);
    });
  });

  it.each([
    ["localhost", "attacker.example", 200],
    ["attacker.example", "localhost", 421],
  ])("the host of an absolute target counts in place of the header: %s, not %s", async (named, host, status) => {
    const path = `http://${named}/graphql?query=%7Bhello%7D`;
    expect(await statusLine(`GET ${path} HTTP/1.1`, `host: ${host}`, "apollo-require-preflight: 1")).toMatch(
      `HTTP/1.1 ${status} `,
    );
    expect(await statusLine(`GET http://${named}/graphql HTTP/1.1`, `host: ${host}`, ...UPGRADE)).toMatch(
      `HTTP/1.1 ${status === 200 ? 101 : status} `,
    );
  });

  it("case does not matter", async () => {
    expect(await statusOf("/healthz", "gateway.EXAMPLE")).toBe(200);
    expect(await statusOf("/healthz", "LocalHost")).toBe(200);
  });

  it("requests without a Host header are served", async () => {
    const socket = connect(Number.parseInt(new URL(tiny.url).port, 10), "127.0.0.1");
    socket.end("GET /healthz HTTP/1.0\r\n\r\n");
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1.1 200 OK/);
  });
});

describe("without a list", () => {
  beforeAll(async () => {
    tiny = await tinyGateway();
  });
  afterAll(() => tiny.gateway.stop());

  it.each([
    ["GET /healthz HTTP/1.1", "host: localhost", "Host: localhost"],
    ["GET /healthz HTTP/1.1", "HOST: localhost", "accept: */*", "host: attacker.example"],
    ["POST /graphql HTTP/1.1", "host: a.example", "content-type: application/json", "content-length: 2", "host: b.example"],
    ["GET /graphql/stream HTTP/1.1", "host: a.example", "host: a.example"],
    ["GET /graphql HTTP/1.1", "host: a.example", ...UPGRADE, "host: b.example"],
  ])("a request with two Host headers is 400: %s, %s, …", async (...lines) => {
    expect(await statusLine(...lines)).toBe("HTTP/1.1 400 Bad Request");
  });

  it.each([
    "http://gateway.example/graphql?query=%7Bhello%7D",
    "HTTP://gateway.example:80/graphql?query=%7Bhello%7D",
    "http://gateway.example/healthz?path=//",
  ])("a request with an absolute target is served: %s", async (target) => {
    expect(await statusLine(`GET ${target} HTTP/1.1`, "host: proxy", "apollo-require-preflight: 1")).toBe("HTTP/1.1 200 OK");
  });

  it("a request without a Host header is 400 in HTTP/1.1", async () => {
    expect(await statusLine("GET /healthz HTTP/1.1")).toBe("HTTP/1.1 400 Bad Request");
  });

  it.each(Object.entries(DOORS))("%s is served under any name", async (_, [expected, ask]) => {
    expect(await ask("anything.example")).toBe(expected);
  });
});
