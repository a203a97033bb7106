import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "@exchange-graph/contract/clock";
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Clients, NO_CLIENTS } from "../../../src/access/clients.js";
import { BAD_TOKEN, NO_TOKEN } from "../../../src/access/principal/bearer.js";
import { ANONYMOUS_CLIENT, ClientPrincipal } from "../../../src/access/principal/clientPrincipal.js";
import type { JournalEntry } from "../../../src/datasources/writes/journal/journalEntry.js";
import { isRefusal } from "../../../src/engine/errors/refusalCodes.js";
import { Rights } from "../../../src/resolvers/access/principal.js";
import { AuditChecker, checkAudit } from "../../../src/telemetry/audit/auditCheck.js";
import { linked, openAudit } from "../../../src/telemetry/audit/auditLog.js";
import { bodyTooLong, refusal, STOPPING } from "../../../src/transports/arrival/answer.js";
import { type GraphGateway, graphGateway } from "../../support/gateway/graphGateway.js";
import { post } from "../../support/gateway/tinyGateway.js";

const named = (name: string, rights: Rights) => new ClientPrincipal({ id: `token:${name}`, name, rights, expiresAt: null });
const KNOWN: Readonly<Record<string, ClientPrincipal>> = {
  "token-of-the-operator": named("operator", Rights.ALL),
  "token-of-the-reader": named("reader", new Rights({ "read:market": "*" })),
};
const clients: Clients = {
  ...NO_CLIENTS,
  identify: (token) => (token === undefined ? NO_TOKEN : (KNOWN[token] ?? BAD_TOKEN)),
};

const lines: string[] = [];
let gateway: GraphGateway;
let open: GraphGateway;
beforeAll(async () => {
  gateway = await graphGateway({}, { clients, lines });
  open = await graphGateway({}, { lines });
});
afterAll(async () => {
  await gateway.close();
  await open.close();
});
beforeEach(() => {
  lines.length = 0;
});

/** The audit lines, without the fields common to all log lines. */
const audited = () =>
  lines
    .map((line) => JSON.parse(line))
    .filter(({ audit }) => audit === true)
    .map(({ level, time, audit, chain, hash, ...line }) => line);

const CANCEL = `mutation Clear {
  cancelOrder(input: { account: "nobody", category: SPOT, symbol: "BTCUSDT", by: { orderId: "7" } }) { outcome }
}`;
const CANCELLED = {
  mutation: "cancelOrder",
  account: "nobody",
  subject: { category: "SPOT", symbol: "BTCUSDT", orderId: "7" },
  outcome: "REJECTED",
  codes: ["BAD_USER_INPUT"],
  write: null,
  withoutJournal: false,
  upstreamCalls: 0,
  msg: "mutation",
};
const ORIGIN = { address: "127.0.0.1", over: "http", requestId: expect.stringMatching(/^[\w-]+$/) };
const as = (token: string) => ({ authorization: `Bearer token-of-the-${token}` });

