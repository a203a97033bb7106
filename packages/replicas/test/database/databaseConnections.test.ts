import { systemClock } from "@exchange-graph/contract/clock";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { entry } from "../../../../test/datasources/writes/journal/contract.js";
import { describeUnless } from "../../../../test/support/missing.js";
import { addressOf, noPostgres, type Postgres, startPostgres } from "../../../../test/support/postgres.js";
import { Database } from "../../src/database/database.js";
import { PostgresJournal } from "../../src/journal/postgresJournal.js";

describeUnless(noPostgres(), "the connections of a replica to PostgreSQL", () => {
  let postgres: Postgres;
  let roles = 0;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.close());

  /** A database whose user may have `most` connections. */
  async function limitedTo(most: number) {
    const url = new URL(await postgres.create());
    const role = `replica${roles++}`;
    await postgres.ask(
      url.href,
      `CREATE ROLE ${role} LOGIN CONNECTION LIMIT ${most}; ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${role}`,
    );
    const admin = url.href;
    url.username = role;
    const open = async () => {
      const database = await Database.open({ address: addressOf(url.href), name: role, clock: systemClock });
      onTestFinished(() => database.close());
      return database;
    };
    const count = async () =>
      (await postgres.ask(admin, `SELECT count(*)::int AS open FROM pg_stat_activity WHERE usename = '${role}'`))[0];
    return { open, count, admin, role };
  }

  /** Listens, and resolves when it does. */
  const listening = (database: Database) =>
    new Promise<void>((resolve) => {
      onTestFinished(database.announcements.on("settled", () => resolve()));
    });

  it.each([2, 3])("record 60 orders at once with only %i connections at the server", async (most) => {
    const database = await (await limitedTo(most)).open();
    await listening(database);
    const journal = new PostgresJournal({ database, realm: "live", owner: "replica", clock: systemClock });
    onTestFinished(() => journal.close());

    const recorded = await Promise.allSettled(Array.from({ length: 60 }, (_, at) => journal.record(entry(`key ${at}`))));

    expect(recorded.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(await journal.page("main", undefined, 100)).toHaveLength(60);
  });

  it("are at most five, however many statements run", async () => {
    const { open, count } = await limitedTo(40);
    const database = await open();
    await listening(database);
    const running = Promise.all(Array.from({ length: 60 }, () => database.query("SELECT pg_sleep(0.02)")));
    await expect.poll(count, { timeout: 10_000 }).toEqual({ open: 5 });
    await running;
    expect(await count()).toEqual({ open: 5 });
  });

  it("are asked for again when the server has a free one, and a statement that gets none in time says so", async () => {
    const { open, admin, role } = await limitedTo(1);
    const database = await open();
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`;
    await postgres.ask(admin, `${end}; ALTER ROLE ${role} CONNECTION LIMIT 0`);
    // The first statement may still be sent over the connection that has ended.
    await vi.waitFor(() => expect(database.query("SELECT 1")).rejects.toThrow(/connections left \(53300\)/), { timeout: 10_000 });
    const waiting = database.query("SELECT 1 AS one");
    await postgres.ask(admin, `ALTER ROLE ${role} CONNECTION LIMIT 1`);
    expect(await waiting).toEqual([{ one: 1 }]);
  });
});
