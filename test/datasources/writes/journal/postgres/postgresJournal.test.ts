import { afterAll, afterEach, beforeAll } from "vitest";
import { describeUnless } from "../../../../support/missing.js";
import { noPostgres, type Postgres, startPostgres } from "../../../../support/postgres.js";
import { journalContract } from "../contract.js";
import { BY_HAND, createWithClock, journalOn } from "./support.js";

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

  journalContract(() => {
    const database = createWithClock(postgres, BY_HAND);
    return (clock) => {
      const { journal, close } = journalOn(database, clock);
      opened.push(close);
      return journal;
    };
  });
});
