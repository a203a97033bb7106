import type { ManualClock } from "@exchange-graph/contract/clock";
import type { WriteJournal } from "../../../../src/datasources/writes/journal/writeJournal.js";
import { addressOf, type Postgres } from "../../../../test/support/postgres.js";
import { Database } from "../../src/database/database.js";
import { PostgresJournal, type PostgresJournalOptions } from "../../src/journal/postgresJournal.js";

/**
 * Makes a database whose server's time is what was last written down: names are looked up here before they are in PostgreSQL's own
 * catalogue.
 */
export async function createWithClock(postgres: Postgres): Promise<string> {
  const url = await postgres.create();
  const name = new URL(url).pathname.slice(1);
  await postgres.ask(
    url,
    `CREATE SCHEMA fake; CREATE TABLE fake.now (ms float8); INSERT INTO fake.now VALUES (0);
     CREATE FUNCTION fake.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT to_timestamp(ms / 1000) FROM fake.now';
     ALTER DATABASE ${name} SET search_path = fake, pg_catalog, public;`,
  );
  return url;
}

let owners = 0;

/** A journal over its own connections to a database that is being made, whose clock it sets before each call. */
export const journalOn = (database: Promise<string>, clock: ManualClock, options: Partial<PostgresJournalOptions> = {}) =>
  journalOver(
    async (name) => Database.open({ address: addressOf(await database), name, clock }),
    clock,
    options,
    (connections) => connections.query("UPDATE fake.now SET ms = $1", [clock.now()]),
  );

/** A journal over its own connections, which are being opened. `before` runs before each call. */
export function journalOver(
  open: (name: string) => Promise<Database>,
  clock: ManualClock,
  options: Partial<PostgresJournalOptions> = {},
  before: (connections: Database) => Promise<unknown> = async () => undefined,
): { readonly journal: WriteJournal; readonly close: () => Promise<void> } {
  const owner = `owner ${owners++}`;
  const opened = open(owner).then((connections) => ({
    connections,
    journal: new PostgresJournal({ database: connections, realm: "live", owner, clock, ...options }),
  }));
  const journal = new Proxy({} as WriteJournal, {
    get:
      (_, method: keyof WriteJournal) =>
      async (...given: readonly unknown[]) => {
        const { connections, journal: target } = await opened;
        await before(connections);
        return Reflect.apply(target[method] as (...args: readonly unknown[]) => unknown, target, given);
      },
  });
  const close = async () => {
    const { connections, journal: target } = await opened;
    await target.close();
    await connections.close();
  };
  return { journal, close };
}
