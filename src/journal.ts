import { parseArgs } from "node:util";
import { systemClock } from "@exchange-graph/contract/clock";
import { journalPathOf } from "./config/config.js";
import { readEnvironment } from "./config/environment.js";
import {
  backUpJournal,
  checkJournal,
  type JournalCheck,
  restoreJournal,
} from "./datasources/writes/journal/sqlite/maintenance.js";

const USAGE = `npm run journal -- check [file]
npm run journal -- backup <new file>
npm run journal -- restore <backup> [--replace]`;

function show({ version, entries, owners, problems }: JournalCheck): void {
  process.stdout.write(`version ${version}, in use by ${owners}\n`);
  for (const { realm, state, count } of entries) process.stdout.write(`${realm} ${state}: ${count}\n`);
  for (const problem of problems) process.stdout.write(`BROKEN: ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
  else process.stdout.write("whole\n");
}

/** `npm run journal`: checks, copies and restores the journal of writes while it is in use. */
function main(): void {
  const { values, positionals } = parseArgs({
    options: { replace: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const [command, file] = positionals;
  // biome-ignore lint/style/noProcessEnv: a command of its own, which reads its environment once
  const path = journalPathOf(readEnvironment(process.env).variables);
  const now = systemClock.now();
  if (command === "check") show(checkJournal(file ?? path, now));
  else if (command === "backup" && file !== undefined) show(backUpJournal(path, file, now));
  else if (command === "restore" && file !== undefined) {
    const { added, aside } = restoreJournal(path, file, { replace: values.replace, now });
    process.stdout.write(`${added} entries were put back${aside === undefined ? "" : `; the former file is ${aside}`}\n`);
  } else throw new Error(USAGE);
}

try {
  main();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
