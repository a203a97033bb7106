import { ManualClock } from "@exchange-graph/contract/clock";
import { afterEach, describe, expect, it } from "vitest";
import { WatchedFiles } from "../../../src/files/watchedFiles.js";
import { dependenciesOf } from "../../../src/transports/http/dependencies.js";
import { guardedGateway } from "../../access/support/guardedGateway.js";
import { accountNamed, exchangeOver } from "../../support/exchangeOver.js";
import { notReady, readyWith } from "../../support/gateway/ready.js";
import { type TinyGateway, tinyGateway } from "../../support/gateway/tinyGateway.js";
import { scriptedExchange } from "../../support/scriptedExchange.js";

let tiny: TinyGateway;
afterEach(() => tiny.gateway.stop());

const ask = async (path: string) => {
  const response = await fetch(tiny.url + path);
  return [response.status, await response.json()];
};

it("lives without being ready", async () => {
  tiny = await tinyGateway({ readiness: notReady("exchange: it does not answer") });
  for (const path of ["/healthz", "/livez"]) expect(await ask(path)).toEqual([200, { status: "ok" }]);
  const body = { status: "not ready", reason: "exchange: it does not answer" };
  expect(await ask("/readyz")).toEqual([503, body]);
  expect(await ask("/readyz?verbose")).toEqual([503, { ...body, dependencies: [] }]);
});

describe("/readyz?verbose", () => {
  const details = [{ account: "classic", code: "40012", reason: "apikey/password is incorrect" }];
  const readiness = readyWith(
    { name: "exchange", state: "up", since: 0 },
    { name: "keys", state: "degraded", reason: "one key is refused", details, since: 1_000 },
  );
  const exchange = { name: "exchange", state: "up", since: "1970-01-01T00:00:00.000Z" };
  const keys = { name: "keys", state: "degraded", reason: "one key is refused", since: "1970-01-01T00:00:01.000Z" };

  it("lists each dependency with state, reason and since when, which /readyz does not", async () => {
    tiny = await tinyGateway({ readiness });
    expect(await ask("/readyz?verbose")).toEqual([200, { status: "ready", dependencies: [exchange, { ...keys, details }] }]);
    expect(await ask("/readyz")).toEqual([200, { status: "ready" }]);
  });

  it("shows no details to clients without the right to monitor the gateway", async () => {
    tiny = await tinyGateway({ readiness });
    const guarded = await guardedGateway({ readiness });
    try {
      const readyBody = async (token?: string) => {
        const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` };
        return (await fetch(`${guarded.url}/readyz?verbose`, { headers })).json();
      };
      const withoutDetails = { status: "ready", dependencies: [exchange, keys] };
      expect(await readyBody()).toEqual(withoutDetails);
      expect(await readyBody(await guarded.token("trader", { trade: "*" }))).toEqual(withoutDetails);
      expect(await readyBody(await guarded.token("watcher", { admin: "*" }))).toEqual({
        status: "ready",
        dependencies: [exchange, { ...keys, details }],
      });
    } finally {
      await guarded.close();
    }
  });
});

it("the keys are down only when the exchange refuses all of them", async () => {
  tiny = await tinyGateway();
  const wrong = { code: "40012", msg: "apikey/password is incorrect" };
  const upstream = await scriptedExchange();
  const clock = new ManualClock(0);
  const exchange = exchangeOver(upstream.url, { clock });
  const keys = dependenciesOf(exchange, new WatchedFiles(clock), clock).find(({ name }) => name === "keys");
  upstream.on("/api/v3/account/settings", ({ headers }) =>
    headers["access-key"] === "main-key" ? { code: "40084", msg: "classic" } : wrong,
  );
  const refused = (account: string) => ({ account, code: "40012", reason: wrong.msg });
  expect(await keys?.check()).toEqual({
    state: "degraded",
    reason: "the exchange refuses the keys of 1 of 2 accounts",
    details: [refused("classic")],
  });
  upstream.on("/api/v3/account/settings", wrong);
  exchange.directory.replace([accountNamed("main", { isCopyTrader: true }), accountNamed("classic")]);
  expect(await keys?.check()).toEqual({
    state: "down",
    reason: "the exchange refuses the key of every account",
    details: [refused("main"), refused("classic")],
  });
  await exchange.close();
  await upstream.close();
});

it("the clock is degraded while the exchange's is ahead of this machine's", async () => {
  tiny = await tinyGateway();
  const upstream = await scriptedExchange();
  const clock = new ManualClock(Date.UTC(2026, 0, 5));
  const exchange = exchangeOver(upstream.url, { clock });
  const time = dependenciesOf(exchange, new WatchedFiles(clock), clock).find(({ name }) => name === "clock");
  const probe = async (skewMs: number) => {
    upstream.on("/api/v2/public/time", { data: { serverTime: "1" }, requestTime: clock.now() + skewMs });
    await exchange.probe();
    clock.advance(60_000);
    return time?.check();
  };
  expect(await probe(0)).toEqual({ state: "up" });
  expect(await probe(86_400_000)).toEqual({
    state: "degraded",
    reason: "the exchange's clock has jumped ahead by 86400000 ms, or the system clock is behind by as much",
  });
  await exchange.close();
  await upstream.close();
});

it("the keys of JWTs are down until they could be fetched once, and degraded while they cannot be fetched again", async () => {
  tiny = await tinyGateway();
  const upstream = await scriptedExchange();
  const clock = new ManualClock(0);
  const exchange = exchangeOver(upstream.url, { clock });
  let status = { areThere: false, hasFailed: true };
  const files = new WatchedFiles(clock);
  const keys = dependenciesOf(exchange, files, clock, { jwtKeys: async () => status }).find(({ name }) => name === "jwtKeys");
  expect(keys?.isNeeded).toBe(true);
  expect(await keys?.check()).toEqual({ state: "down", reason: "the keys of JWTs cannot be fetched: every JWT is refused" });
  status = { areThere: true, hasFailed: false };
  expect(await keys?.check()).toEqual({ state: "up" });
  status = { areThere: true, hasFailed: true };
  expect(await keys?.check()).toEqual({
    state: "degraded",
    reason: "the keys of JWTs cannot be fetched: the former ones are used",
  });
  await exchange.close();
  await upstream.close();
});
