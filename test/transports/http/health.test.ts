import { ManualClock } from "@exchange-graph/contract/clock";
import { afterEach, describe, expect, it } from "vitest";
import { WatchedFiles } from "../../../src/files/watchedFiles.js";
import { type Readiness, readinessOf } from "../../../src/transports/http/health.js";
import { guardedGateway } from "../../access/support/guardedGateway.js";
import { accountNamed, exchangeOver } from "../../support/exchangeOver.js";
import { type TinyGateway, tinyGateway } from "../../support/gateway/tinyGateway.js";
import { scriptedExchange } from "../../support/scriptedExchange.js";

let tiny: TinyGateway;
afterEach(() => tiny.gateway.stop());

const ask = async (path: string) => {
  const response = await fetch(tiny.url + path);
  return [response.status, await response.json()];
};

it("lives without being ready", async () => {
  tiny = await tinyGateway({ readiness: async () => ({ ready: false, reason: "the exchange does not answer" }) });
  expect(await ask("/healthz")).toEqual([200, { status: "ok" }]);
  expect(await ask("/readyz")).toEqual([503, { status: "not ready", reason: "the exchange does not answer" }]);
});

it("is ready when the check says so, which is repeated for each request", async () => {
  const states: Readiness[] = [{ ready: false, reason: "not yet" }, { ready: true }];
  tiny = await tinyGateway({ readiness: async () => states.shift() ?? { ready: false, reason: "no more states" } });
  expect(await ask("/readyz")).toEqual([503, { status: "not ready", reason: "not yet" }]);
  expect(await ask("/readyz")).toEqual([200, { status: "ready" }]);
});

it("is not ready when the check does not come back", async () => {
  const clock = new ManualClock(0);
  tiny = await tinyGateway({
    clock,
    readiness: () => {
      queueMicrotask(() => clock.advance(2_000));
      return new Promise<Readiness>(() => undefined);
    },
  });
  expect(await ask("/readyz")).toEqual([503, { status: "not ready", reason: "the readiness check took longer than 2000 ms" }]);
  expect(clock.pending).toBe(0);
});

it("is not ready, and says nothing of why, when the check itself fails", async () => {
  tiny = await tinyGateway({ readiness: () => Promise.reject(new Error("internal-detail")) });
  const [status, body] = await ask("/readyz");
  expect(status).toBe(500);
  expect(JSON.stringify(body)).not.toContain("internal-detail");
  expect(tiny.lines.join()).toContain("internal-detail");
});

describe("a problem that does not stop the gateway", () => {
  const refusedKeys = [{ account: "classic", code: "40012", reason: "apikey/password is incorrect" }];
  const readiness = async (): Promise<Readiness> => ({
    ready: true,
    troubles: { refusedKeys, unusableFiles: ["CLIENTS_FILE"] },
  });

  it("is part of the response, and omitted otherwise", async () => {
    tiny = await tinyGateway({ readiness });
    expect(await ask("/readyz")).toEqual([200, { status: "ready", refusedKeys, unusableFiles: ["CLIENTS_FILE"] }]);
  });

  it("names no account to clients without the right to monitor the gateway", async () => {
    tiny = await tinyGateway({ readiness });
    const guarded = await guardedGateway({ readiness });
    try {
      const readyBody = async (token?: string) => {
        const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` };
        return (await fetch(`${guarded.url}/readyz`, { headers })).json();
      };
      const unusableFiles = ["CLIENTS_FILE"];
      expect(await readyBody()).toEqual({ status: "ready", refusedKeys: 1, unusableFiles });
      expect(await readyBody(await guarded.token("trader", { trade: "*" }))).toEqual({
        status: "ready",
        refusedKeys: 1,
        unusableFiles,
      });
      expect(await readyBody(await guarded.token("watcher", { admin: "*" }))).toEqual({
        status: "ready",
        refusedKeys,
        unusableFiles,
      });
    } finally {
      await guarded.close();
    }
  });
});

describe("an exchange that refuses keys", () => {
  const files = new WatchedFiles(new ManualClock(0));
  const wrong = { code: "40012", msg: "apikey/password is incorrect" };

  it("makes the gateway unready only when it refuses all of them", async () => {
    tiny = await tinyGateway();
    const upstream = await scriptedExchange();
    const clock = new ManualClock(0);
    const exchange = exchangeOver(upstream.url, { clock });
    const readiness = readinessOf(exchange, files, clock);
    upstream.on("/api/v2/public/time", { data: { serverTime: "0" } });
    upstream.on("/api/v3/account/settings", ({ headers }) =>
      headers["access-key"] === "main-key" ? { code: "40084", msg: "classic" } : wrong,
    );
    const refused = (account: string) => ({ account, code: "40012", reason: wrong.msg });
    expect(await readiness()).toEqual({ ready: true, troubles: { refusedKeys: [refused("classic")], unusableFiles: [] } });
    upstream.on("/api/v3/account/settings", wrong);
    exchange.directory.replace([accountNamed("main", { isCopyTrader: true }), accountNamed("classic")]);
    expect(await readiness()).toEqual({
      ready: false,
      reason: "the exchange refuses the key of every account",
      troubles: { refusedKeys: [refused("main"), refused("classic")], unusableFiles: [] },
    });
    await exchange.close();
    await upstream.close();
  });
});