describe("the audit has one line", () => {
  it("for a mutation, with the request that its answer names", async () => {
    const response = await post(gateway.url, { query: CANCEL }, as("operator"));
    const requestId = response.headers.get("x-request-id");
    expect(audited()).toEqual([{ ...ORIGIN, requestId, who: "token:operator", ...CANCELLED }]);
  });

  it("for each mutation of a document", async () => {
    const twice = CANCEL.replace("cancelOrder", "a: cancelOrder").replace(/\}$/, `${CANCEL.slice(CANCEL.indexOf("cancel"))}`);
    await post(gateway.url, { query: twice }, as("operator"));
    expect(audited().map(({ mutation }) => mutation)).toEqual(["cancelOrder", "cancelOrder"]);
  });

  it("for a request of an unknown client, without its token", async () => {
    for (const headers of [{}, { authorization: "Bearer guessed-by-somebody" }]) {
      lines.length = 0;
      expect((await post(gateway.url, { query: "{ __typename }" }, headers)).status).toBe(401);
      expect(audited()).toEqual([
        { ...ORIGIN, who: null, operation: null, codes: ["UNAUTHENTICATED"], refusals: 1, msg: "refused" },
      ]);
    }
  });

  it("for a response in which a field was refused", async () => {
    const query = "query Peek { exchange { clockSkewMs } }";
    await post(gateway.url, { query }, as("reader"));
    expect(audited()).toEqual([
      { ...ORIGIN, who: "token:reader", operation: "Peek", codes: ["FORBIDDEN"], refusals: 1, msg: "refused" },
    ]);
  });

  it("for a body that is too long", async () => {
    await post(gateway.url, { query: `{ __typename } #${"x".repeat(70_000)}` }, as("operator"));
    expect(audited()).toMatchObject([{ who: "token:operator", codes: ["REQUEST_TOO_LARGE"], msg: "refused" }]);
  });

  it("for a mutation over a WebSocket", async () => {
    const client = createClient({ url: `${open.url.replace("http", "ws")}/graphql`, webSocketImpl: WebSocket });
    for await (const _ of client.iterate({ query: CANCEL }));
    await client.dispose();
    expect(audited()).toEqual([{ ...ORIGIN, over: "websocket", who: ANONYMOUS_CLIENT.id, ...CANCELLED }]);
  });

  it("for a mutation over an event stream, with the request that its answer names", async () => {
    const response = await fetch(`${open.url}/graphql/stream`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      body: JSON.stringify({ query: CANCEL }),
    });
    await response.text();
    const requestId = response.headers.get("x-request-id");
    expect(audited()).toEqual([{ ...ORIGIN, requestId, over: "sse", who: ANONYMOUS_CLIENT.id, ...CANCELLED }]);
  });

  it("for an operation that a socket refuses", async () => {
    const client = createClient({ url: `${open.url.replace("http", "ws")}/graphql`, webSocketImpl: WebSocket });
    const deep = `{ account ${"{ node: account ".repeat(100)} { name } ${"}".repeat(100)} }`;
    const refused = new Promise((done) => client.subscribe({ query: deep }, { next: () => {}, error: done, complete: () => {} }));
    await refused;
    await client.dispose();
    expect(audited()).toMatchObject([{ over: "websocket", codes: ["QUERY_TOO_EXPENSIVE"], msg: "refused" }]);
  });

  it.each<[string, Record<string, string>, number, object]>([
    ["that no token opens", {}, 101, { who: null, codes: ["UNAUTHENTICATED"] }],
    [
      "that a page of another origin opens",
      { origin: "https://elsewhere.example.com" },
      403,
      { who: null, codes: ["FORBIDDEN"] },
    ],
  ])("for a socket %s", async (_, headers, status, line) => {
    const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/graphql`, "graphql-transport-ws", { headers });
    const closed = new Promise((done) => socket.once("close", done).on("error", () => undefined));
    socket.once("open", () => socket.send('{"type":"connection_init"}'));
    socket.once("unexpected-response", (_request, { statusCode }) => expect(statusCode).toBe(status));
    if (status === 403) await once(socket, "unexpected-response");
    else await closed;
    expect(audited()).toEqual([{ ...ORIGIN, over: "websocket", operation: null, refusals: 1, msg: "refused", ...line }]);
    socket.terminate();
  });

  it("for metrics without the scope", async () => {
    await fetch(`${gateway.url}/metrics`, { headers: as("reader") });
    expect(audited()).toMatchObject([{ ...ORIGIN, who: "token:reader", codes: ["FORBIDDEN"], msg: "refused" }]);
  });

  it("for a stream that no token opens", async () => {
    const response = await fetch(`${gateway.url}/graphql/stream?query={__typename}`, {
      headers: { accept: "text/event-stream" },
    });
    const requestId = response.headers.get("x-request-id");
    expect(audited()).toMatchObject([{ ...ORIGIN, over: "sse", requestId, who: null, codes: ["UNAUTHENTICATED"] }]);
  });

  it("for none of the requests with several Host headers, which break HTTP but refuse nobody", async () => {
    const { hostname, port } = new URL(gateway.url);
    const request = httpRequest({
      hostname,
      port,
      path: "/graphql",
      headers: ["Host", "one.example", "Host", "two.example"],
    }).end();
    const [response] = await once(request, "response");
    response.resume();
    expect(response.statusCode).toBe(400);
    expect(audited()).toEqual([]);
  });

  it("for none of the queries that are answered", async () => {
    await post(gateway.url, { query: "{ __typename }" }, as("operator"));
    await post(gateway.url, { query: "{ nonsense }" }, as("operator"));
    expect(audited()).toEqual([]);
  });
});

describe("a refusal is", () => {
  it.each([
    [["UNAUTHENTICATED", "FORBIDDEN", "RATE_LIMITED", "QUERY_TOO_EXPENSIVE"], 4],
    [["BAD_USER_INPUT", "EXCHANGE_TIMEOUT", "INTERNAL_SERVER_ERROR"], 0],
  ])("by the codes %o: %d", (errorCodes, count) => {
    expect(errorCodes.filter(isRefusal)).toHaveLength(count);
  });

  it.each([
    [403, "FORBIDDEN"],
    [421, "FORBIDDEN"],
    [429, "RATE_LIMITED"],
    [503, "OVERLOADED"],
    [400, undefined],
    [404, undefined],
    [500, undefined],
  ])("by the status %d of an answer before GraphQL: %s", (status, code) => {
    expect(refusal(status, "").refusalCode).toBe(code);
  });

  it("a body that is too long, and not a gateway that stops", () => {
    expect([bodyTooLong(1).refusalCode, STOPPING.refusalCode]).toEqual(["REQUEST_TOO_LARGE", undefined]);
  });
});

describe("the audit's own file", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "audit-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const origin = { who: "token:operator", address: "127.0.0.1", over: "http", requestId: "r-1" } as const;

  it("is readable only by its owner, and has each line immediately, after those of earlier runs", async () => {
    const path = join(folder, "deep", "audit.log");
    openAudit({ path }).refused({ origin, operation: undefined, codes: ["FORBIDDEN"] });
    openAudit({ path }).refused({ origin, operation: "Peek", codes: ["FORBIDDEN"] });
    const written = readFileSync(path, "utf8").trimEnd().split("\n");
    expect(written.map((line) => JSON.parse(line))).toMatchObject([
      { level: "info", audit: true, operation: null, msg: "refused", chain: { n: 1 } },
      { level: "info", audit: true, operation: "Peek", msg: "refused", chain: { n: 2 } },
    ]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await checkAudit([path])).toMatchObject({ lines: 2, problems: [], notes: [] });
  });

  it("if there is none, the log has the lines", () => {
    const written: string[] = [];
    openAudit({ destination: { write: (line) => written.push(line) } }).refused({
      origin,
      operation: undefined,
      codes: ["FORBIDDEN"],
    });
    expect(written.map((line) => JSON.parse(line))).toMatchObject([{ audit: true, who: "token:operator", msg: "refused" }]);
  });

  it("continues its chain in a new file when it is moved away, also across a restart", async () => {
    const path = join(folder, "moved.log");
    const clock = new ManualClock(Date.UTC(2026, 0, 5));
    const audit = openAudit({ path, clock });
    audit.refused({ origin, operation: "one", codes: ["FORBIDDEN"] });
    renameSync(path, `${path}.1`);
    clock.advance(1_000);
    audit.refused({ origin, operation: "two", codes: ["FORBIDDEN"] });
    expect(await checkAudit([`${path}.1`, path])).toMatchObject({ lines: 2, problems: [], notes: [] });
    renameSync(path, `${path}.1`);
    openAudit({ path, clock }).refused({ origin, operation: "three", codes: ["FORBIDDEN"] });
    expect(await checkAudit([`${path}.1`, path])).toMatchObject({ lines: 2, problems: [], head: { n: 3 } });
  });

  const entry = { seq: 7, account: "main", mutation: "placeOrder", endpoint: "placeOrder", key: "k", clientOid: null };
  const write = entry as JournalEntry;

  it.runIf(existsSync("/dev/full"))("that cannot be written is counted and reported, and blocks nothing", () => {
    let losses = 0;
    const audit = openAudit({ path: "/dev/full", onLost: () => losses++ });
    audit.refused({ origin, operation: undefined, codes: ["FORBIDDEN"] });
    audit.leaving(origin, write, false);
    expect([audit.lost, losses]).toEqual([2, 2]);
  });

  it.runIf(existsSync("/dev/full"))(
    "that is required blocks writes that cannot be audited, except those that reduce risk",
    () => {
      const audit = openAudit({ path: "/dev/full", isRequired: true });
      expect(() => audit.leaving(origin, write, false)).toThrow("the audit cannot be written; nothing was sent");
      audit.leaving(origin, write, true);
    },
  );
});

describe("a check of the audit", () => {
  const chain = (): string[] => {
    const lines: string[] = [];
    const audit = openAudit({ destination: { write: (line) => lines.push(line.trimEnd()) } });
    for (const name of ["a", "b", "c", "d", "e"])
      audit.refused({
        origin: { who: "token:x", address: undefined, over: "http", requestId: name },
        operation: name,
        codes: ["FORBIDDEN"],
      });
    return lines;
  };
  const check = (lines: readonly string[], expected: readonly string[] = []) => {
    const checker = new AuditChecker(expected);
    for (const [at, line] of lines.entries()) checker.take(line, `${at + 1}`);
    return checker.result;
  };
  const hashOf = (line = ""): string => /"hash":"(\w+)"\}$/.exec(line)?.[1] ?? "";

  it("accepts unchanged lines with any log lines between them", () => {
    const [a = "", ...more] = chain();
    expect(check([a, '{"level":"info","msg":"stopping"}', ...more])).toMatchObject({
      lines: 5,
      problems: [],
      notes: [],
      head: { n: 5 },
    });
  });

  it.each<[string, (lines: string[]) => unknown, string[]]>([
    ["changed", (lines) => lines.splice(2, 1, lines[2]?.replace("token:x", "token:y") ?? ""), ["3: line 3 was changed"]],
    ["removed", (lines) => lines.splice(1, 2), ["2: lines 2 to 3 are missing"]],
    [
      "moved",
      (lines) => lines.splice(1, 2, lines[2] ?? "", lines[1] ?? ""),
      ["2: lines 2 to 2 are missing", "3: line 2 follows line 3", "4: lines 3 to 3 are missing"],
    ],
    ["repeated", (lines) => lines.splice(2, 0, lines[1] ?? ""), ["3: line 2 follows line 2"]],
    ["cut in the middle", (lines) => lines.splice(2, 1, lines[2]?.slice(0, 60) ?? ""), ["4: lines 3 to 3 are missing"]],
    [
      "rewritten with its hash",
      (lines) => {
        const other = linked(JSON.stringify({ audit: true, who: "somebody else" }), { n: 2, hash: hashOf(lines[1]) });
        lines.splice(2, 1, other.text.trimEnd());
      },
      ["4: line 4 does not match the hash of the line before it, which was changed or inserted"],
    ],
    [
      "stripped of its links",
      (lines) => lines.splice(2, 1, lines[2]?.replace(/,"chain".*/, "}") ?? ""),
      ["3: a line of the audit has no hash", "4: lines 3 to 3 are missing"],
    ],
  ])("finds a line that was %s", (_, spoil, problems) => {
    const lines = chain();
    spoil(lines);
    expect(check(lines).problems).toEqual(problems);
  });

  it("finds nothing to verify in files of something else, which is no proof that all is well", () => {
    const other = ["no line is one of the audit's chain: are these its files?"];
    expect(check(['{"level":"info","msg":"stopping"}', "# A heading"]).problems).toEqual(other);
    expect(check([]).problems).toEqual([]);
    expect(check(['{"audit":true,"who":"token:x"}'])).toMatchObject({ problems: [], notes: [expect.stringContaining("before")] });
  });

  it("finds a truncated end by a noted hash", () => {
    const lines = chain();
    const noted = hashOf(lines[4]);
    expect(check(lines, [noted]).problems).toEqual([]);
    expect(check(lines.slice(0, 4)).problems).toEqual([]);
    expect(check(lines.slice(0, 4), [noted]).problems).toEqual([`the line with the hash ${noted} is missing`]);
  });

  it("reports the position of a new chain and of a partial line", () => {
    expect(check([...chain(), '{"level":"info","ti', ...chain()])).toMatchObject({
      problems: [],
      notes: ["6: a partial line, which is not part of the chain", "7: a new chain begins after line 5 of the previous one"],
    });
  });
});
