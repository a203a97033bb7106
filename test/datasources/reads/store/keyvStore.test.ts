import { EventEmitter } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Clock, ManualClock, systemClock } from "@exchange-graph/contract/clock";
import type { KeyvStoreAdapter } from "keyv";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Secret } from "../../../../src/datasources/index.js";
import type { ExternalStore } from "../../../../src/datasources/reads/store/externalStore.js";
import { KeyvStore } from "../../../../src/datasources/reads/store/keyvStore.js";
import { openExternalStore } from "../../../../src/datasources/reads/store/openExternalStore.js";
import { eventually, settled } from "../../../support/eventually.js";
import { noPostgres, type Postgres, startPostgres } from "../../../support/postgres.js";
import { noRedis, type RedisServer, redisServer } from "../../../support/redisServer.js";

const DAY_MS = 86_400_000;

/** A storage adapter whose calls are answered by `answer`. */
class ScriptedAdapter extends EventEmitter implements KeyvStoreAdapter {
  readonly opts = {};
  calls = 0;
  answer: () => Promise<unknown> = async () => undefined;

  async get<Value>(): Promise<Value> {
    this.calls++;
    return (await this.answer()) as Value;
  }

  set(): Promise<unknown> {
    this.calls++;
    return this.answer();
  }

  async delete(): Promise<boolean> {
    return true;
  }

  async clear(): Promise<void> {
    // Nothing is stored.
  }
}

const never = () => new Promise<never>(() => undefined);

describe("a store that does not answer", () => {
  const clock = new ManualClock(Date.UTC(2028, 0, 1));
  const adapter = new ScriptedAdapter();
  const store = new KeyvStore(() => adapter, clock, String);

  it("costs 25 ms once, and nothing waits for it until it answers again", async () => {
    adapter.answer = never;
    const first = store.get("reference", "a");
    clock.advance(24);
    await settled(5);
    expect(store.trouble).toBeUndefined();
    clock.advance(1);
    expect(await first).toBeUndefined();
    expect(store.trouble).toContain("no answer within 25 ms");
    for (let times = 0; times < 3; times++) expect(await store.get("reference", "a")).toBeUndefined();
    store.set("reference", "a", "text", 1_000);
    expect(adapter.calls).toBe(1);
    // The next attempt is made in the background.
    clock.advance(1_000);
    adapter.answer = async () => JSON.stringify({ value: "text" });
    expect(await store.get("reference", "a")).toBeUndefined();
    await eventually(() => store.trouble === undefined);
    expect(await store.get("reference", "a")).toBe("text");
  });

  it("counts as unusable when it is full too", async () => {
    adapter.answer = async () => {
      throw new Error("OOM command not allowed when used memory > 'maxmemory'");
    };
    store.set("reference", "a", "text", 1_000);
    await eventually(() => store.trouble?.includes("OOM") === true);
    expect(await store.get("reference", "a")).toBeUndefined();
  });
});

it("a store that has answered while this process was busy is used", async () => {
  const adapter = new ScriptedAdapter();
  const store = new KeyvStore(() => adapter, systemClock, String);
  adapter.answer = async () => {
    await stat(".");
    return JSON.stringify({ value: "text" });
  };
  const reading = store.get("documents", "a");
  while (adapter.calls === 0) await Promise.resolve();
  const until = performance.now() + 100;
  while (performance.now() < until);
  expect(await reading).toBe("text");
  expect(store.trouble).toBeUndefined();
});

it.each([5, null, true, { text: "text" }, ["text"]])("an entry that is no text counts as missing: %j", async (value) => {
  const adapter = new ScriptedAdapter();
  const store = new KeyvStore(() => adapter, systemClock, String);
  adapter.answer = async () => JSON.stringify({ value });
  expect(await store.get("documents", "a")).toBeUndefined();
  expect(store.trouble).toBeUndefined();
});

let folder: string;
let redis: RedisServer | undefined;
let postgres: Postgres | undefined;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "far-store-"));
  redis = noRedis === undefined ? await redisServer() : undefined;
  postgres = noPostgres() === undefined ? await startPostgres() : undefined;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await redis?.close();
  await postgres?.close();
});

const open: ExternalStore[] = [];
afterEach(async () => {
  for (const store of open.splice(0)) await store.close();
});
const opened = async (address: string, clock: Clock = systemClock): Promise<ExternalStore> => {
  const store = await openExternalStore(new Secret(address), clock);
  open.push(store);
  return store;
};

