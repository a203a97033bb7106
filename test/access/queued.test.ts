import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualClock } from "@exchange-graph/contract/clock";
import { createClient } from "graphql-ws";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { eventually, settled } from "../support/eventually.js";
import { type GuardedGateway, guardedGateway } from "./support/guardedGateway.js";
import { AUDIENCE, ISSUER, jwtIssuer } from "./support/jwtIssuer.js";

const EMAIL = "/api/v2/broker/account/modify-subaccount-email";
const TRADES = "/api/v3/market/fills";
const MUTATION =
  'mutation ($key: String) { modifySubAccountEmail(input: { account: "classic", subUid: "1", email: "a@example.com", idempotencyKey: $key }) { outcome userErrors { code } } }';
const QUERY = "query ($symbol: String!) { trades(category: SPOT, symbol: $symbol) { price } }";
const GRANTS = { "read:market": "*", "read:account": "*", broker: "*" } as const;

let gateway: GuardedGateway;
beforeEach(async () => {
  gateway = await guardedGateway({ hasRateLimits: true });
  gateway.on(EMAIL, null);
  gateway.on(TRADES, []);
  gateway.on("/api/v3/account/settings", { uid: "42", accountMode: "unified" });
  gateway.on("/api/v2/public/time", { serverTime: String(Date.UTC(2028, 4, 31, 12)) });
});
afterEach(() => gateway.close());

/** Resolves to the codes of the operation's errors, or of the mutation's errors. */
type Ask = (query: string, variables: object) => Promise<string>;

interface Way {
  readonly name: string;
  /** `leave` disconnects without notice. */
  open(url: string, token: string): { readonly ask: Ask; leave(): void };
}

const codesIn = (text: string): string => [...text.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code).join() || "ok";

const overHttp = (name: string, path: string, accept: string): Way => ({
  name,
  open(url, token) {
    const gone = new AbortController();
    return {
      ask: async (query, variables) => {
        const headers = { "content-type": "application/json", accept, authorization: `Bearer ${token}` };
        const body = JSON.stringify({ query, variables });
        const answer = await fetch(`${url}${path}`, { method: "POST", headers, body, signal: gone.signal });
        return codesIn(await answer.text());
      },
      leave: () => gone.abort(),
    };
  },
});

