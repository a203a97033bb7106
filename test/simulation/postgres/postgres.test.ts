import { ManualClock } from "@exchange-graph/contract/clock";
import { describe, expect, it } from "vitest";
import { Database } from "../../../packages/replicas/src/database/database.js";
import { PostgresJournal } from "../../../packages/replicas/src/journal/postgresJournal.js";
import { databaseContract } from "../../../packages/replicas/test/database/contract.js";
import { entry } from "../../datasources/writes/journal/contract.js";
import { addressOf } from "../../support/postgres.js";
import { simulatedDriver } from "./driver.js";
import { PostgresServer } from "./server.js";

const address = addressOf("postgres://simulated@localhost:5432/journal");

/** Opens a process's connections, over a line without a delay. */
const opened = (server: PostgresServer, name: string, clock: ManualClock, options?: string): Promise<Database> =>
  Database.open({
    ...{ address, name, clock },
    driver: (settings, verify) => driverTo(server, clock)(options === undefined ? settings : { ...settings, options }, verify),
  });

const driverTo = (server: PostgresServer, clock: ManualClock) =>
  simulatedDriver({
    ...{ server, clock, whenKilled: () => undefined },
    pipe: () => ({ out: queueMicrotask, back: queueMicrotask }),
  });

describe("the simulation's PostgreSQL", () => {
  databaseContract((clock) => {
    const server = new PostgresServer(clock);
    return { open: (name) => opened(server, name, clock), setClock: async () => undefined };
  });

  const START = 1_767_225_600_000;

  it.each([
    ["keeps what was recorded", undefined, "SENT"],
    ["may lose what was recorded without synchronous_commit", "", undefined],
  ])("%s when it is killed", async (_, options, state) => {
    const clock = new ManualClock(START);
    const server = new PostgresServer(clock);
    const first = await opened(server, "a", clock, options);
    const journal = new PostgresJournal({ database: first, realm: "live", owner: "a", clock });
    await journal.record(entry("a"));
    server.kill();
    server.start();
    const second = await opened(server, "b", clock);
    const found = await new PostgresJournal({ database: second, realm: "live", owner: "b", clock }).find("main", "a");
    expect(found?.state).toBe(state);
  });

  it("refuses connections above its maximum, and writes on a full disk", async () => {
    const clock = new ManualClock(START);
    const server = new PostgresServer(clock);
    const database = await opened(server, "a", clock);
    const journal = new PostgresJournal({ database, realm: "live", owner: "a", clock });
    server.isDiskFull = true;
    await expect(journal.record(entry("a"))).rejects.toThrow("53100");
    server.isDiskFull = false;
    await journal.record(entry("b"));
    server.connections = server.sessions.size;
    const settings = {
      max: 1,
      connectionTimeoutMillis: 1_000,
      query_timeout: 1_000,
      statement_timeout: 1_000,
      lock_timeout: 1_000,
    };
    const more = { idle_in_transaction_session_timeout: 1_000, application_name: "", options: "" };
    const { pool } = await driverTo(server, clock)({ ...settings, ...more }, async () => undefined);
    await expect(pool.connect()).rejects.toMatchObject({ code: "53300" });
  });
});