describe.each([
  ["SQLite", async () => pathToFileURL(join(folder, "cache.sqlite")).href, undefined],
  ["Redis", async () => redis?.url ?? "", noRedis],
  ["PostgreSQL", async () => (await postgres?.create()) ?? "", noPostgres()],
] as const)("%s", (_, addressOf, missing) => {
  it.skipIf(missing !== undefined)(
    "keeps texts for the next process, one namespace apart from the other, until their time",
    async () => {
      const address = await addressOf();
      // Its time does not pass: however busy the machine is, the store is waited for.
      const clock = new ManualClock(Date.now());
      const first = await opened(address, clock);
      expect(await first.get("reference", "key")).toBeUndefined();
      first.set("reference", "key", 'text "Ä"', DAY_MS);
      first.set("documents", "key", "another", DAY_MS);
      first.set("reference", "short", "text", 1);
      const second = await opened(address, clock);
      await expect.poll(() => second.get("reference", "key")).toBe('text "Ä"');
      await expect.poll(() => second.get("documents", "key")).toBe("another");
      await expect.poll(() => second.get("reference", "short")).toBeUndefined();
      first.set("reference", "key", "newer", DAY_MS);
      await expect.poll(() => second.get("reference", "key")).toBe("newer");
      expect([first.trouble, second.trouble]).toEqual([undefined, undefined]);
    },
  );
});

it("a SQLite file is private to its owner, with what belongs to it", async () => {
  const store = await opened(pathToFileURL(join(folder, "private.sqlite")).href);
  store.set("reference", "key", "text", DAY_MS);
  await expect.poll(() => store.get("reference", "key")).toBe("text");
  const files = readdirSync(folder).filter((name) => name.startsWith("private."));
  expect(files).toContain("private.sqlite-wal");
  for (const name of files) expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
});

it.skipIf(noPostgres() !== undefined)(
  "a PostgreSQL that ends while nothing waits for it ends nothing else, and is used again when it is back",
  async () => {
    if (postgres === undefined) throw new Error("there is no server");
    const uncaught: unknown[] = [];
    const note = (error: unknown) => uncaught.push(error);
    process.on("uncaughtExceptionMonitor", note);
    const store = await opened(await postgres.create());
    store.set("reference", "key", "text", DAY_MS);
    await expect.poll(() => store.get("reference", "key")).toBe("text");
    await postgres.kill();
    await expect.poll(async () => [await store.get("reference", "key"), store.trouble !== undefined]).toEqual([undefined, true]);
    await postgres.start();
    const again = async () => {
      store.set("reference", "key", "newer", DAY_MS);
      return store.get("reference", "key");
    };
    await expect.poll(again, { timeout: 20_000 }).toBe("newer");
    process.off("uncaughtExceptionMonitor", note);
    expect(uncaught).toEqual([]);
  },
  40_000,
);

describe("an address at which nothing usable is", () => {
  /** Accepts connections and never says anything. */
  let silent: Server;
  let port: number;
  beforeAll(async () => {
    silent = createServer(() => undefined);
    await new Promise<void>((listening) => silent.listen(0, "127.0.0.1", listening));
    const address = silent.address();
    port = typeof address === "object" && address !== null ? address.port : 0;
  });
  afterAll(() => silent.close());

  it.each([
    ["a silent Redis", () => `redis://gate:p4ssw0rd@127.0.0.1:${port}`],
    ["no Redis", () => "redis://gate:p4ssw0rd@127.0.0.1:1"],
    ["a silent PostgreSQL", () => `postgres://gate:p4ssw0rd@127.0.0.1:${port}/eg`],
    ["no PostgreSQL", () => "postgres://gate:p4ssw0rd@127.0.0.1:1/eg"],
    ["a file that is no database", () => pathToFileURL(join(folder, "text")).href],
  ])("%s fails nothing, is named, and shows no password", async (_name, address) => {
    writeFileSync(join(folder, "text"), "no database, but long enough to have a header".repeat(50));
    const store = await opened(address());
    store.set("reference", "key", "text", DAY_MS);
    expect(await store.get("reference", "key")).toBeUndefined();
    await eventually(() => store.trouble !== undefined);
    expect(store.trouble).not.toMatch(/p4ssw0rd/);
    expect(await store.get("documents", "key")).toBeUndefined();
  });

  it("is told by the error of its connection, where calls only wait for it", async () => {
    const store = await opened("redis://gate:p4ssw0rd@127.0.0.1:1");
    expect(await store.get("reference", "key")).toBeUndefined();
    expect(store.trouble).toContain("ECONNREFUSED");
  });

  it("is waited for at the start, for a second at most", async () => {
    const clock = new ManualClock(Date.UTC(2028, 0, 1));
    let isOpen = false;
    const address = new Secret(`redis://gate:p4ssw0rd@127.0.0.1:${port}`);
    const opening = openExternalStore(address, clock).finally(() => {
      isOpen = true;
    });
    await eventually(() => clock.idleUntil === clock.now() + 1_000);
    clock.advance(999);
    await settled();
    expect(isOpen).toBe(false);
    clock.advance(1);
    const store = await opening;
    expect(store.trouble).toBe("no answer within 1000 ms");
    const closing = store.close();
    clock.advance(1_000);
    await closing;
  });

  it.each([
    ["n", "no answer within 1000 ms"],
    ["1000", "no answer within (password) ms"],
    ["a%20%2B", "no answer within 1000 ms"],
  ])("has a reason that can be read where the password is short: %s", async (password, reason) => {
    const store = await opened(`postgres://gate:${password}@127.0.0.1:${port}/eg`);
    expect(await store.get("reference", "key")).toBeUndefined();
    expect(store.trouble).toBe(reason);
  });
});