const WAYS: readonly Way[] = [
  overHttp("over HTTP", "/graphql", "application/json"),
  overHttp("as an event stream", "/graphql/stream", "text/event-stream"),
  {
    name: "over a WebSocket",
    open(url, token) {
      const client = createClient({
        url: `${url.replace("http", "ws")}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        lazyCloseTimeout: 10_000,
        connectionParams: { authorization: `Bearer ${token}` },
      });
      return {
        ask: (query, variables) =>
          new Promise((resolve, reject) => {
            client.subscribe(
              { query, variables: { ...variables } },
              { next: (result) => resolve(codesIn(JSON.stringify(result))), error: reject, complete: () => undefined },
            );
          }),
        leave: () => client.terminate(),
      };
    },
  },
];

const KINDS = [
  { kind: "writes", query: MUTATION, path: EMAIL, atOnce: 10, variables: (at: number) => ({ key: `key ${at}` }) },
  {
    kind: "reads",
    query: QUERY,
    path: TRADES,
    atOnce: 20,
    variables: (at: number) => ({ symbol: `S${at}USDT` }),
  },
] as const;

const calls = (path: string): number => gateway.paths().filter((one) => one === path).length;
const end = (asked: Promise<string>): Promise<string> => asked.catch(() => "cut off");

describe.each(WAYS)("a queued operation, sent $name,", ({ open }) => {
  it.each(KINDS)("is not sent once its token is revoked: $kind", async ({ query, path, atOnce, variables }) => {
    const asking = open(gateway.url, await gateway.token("trader", GRANTS));
    const asked = Array.from({ length: atOnce + 3 }, (_, at) => end(asking.ask(query, variables(at))));
    await eventually(() => gateway.waiting() === 3 && calls(path) === atOnce);
    await gateway.revoke("trader");
    await eventually(() => gateway.waiting() === 0);
    for (let second = 0; second < 5; second++) {
      gateway.advance(1_000);
      await settled();
    }
    expect(calls(path)).toBe(atOnce);
    const ends = await Promise.all(asked);
    expect(ends.filter((one) => one === "UNAUTHENTICATED" || one === "cut off").length).toBeGreaterThanOrEqual(3);
    asking.leave();
  });

  it.each(KINDS)("is not sent once its client has gone: $kind", async ({ query, path, atOnce, variables }) => {
    const token = await gateway.token("trader", GRANTS);
    const asking = open(gateway.url, token);
    const asked = Array.from({ length: atOnce + 3 }, (_, at) => end(asking.ask(query, variables(at))));
    await eventually(() => gateway.waiting() === 3);
    // The same query from a client that stays connected.
    const other = open(gateway.url, token);
    const stays = other.ask(query, variables(atOnce));
    await settled();
    asking.leave();
    await eventually(() => gateway.waiting() === 1);
    gateway.advance(1_100);
    await eventually(() => calls(path) === atOnce + 1);
    expect(await stays).toBe("ok");
    gateway.advance(5_000);
    await settled();
    expect(calls(path)).toBe(atOnce + 1);
    other.leave();
    void asked;
  });
});

it("what only takes risk away is sent although its client has gone, and not once its token is revoked", async () => {
  const cancel =
    'mutation ($id: String!) { cancelOrder(input: { account: "main", category: SPOT, symbol: "BTCUSDT", by: { orderId: $id } }) { outcome } }';
  const path = "/api/v3/trade/cancel-order";
  gateway.on("/api/v3/account/settings", { uid: "1", accountMode: "unified", symbolConfigList: [], coinConfigList: [] });
  gateway.on(path, { orderId: "1", clientOid: "1" });
  const [way] = WAYS;
  const asking = way?.open(gateway.url, await gateway.token("trader", { trade: "*" }));
  const revoked = way?.open(gateway.url, await gateway.token("revoked", { trade: "*" }));
  for (let at = 0; at < 12; at++) for (const each of [asking, revoked]) void each?.ask(cancel, { id: `${at}1` }).catch(() => "");

  await eventually(() => gateway.waiting() === 14);
  const sent = calls(path);
  asking?.leave();
  await settled();
  expect(gateway.waiting()).toBe(14);
  await gateway.revoke("revoked");
  await eventually(() => gateway.waiting() < 14);
  const left = gateway.waiting();
  for (let second = 0; second < 5; second++) {
    gateway.advance(1_100);
    await settled();
  }
  await eventually(() => calls(path) === sent + left);
  expect(left).toBeGreaterThan(3);
});

it("a query over a socket is let go of as soon as its client ends it, with what waits for it", async () => {
  const token = await gateway.token("trader", GRANTS);
  const client = createClient({
    url: `${gateway.url.replace("http", "ws")}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { authorization: `Bearer ${token}` },
  });
  const ended: number[] = [];
  const ends = Array.from({ length: 24 }, (_, at) =>
    client.subscribe(
      { query: QUERY, variables: { symbol: `S${at}USDT` } },
      { next: () => undefined, error: () => undefined, complete: () => ended.push(at) },
    ),
  );
  await eventually(() => gateway.waiting() === 4);
  ends[20]?.();
  await eventually(() => gateway.waiting() === 3);
  ends[21]?.();
  await eventually(() => gateway.waiting() === 2);
  gateway.advance(1_100);
  await eventually(() => ended.length === 24);
  expect(calls(TRADES)).toBe(22);
  await client.dispose();
});

describe("a queued operation, sent with a JWT without other tokens,", () => {
  const clock = new ManualClock(Date.UTC(2028, 4, 31, 12));
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "queued-"));
    path = join(folder, "keys.json");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([
    ["has expired", async () => clock.advance(331_000)],
    [
      "has lost its key",
      async () => {
        writeFileSync(path, JSON.stringify((await jwtIssuer(() => clock.now(), "ES256", "second")).keySet), { mode: 0o600 });
        clock.advance(2_000);
      },
    ],
  ])("is not sent once the token %s", async (_, end) => {
    const issuer = await jwtIssuer(() => clock.now());
    writeFileSync(path, JSON.stringify(issuer.keySet), { mode: 0o600 });
    const keys = { kind: "file", path } as const;
    const guarded = await guardedGateway({
      hasRateLimits: true,
      tokensPath: undefined,
      jwt: { keys, issuer: ISSUER, audience: AUDIENCE, clockToleranceMs: 30_000, accountsClaim: "accounts" },
      tokenClock: clock,
    });
    guarded.on(TRADES, []);
    const headers = { "content-type": "application/json", authorization: `Bearer ${await issuer.sign({})}` };
    const asked = Array.from({ length: 23 }, async (_, at) => {
      const body = JSON.stringify({ query: QUERY, variables: { symbol: `S${at}USDT` } });
      return codesIn(await (await fetch(`${guarded.url}/graphql`, { method: "POST", headers, body })).text());
    });
    const sent = () => guarded.paths().filter((one) => one === TRADES).length;
    await eventually(() => guarded.waiting() === 3 && sent() === 20);
    await end();
    await eventually(() => guarded.waiting() === 0);
    guarded.advance(5_000);
    await settled();
    expect(sent()).toBe(20);
    expect((await Promise.all(asked)).filter((codes) => codes === "UNAUTHENTICATED")).toHaveLength(3);
    await guarded.close();
  });
});
