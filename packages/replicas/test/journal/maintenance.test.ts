import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@exchange-graph/contract/clock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SqliteJournal } from "../../../../src/datasources/writes/journal/sqlite/sqliteJournal.js";
import { accepted, entry } from "../../../../test/datasources/writes/journal/contract.js";
import { describeUnless } from "../../../../test/support/missing.js";
import { addressOf, noPostgres, type Postgres, startPostgres } from "../../../../test/support/postgres.js";
import { Database } from "../../src/database/database.js";
import { backUpDatabase, checkDatabase, restoreDatabase } from "../../src/journal/maintenance.js";
import { PostgresJournal } from "../../src/journal/postgresJournal.js";

describeUnless(noPostgres(), "npm run journal, of a database", () => {
  const folder = mkdtempSync(join(tmpdir(), "maintenance-"));
  let postgres: Postgres;
  const opened: Database[] = [];
  const open = async () => {
    const database = await Database.open({
      address: addressOf(await postgres.create()),
      name: "maintenance",
      clock: systemClock,
    });
    opened.push(database);
    return database;
  };
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await postgres.close();
    rmSync(folder, { recursive: true });
  });
  const journalOf = (database: Database) => new PostgresJournal({ database, realm: "live", owner: "one", clock: systemClock });
  const charge = { coin: "BTC", qty: "0.5", value: "30000", stays: true, isNew: true };
  const sentAt = Date.UTC(2026, 0, 5, 12);

  it("copies all of it into a file, from which a gateway without a database goes on, and puts back what another lacks", async () => {
    const database = await open();
    const journal = journalOf(database);
    const first = await journal.record(entry("a", { charge, sentAt }));
    await journal.settle(accepted(first));
    await journal.record(entry("open", { charge, sentAt }));
    await journal.remember("digest", "main");
    const file = join(folder, "backup.sqlite");
    const counted = [
      { realm: "live", state: "ACCEPTED", count: 1 },
      { realm: "live", state: "SENT", count: 1 },
    ];
    expect(await checkDatabase(database)).toMatchObject({ entries: counted, owners: 1, problems: [] });
    expect(await backUpDatabase(database, file, systemClock.now())).toMatchObject({ entries: counted, problems: [] });
    await expect(backUpDatabase(database, file, systemClock.now())).rejects.toThrow("exists already");

    const other = await open();
    await journalOf(other).record(entry("a", { sentAt }));
    expect(await restoreDatabase(other, file, systemClock.now())).toBe(1);
    expect(await restoreDatabase(other, file, systemClock.now())).toBe(0);
    expect((await checkDatabase(other)).problems).toEqual([]);
    const heir = journalOf(other);
    expect((await heir.claim()).taken.map(({ key }) => key)).toContain("open");
    expect(await heir.find("main", "open")).toMatchObject(entry("open", { charge, sentAt }));
    expect(await heir.userOf("digest")).toBe("main");
    const used = await heir.dayFigures(Math.floor(sentAt / 86_400_000), [{ kind: "account", whose: "main" }]);
    expect(used({ kind: "account", whose: "main" }, "BTC")).toEqual({ qty: "0.5", value: "30000" });

    const alone = new SqliteJournal({ path: file, realm: "live", clock: systemClock });
    expect(await alone.find("main", "a")).toEqual(accepted(first));
    expect((await alone.claim()).taken.map(({ key }) => key)).toEqual(["open"]);
    await alone.close();
  });

  it("leaves no file where the database fails on the way: a part of a journal would pass for all of it", async () => {
    const database = await open();
    await journalOf(database).record(entry("a", { charge, sentAt }));
    await database.query("DROP TABLE exchange_graph.users");
    const file = join(folder, "part.sqlite");
    await expect(backUpDatabase(database, file, systemClock.now())).rejects.toThrow("42P01");
    expect(readdirSync(folder).filter((name) => name.startsWith("part"))).toEqual([]);
  });

  it("says where the figures of the day are not those of its entries", async () => {
    const database = await open();
    await journalOf(database).record(entry("a", { charge, sentAt }));
    await database.query("UPDATE exchange_graph.day_figures SET used = used + 1 WHERE unit = ''");
    expect((await checkDatabase(database)).problems).toEqual(["2 figures of the last day differ from what its entries say"]);
  });
});
