import { z } from "zod";
import { DatabaseUnavailable } from "./databaseErrors.js";
import { MIGRATIONS } from "./migrations.js";
import type { Transact, Transaction } from "./transaction.js";

/** Increases with every migration. */
export const VERSION = MIGRATIONS.length;
/**
 * The oldest version whose gateways can run beside this one. A migration only adds columns with a default, tables, or functions
 * under new names. What an older version needs is removed by a migration of a later release, which raises this number.
 */
const OLDEST = 1;

/** Advisory lock during migrations, so that replicas that start at the same time migrate once. An arbitrary number. */
const MIGRATION_LOCK = 7_264_813_559;

const versions = z.tuple([z.object({ version: z.int(), oldest: z.int() })]);

/**
 * Migrates the tables to this version. A database of a later version is used unchanged if that version allows this one. Throws
 * `DatabaseUnavailable`.
 */
export async function migrate(transact: Transact): Promise<void> {
  await transact(async (transaction) => {
    await transaction.query("SELECT pg_advisory_xact_lock($1)", [MIGRATION_LOCK]);
    const present = await versionOf(transaction);
    if (present.oldest > VERSION) throw tooNew(present.oldest);
    for (const step of MIGRATIONS.slice(present.version)) await transaction.query(step);
    if (present.version >= VERSION) return;
    await transaction.query(`UPDATE exchange_graph.format SET version = ${VERSION}, oldest = ${OLDEST}`);
  });
}

/** Version 0 has no tables. */
async function versionOf(transaction: Transaction): Promise<{ readonly version: number; readonly oldest: number }> {
  const [found] = z
    .array(z.object({ found: z.boolean() }))
    .parse(await transaction.query("SELECT to_regclass('exchange_graph.format') IS NOT NULL AS found"));
  if (found?.found !== true) return { version: 0, oldest: 0 };
  return versions.parse(await transaction.query("SELECT version, oldest FROM exchange_graph.format"))[0];
}

/** The error if the database requires a later version of the gateway. */
export const tooNew = (oldest: number): DatabaseUnavailable =>
  new DatabaseUnavailable(`the database's tables are of version ${oldest} or later, and this gateway knows version ${VERSION}`, {
    mayPass: false,
  });
