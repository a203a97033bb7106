import { once } from "node:events";
import { request as httpRequest, IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";
import { NO_CLIENTS } from "../../src/access/clients.js";
import { KEYS_MISSING } from "../../src/access/principal/bearer.js";
import { type TinyGateway, tinyGateway } from "../support/gateway/tinyGateway.js";
import { type GuardedGateway, guardedGateway } from "./support/guardedGateway.js";

let gateway: GuardedGateway;
let reader: string;
beforeAll(async () => {
  gateway = await guardedGateway();
  reader = await gateway.token("reader", { "read:market": "*", "read:account": ["main"], trade: ["classic"] });
});
afterAll(() => gateway.close());

const bearing = (token: string | undefined) => (token === undefined ? {} : { authorization: `Bearer ${token}` });

function post(query: string, headers: Record<string, string>): Promise<Response> {
  return fetch(`${gateway.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ query }),
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the fields depend on each test's query, and its assertions check them
const ask = async (query: string, token = reader): Promise<any> => (await post(query, bearing(token))).json();

const WRONG: [string, Record<string, string>][] = [
  ["no token", {}],
  ["an unknown token", bearing(`exgt_${"A".repeat(43)}`)],
  ["something else", bearing("secret")],
  ["another scheme", { authorization: "Basic dXNlcjpwYXNz" }],
  ["an empty token", { authorization: "Bearer " }],
];

describe("a request with", () => {
  it.each(WRONG)("%s is refused for every request, without an upstream call", async (name, headers) => {
    const before = gateway.asked();
    for (const query of ["{ tickers(category: SPOT) { symbol } }", "{ __typename }", "{ viewer { name } }", "{ nonsense"]) {
      const response = await post(query, headers);
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe(
        name === "no token" ? 'Bearer realm="exchange-graph"' : 'Bearer realm="exchange-graph", error="invalid_token"',
      );
      expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: "UNAUTHENTICATED", retryable: false } }] });
    }
    expect(gateway.asked()).toBe(before);
  });

  it.each(WRONG)("%s gets no event stream", async (_, headers) => {
    const url = `${gateway.url}/graphql/stream?${new URLSearchParams({ query: "{ __typename }" })}`;
    const response = await fetch(url, { headers: { accept: "text/event-stream", ...headers } });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain("Bearer");
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: "UNAUTHENTICATED" } }] });
  });

  it("a good token is answered, by GET as by POST", async () => {
    expect(await ask("{ __typename }")).toEqual({ data: { __typename: "Query" } });
    const url = `${gateway.url}/graphql?${new URLSearchParams({ query: "{ __typename }" })}`;
    const response = await fetch(url, { headers: { ...bearing(reader), "apollo-require-preflight": "1" } });
    expect(await response.json()).toEqual({ data: { __typename: "Query" } });
  });

  it("a token that was revoked a moment ago is refused", async () => {
    const token = await gateway.token("short", { "read:market": "*" });
    expect((await post("{ __typename }", bearing(token))).status).toBe(200);
    await gateway.revoke("short");
    expect((await post("{ __typename }", bearing(token))).status).toBe(401);
  });
});

/** Sends the headers of a POST, runs `meanwhile`, then sends the body; resolves to the response's status. */
async function slowly(path: string, headers: Record<string, string>, meanwhile: () => Promise<void>): Promise<number> {
  const body = JSON.stringify({ query: "{ __typename }" });
  const request = httpRequest(`${gateway.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "content-length": body.length, ...headers },
  });
  const answered = once(request, "response");
  request.flushHeaders();
  request.write(body.slice(0, 5));
  // The gateway answers this only after it has received the headers above.
  await post("{ __typename }", bearing(reader));
  await meanwhile();
  request.end(body.slice(5));
  const [response] = z.tuple([z.instanceof(IncomingMessage)]).parse(await answered);
  response.destroy();
  return response.statusCode ?? 0;
}

describe.each([
  ["the graph", "/graphql"],
  ["an event stream", "/graphql/stream"],
])("a body that is long on its way to %s", (_, path) => {
  const headers = (token: string) => ({ accept: "application/json, text/event-stream", ...bearing(token) });

  it("is answered with the rights that its token has when the body is complete", async () => {
    expect(await slowly(path, headers(reader), async () => undefined)).toBe(200);
    const name = `slow${path.length}`;
    const token = await gateway.token(name, { "read:market": "*" });
    expect(await slowly(path, headers(token), () => gateway.revoke(name))).toBe(401);
  });
});

