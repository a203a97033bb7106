import { ManualClock, systemClock } from "@exchange-graph/contract/clock";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { NewEntry } from "../../../../src/datasources/writes/journal/journalEntry.js";
import { KeyTaken, LEASE_MS } from "../../../../src/datasources/writes/journal/writeJournal.js";
import { entry } from "../../../../test/datasources/writes/journal/contract.js";
import { describeUnless } from "../../../../test/support/missing.js";
import { addressOf, noPostgres, type Postgres, startPostgres } from "../../../../test/support/postgres.js";
import { Database } from "../../src/database/database.js";
import { MIGRATIONS } from "../../src/database/migrations.js";
import { PostgresJournal } from "../../src/journal/postgresJournal.js";
import { databaseContract } from "../database/contract.js";
import { createWithClock, journalOn } from "./support.js";

describeUnless(noPostgres(), "the journal in PostgreSQL", () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.close());
  const opened: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((close) => close()));
  });

  databaseContract(() => {
    const database = createWithClock(postgres);
    return {
      async open(name) {
        const connections = await Database.open({ address: addressOf(await database), name, clock: systemClock });
        opened.push(() => connections.close());
        return connections;
      },
      setClock: async (connections, now) => void (await connections.query("UPDATE fake.now SET ms = $1", [now])),
    };
  });

  describe("with entries that a later version has written", () => {
    const clock = new ManualClock(1_000_000);
    const line = (key: string): NewEntry => ({
      ...{
        user: "u",
        account: "main",
        who: null,
        mutation: "placeOrder",
        endpoint: "placeOrder",
        key,
        digest: "d",
        clientOid: key,
      },
      ...{ values: {}, sentAt: clock.now(), validUntil: clock.now() + 45_000, traceparent: null },
    });
    const FOREIGN = {
      "an endpoint that this one does not write to": "endpoint = 'placeBasket'",
      "parameters in another form": `"values" = '[1, 2]'`,
      "a charge in another form": `charge = '{"coins":["BTC"]}'`,
      "something that is no JSON": `"values" = 'zstd'`,
    };

    it.each(Object.entries(FOREIGN))("leaves them to it, and settles and shows the others: %s", async (_, change) => {
      const database = createWithClock(postgres);
      const [dead, older, newer] = [
        {},
        { writesTo: (endpoint: string) => endpoint === "placeOrder" },
        { writesTo: () => true },
      ].map((options) => journalOn(database, clock, options));
      if (dead === undefined || older === undefined || newer === undefined) throw new Error("there are three");
      for (const { close } of [older, newer]) opened.push(close);
      await dead.journal.record(line("foreign"));
      await dead.journal.record(line("ours"));
      const url = await database;
      const foreign = `SELECT owner, fence, lease_until, state, "values", charge FROM exchange_graph.writes WHERE key = 'foreign'`;
      await postgres.ask(url, `UPDATE exchange_graph.writes SET ${change} WHERE key = 'foreign'`);
      await dead.close();
      const before = await postgres.ask(url, foreign);
      clock.advance(LEASE_MS + 1);
      for (let round = 0; round < 2; round++) {
        const { taken, held } = await older.journal.claim();
        expect([taken.map(({ key }) => key), held]).toEqual([round === 0 ? ["ours"] : [], []]);
        clock.advance(1_000);
      }
      expect(await postgres.ask(url, foreign)).toEqual(before);
      const ours = (await older.journal.open()).find(({ key }) => key === "ours");
      if (ours === undefined) throw new Error("it is open");
      await older.journal.settle({ ...ours, state: "ACCEPTED", settledAt: clock.now() });
      expect((await older.journal.find("u", "ours"))?.state).toBe("ACCEPTED");
      expect((await older.journal.page("u", undefined, 10)).map(({ key }) => key)).toContain("ours");
      if (change.startsWith("endpoint")) expect((await newer.journal.claim()).taken.map(({ key }) => key)).toEqual(["foreign"]);
      // This version cannot decode the entry, so the same write is not sent again.
      else await expect(older.journal.find("u", "foreign")).rejects.toThrow("later version");
      await expect(older.journal.record(line("foreign"))).rejects.toThrow(KeyTaken);
    });
  });

  describe("of a version before", () => {
    const OLD_COLUMNS = `seq, "user", account, who, mutation, endpoint, key, digest, client_oid, "values", charge, state, reply, problem`;
    const recordOld = (key: string) => `SELECT * FROM exchange_graph.record_write_1('live', 'old one', 6000, 'main', 'desk', NULL,
      'placeOrder', 'placeOrder', '${key}', 'd', '${key}', '{}', NULL, 1000, 46000, '{}', '{}', '{}', '{}', '{}')`;

    it("opens with what is in it, and gateways of both versions go on side by side", async () => {
      const url = await postgres.create();
      await postgres.ask(url, MIGRATIONS[0] ?? "");
      await postgres.ask(url, recordOld("before"));
      const database = await Database.open({ address: addressOf(url), name: "new one", clock: systemClock });
      opened.push(() => database.close());
      const journal = new PostgresJournal({ database, realm: "live", owner: "new one", clock: systemClock });
      opened.push(() => journal.close());
      expect(await journal.find("main", "before")).toMatchObject({ state: "SENT", traceparent: null });
      const ours = await journal.record(entry("ours"));
      await postgres.ask(url, recordOld("theirs"));
      expect((await journal.open()).map(({ key, traceparent }) => [key, traceparent])).toEqual([
        ["before", null],
        ["ours", ours.traceparent],
        ["theirs", null],
      ]);
      // The older one reads what the newer one has left, and takes it over.
      const old = `UPDATE exchange_graph.writes SET owner = 'old one', fence = fence + 1 WHERE key = 'ours' RETURNING ${OLD_COLUMNS}`;
      expect(await postgres.ask(url, old)).toMatchObject([{ key: "ours", state: "SENT" }]);
      const settle = `SELECT exchange_graph.settle_writes_1('old one', '{${ours.seq}}', '{2}', '{ACCEPTED}', '{null}', '{NULL}', '{9}')`;
      await postgres.ask(url, settle);
      expect(await journal.find("main", "ours")).toMatchObject({ state: "ACCEPTED", traceparent: ours.traceparent });
    });
  });
});
