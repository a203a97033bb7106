import { journalPathOf } from "../config/config.js";
import { databaseOf } from "../config/databaseSettings.js";
import type { Environment } from "../config/environment.js";
import { backUpHistory, checkHistory, type HistoryCheck, historyPathOf, restoreHistory } from "../datasources/history/index.js";
import { runCommand } from "./runCommand.js";

const USAGE = `npm run history -- check [file]
npm run history -- backup <new file>
npm run history -- restore <backup>`;

function show({ users, points, records, problems, backfills }: HistoryCheck): void {
  process.stdout.write(`${users} users, ${points} points, ${records} records\n`);
  for (const backfill of backfills) process.stdout.write(`${backfill}\n`);
  for (const problem of problems) process.stdout.write(`BROKEN: ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
  else process.stdout.write("whole\n");
}

/** `npm run history`: checks, backs up and restores the history of accounts in its file, also while it is in use. */
function main(variables: Environment["variables"]): void {
  const [command, file] = process.argv.slice(2);
  if (databaseOf(variables) !== undefined && !(command === "check" && file !== undefined))
    throw new Error(
      "the history is in the database of DATABASE_URL: back it up with pg_dump, its tables are exchange_graph.history_*",
    );
  const path = historyPathOf(journalPathOf(variables));
  if (command === "check") show(checkHistory(file ?? path));
  else if (command === "backup" && file !== undefined) show(backUpHistory(path, file));
  else if (command === "restore" && file !== undefined)
    process.stdout.write(`${restoreHistory(path, file)} rows were put back\n`);
  else throw new Error(USAGE);
}

runCommand(main, 2);
