import { closeSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";

/** The part of an SQLite database that is used here. */
interface Source {
  exec(sql: string): unknown;
}

/**
 * Copies an SQLite database, which may be in use, as of the start of the copy. The copy is a file for its owner alone, and is there as
 * a whole or not at all. Throws an `Error` that names the target.
 */
export function copyDatabase(database: Source, target: string): void {
  const draft = `${target}.new`;
  const removeDraft = () => {
    for (const ending of ["", "-journal"]) rmSync(`${draft}${ending}`, { force: true });
  };
  removeDraft();
  try {
    // SQLite writes into an empty file too, and leaves its rights as they are.
    closeSync(openSync(draft, "wx", 0o600));
    database.exec(`VACUUM INTO '${draft.replaceAll("'", "''")}'`);
    const copy = openSync(draft, "r+");
    fsyncSync(copy);
    closeSync(copy);
    renameSync(draft, target);
  } catch (error) {
    throw new Error(`it cannot be copied to ${target}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  } finally {
    removeDraft();
  }
}
