import { systemClock } from "@exchange-graph/contract/clock";
import { afterAll, beforeAll } from "vitest";
import { historyStoreContract } from "../../../../test/datasources/history/storeContract.js";
import { describeUnless } from "../../../../test/support/missing.js";
import { addressOf, noPostgres, type Postgres, startPostgres } from "../../../../test/support/postgres.js";
import { Database } from "../../src/database/database.js";
import { databaseHistory } from "../../src/history/databaseHistory.js";

describeUnless(noPostgres(), "the history in a database", () => {
  let postgres: Postgres;
  let url: string;
  const opened: Database[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
    url = await postgres.create();
  });
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await postgres.close();
  });

  historyStoreContract(
    async (clock, realm = "live") => {
      const database = await Database.open({ address: addressOf(url), name: "history", clock });
      opened.push(database);
      return databaseHistory(database)({ clock, realm });
    },
    () => systemClock,
  );
});
