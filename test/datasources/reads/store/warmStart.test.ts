import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ManualClock } from "@exchange-graph/contract/clock";
import { type Sandbox, startSandbox } from "@exchange-graph/sandbox";
import { SANDBOX_CREDENTIALS } from "@exchange-graph/sandbox/credentials";
import { execute, parse } from "graphql";
import Database from "libsql";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { Secret } from "../../../../src/datasources/index.js";
import type { ExternalStore } from "../../../../src/datasources/reads/store/externalStore.js";
import { openExternalStore } from "../../../../src/datasources/reads/store/openExternalStore.js";
import { ANYONE, createContext } from "../../../../src/resolvers/index.js";
import { exchangeOver, sandboxAccount } from "../../../support/exchangeOver.js";
import { graph } from "../../../support/graph.js";
import { noPostgres, type Postgres, startPostgres } from "../../../support/postgres.js";
import { noRedis, type RedisServer, redisServer } from "../../../support/redisServer.js";

const REFERENCE = `{
  instruments(category: USDT_FUTURES) { symbol maxOrderQty }
  spotSymbols { symbol }
  coins { coin chains { chain } }
  discountRates { coin }
  loanTerms { loanCoins { coin } }
  marginPairs { symbol }
  positionTiers(category: USDT_FUTURES, symbol: "BTCUSDT") { tier }
}`;

const accounts = SANDBOX_CREDENTIALS.slice(0, 1).map((credential) => sandboxAccount("main", credential));

let folder: string;
let file: string;
let sandbox: Sandbox;
let clock: ManualClock;
let redis: RedisServer | undefined;
let postgres: Postgres | undefined;
beforeAll(async () => {
  redis = noRedis === undefined ? await redisServer() : undefined;
  postgres = noPostgres() === undefined ? await startPostgres() : undefined;
  folder = mkdtempSync(join(tmpdir(), "warm-start-"));
  file = join(folder, "cache.sqlite");
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await redis?.close();
  await postgres?.close();
});
beforeEach(async () => {
  clock = new ManualClock(Date.UTC(2028, 4, 31, 12));
  sandbox = await startSandbox({ signedQuery: "decoded", clock, enforceLimits: false });
});
afterEach(() => sandbox.close());

/** Starts a data source, runs the document, stops it, and returns the answer with the number of calls to the exchange. */
async function start(externalStore: ExternalStore | undefined, document = REFERENCE) {
  sandbox.calls.clear();
  const exchange = exchangeOver(new URL(sandbox.url), { accounts, externalStore, clock, random: () => 0.5 });
  const { data, errors } = await execute({
    schema: graph,
    document: parse(document),
    contextValue: createContext(exchange, ANYONE),
  });
  const calls = Object.keys(sandbox.calls.counts()).sort();
  await exchange.close();
  return { data: JSON.stringify(data), errors, calls };
}

/** A store that is waited for as long as it takes: its time does not pass. */
const opened = (address: string): Promise<ExternalStore> => openExternalStore(new Secret(address), new ManualClock(clock.now()));
const fileAddress = () => pathToFileURL(file).href;

it.each([
  ["SQLite", async () => fileAddress(), undefined],
  ["Redis", async () => redis?.url ?? "", noRedis],
  ["PostgreSQL", async () => (await postgres?.create()) ?? "", noPostgres()],
] as const)(
  "a second start with a warm store in %s answers the same, and asks the exchange for no reference data",
  async (_, addressOf, missing) => {
    if (missing !== undefined) return;
    const address = await addressOf();
    const store = await opened(address);
    const first = await start(store);
    expect(first.errors).toBeUndefined();
    expect(first.calls).toEqual(
      expect.arrayContaining([
        "coins",
        "discountRates",
        "instruments",
        "loanCoins",
        "marginPairs",
        "positionTiers",
        "spotSymbols",
      ]),
    );
    // Texts are stored without waiting for it.
    await store.get("reference", "last");
    await store.close();
    const warm = await opened(address);
    expect(await start(warm)).toEqual({ ...first, calls: [] });
    // Without the store, and later than the lifetime of the endpoints, they are asked for again.
    expect((await start(undefined)).calls).toEqual(first.calls);
    clock.advance(300_000);
    expect((await start(warm)).calls).toEqual(first.calls);
    await warm.close();
  },
);

it("an entry that cannot be decoded any more counts as missing", async () => {
  const store = await opened(fileAddress());
  const document = "{ discountRates { coin } }";
  const first = await start(store, document);
  const database = new Database(file);
  for (const value of [
    "{",
    '{"value":"{}"}',
    '{"value":"{\\"requestedAt\\":1,\\"body\\":\\"[]\\"}"}',
    `{"value":${JSON.stringify(JSON.stringify({ requestedAt: clock.now(), body: '{"code":"00000","data":[{"x":1}]}' }))}}`,
  ]) {
    database.prepare("UPDATE texts SET value = ?").run(value);
    expect([value, await start(store, document)]).toEqual([value, first]);
  }
  database.close();
  await store.close();
});