describe("a token that cannot be checked now, because the issuer's keys cannot be fetched,", () => {
  let tiny: TinyGateway;
  beforeAll(async () => {
    tiny = await tinyGateway({ clients: { ...NO_CLIENTS, identify: () => KEYS_MISSING } });
  });
  afterAll(() => tiny.gateway.stop());

  it.each(["/graphql?query={hello}", "/graphql/stream?query={hello}", "/metrics"])("may be sent again: %s", async (path) => {
    const response = await fetch(tiny.url + path, { headers: { accept: "text/event-stream, */*", ...bearing("a.b.c") } });
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(response.headers.get("www-authenticate")).toBeNull();
    const extensions = { code: "UNAVAILABLE", retryable: true, retryAfterMs: 1_000 };
    expect(await response.json()).toEqual({ errors: [{ message: KEYS_MISSING.message, extensions }] });
  });

  it("closes its socket with a code that asks to connect again", async () => {
    const socket = new WebSocket(`${tiny.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
    await once(socket, "open");
    socket.send(JSON.stringify({ type: "connection_init", payload: { token: "a.b.c" } }));
    const [code, reason] = await once(socket, "close");
    expect([code, String(reason)]).toEqual([1013, KEYS_MISSING.message]);
  });
});

describe("the pages around the graph", () => {
  it.each(["/graphiql", "/healthz", "/readyz"])("%s needs no token", async (path) => {
    expect((await fetch(`${gateway.url}${path}`)).status).toBe(200);
  });

  it("/metrics is available only to operators", async () => {
    const operator = await gateway.token("operator", { admin: ["main"] });
    const metrics = async (token?: string) => (await fetch(`${gateway.url}/metrics`, { headers: bearing(token) })).status;
    expect([await metrics(), await metrics("wrong"), await metrics(reader), await metrics(operator)]).toEqual([
      401, 401, 403, 200,
    ]);
  });
});

describe("a client", () => {
  it("can read its scopes and their expiry, and sees no account outside its scopes", async () => {
    expect((await ask("{ viewer { name isAnonymous expireTime scopes { scope accounts } } }")).data.viewer).toEqual({
      name: "reader",
      isAnonymous: false,
      expireTime: null,
      scopes: [
        { scope: "read:market", accounts: null },
        { scope: "read:account", accounts: ["main"] },
        { scope: "trade", accounts: ["classic"] },
      ],
    });
    const stranger = await gateway.token("stranger", { trade: ["nowhere"], earn: "*" });
    expect((await ask("{ viewer { scopes { scope accounts } } }", stranger)).data.viewer.scopes).toEqual([
      { scope: "trade", accounts: [] },
      { scope: "earn", accounts: ["main", "classic"] },
    ]);
  });

  it("lists only the accounts that it may read", async () => {
    const both = await gateway.token("both", { "read:account": "*" });
    const list = "{ accounts { name } account { name } }";
    expect((await ask(list, both)).data).toEqual({
      accounts: [{ name: "main" }, { name: "classic" }],
      account: { name: "main" },
    });
    const second = await gateway.token("second", { "read:account": ["classic"] });
    expect((await ask(list, second)).data).toEqual({ accounts: [{ name: "classic" }], account: { name: "classic" } });
    expect((await ask(list)).data).toEqual({ accounts: [{ name: "main" }], account: { name: "main" } });
  });

  it("that operates one account sees the gateway's state without the others", async () => {
    const one = await gateway.token("operates-one", { admin: ["classic"], trade: ["main"] });
    const { data } = await ask(
      "{ exchange { accounts { name } budgets { counter } streams { stream topics } connections { account } } }",
      one,
    );
    expect(data.exchange.accounts).toEqual([{ name: "classic" }]);
    expect(data.exchange.budgets.map(({ counter }: { counter: string }) => counter)).not.toContain("main");
    expect(data.exchange.streams).toEqual([{ stream: "orders", topics: 1 }]);
    expect(data.exchange.connections).toEqual([{ account: "classic" }]);
  });

  it("keeps the allowed fields if another field is refused", async () => {
    gateway.on("/api/v3/account/settings", {
      uid: "1",
      accountMode: "advanced",
      assetMode: "multi_assets",
      holdMode: "one_way_mode",
    });
    gateway.on("/api/v3/account/funding-assets", [{ coin: "BTC", balance: "2", available: "2", frozen: "0" }]);
    const accounts = await gateway.token("accounts", { "read:account": ["main"] });
    const { data, errors } = await ask("{ account { fundingBalances { coin valueUsdt } } }", accounts);
    expect(errors).toEqual([
      expect.objectContaining({
        message: "this needs the scope read:market",
        path: ["account", "fundingBalances", 0, "valueUsdt"],
        extensions: { code: "FORBIDDEN", retryable: false, scope: "read:market" },
      }),
    ]);
    expect(data.account.fundingBalances).toEqual([{ coin: "BTC", valueUsdt: null }]);
  });
});

describe("a result of one client's request", () => {
  it("is never returned to another client, even for equal concurrent requests", async () => {
    const other = await gateway.token("other", { "read:account": ["classic"] });
    const who = "{ viewer { name } accounts { name } }";
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([reader, other, reader, other].map((token) => ask(who, token)));
      expect(answers.map(({ data }) => [data.viewer.name, data.accounts[0].name])).toEqual([
        ["reader", "main"],
        ["other", "classic"],
        ["reader", "main"],
        ["other", "classic"],
      ]);
    }
  });

  it("is not found by another client's equal idempotency key, unless both write to the same account", async () => {
    gateway.on("/api/v2/earn/savings/redeem", { orderId: "1", status: "success" });
    const redeem =
      'mutation { redeemSavings(input: { productId: "1", periodType: FLEXIBLE, amount: "1", idempotencyKey: "key" }) { outcome } }';
    const tokens = [
      await gateway.token("earns-main", { earn: ["main"] }),
      await gateway.token("earns-classic", { earn: ["classic"] }),
      await gateway.token("earns-main-too", { earn: ["main"] }),
    ];
    const before = gateway.asked();
    const sent: number[] = [];
    for (const token of tokens) {
      expect(await ask(redeem, token)).toEqual({ data: { redeemSavings: { outcome: "ACCEPTED" } } });
      sent.push(gateway.asked() - before);
    }
    expect(sent).toEqual([1, 2, 2]);
  });
});
