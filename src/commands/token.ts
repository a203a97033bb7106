import { systemClock } from "@exchange-graph/contract/clock";
import { CommandError } from "../access/tokens/tokenArguments.js";
import { tokenCommand } from "../access/tokens/tokenCommand.js";
import type { Environment } from "../config/environment.js";
import { runCommand } from "./runCommand.js";

/** `npm run token`: creates, lists and revokes the bearer tokens of clients. */
function main({ CLIENTS_FILE: path }: Environment["variables"]): void {
  const { out, notes } = tokenCommand(process.argv.slice(2), path === "" ? undefined : path, systemClock);
  process.stdout.write(out);
  process.stderr.write(notes);
}

runCommand(main, 1, (error) => (error instanceof CommandError ? "" : "Nothing was changed.\n"));
