import { parseArgs } from "node:util";
import { systemClock } from "@exchange-graph/contract/clock";
import type { openJournalDatabase } from "../../packages/replicas/src/index.js";
import { journalPathOf } from "../config/config.js";
import { databaseOf } from "../config/databaseSettings.js";
import type { Environment } from "../config/environment.js";
import { acceptLoss, backUpJournal, checkJournal, type JournalCheck, restoreJournal } from "../datasources/writes/index.js";
import { runCommand } from "./runCommand.js";

const USAGE = `npm run journal -- check [file]
npm run journal -- backup <new file>
npm run journal -- restore <backup> [--replace]
npm run journal -- accept-loss`;

function show({ version, note, entries, owners, problems }: JournalCheck): void {
  process.stdout.write(`version ${version}, in use by ${owners}\n`);
  if (note !== undefined) process.stdout.write(`${note}\n`);
  for (const { realm, state, count } of entries) process.stdout.write(`${realm} ${state}: ${count}\n`);
  for (const problem of problems) process.stdout.write(`BROKEN: ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
  else process.stdout.write("whole\n");
}

interface CommandArguments {
  readonly command: string | undefined;
  readonly file: string | undefined;
  readonly replace: boolean;
}

/** Commands for a journal in a file. */
function ofFile(path: string, { command, file, replace }: CommandArguments): void {
  const now = systemClock.now();
  if (command === "check") show(checkJournal(file ?? path, now));
  else if (command === "backup" && file !== undefined) show(backUpJournal(path, file, now));
  else if (command === "restore" && file !== undefined) {
    const { added, aside } = restoreJournal(path, file, { replace, now });
    process.stdout.write(`${added} entries were put back${aside === undefined ? "" : `; the former file is ${aside}`}\n`);
  } else if (command === "accept-loss") {
    const lost = acceptLoss(path, now);
    process.stdout.write(`${lost === undefined ? "nothing is missing" : `accepted: ${lost}`}\n`);
  } else throw new Error(USAGE);
}

/** Commands for a journal in a database. */
async function ofDatabase(
  journal: Awaited<ReturnType<typeof openJournalDatabase>>,
  { command, file, replace }: CommandArguments,
): Promise<void> {
  if (replace) throw new Error("--replace is for files: entries of a database are never removed");
  if (command === "accept-loss") throw new Error("accept-loss is for files: a database keeps what it has confirmed");
  if (command === "check") show(await journal.check());
  else if (command === "backup" && file !== undefined) show(await journal.backUp(file));
  else if (command === "restore" && file !== undefined)
    process.stdout.write(`${await journal.restore(file)} entries were put back\n`);
  else throw new Error(USAGE);
}

/** `npm run journal`: checks, backs up and restores the journal of writes, also while it is in use. */
async function main(variables: Environment["variables"]): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { replace: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const [command, file] = positionals;
  const args: CommandArguments = { command, file, replace: values.replace };
  const address = databaseOf(variables);
  if (address === undefined || (command === "check" && file !== undefined)) {
    ofFile(journalPathOf(variables), args);
    return;
  }
  const replicas = await import("../../packages/replicas/src/index.js");
  const journal = await replicas.openJournalDatabase(address, systemClock);
  try {
    await ofDatabase(journal, args);
  } finally {
    await journal.close();
  }
}

runCommand(main, 2);
