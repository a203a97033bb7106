import { systemClock } from "@exchange-graph/contract/clock";
import { CommandError } from "../access/tokens/tokenArguments.js";
import { tokenCommand } from "../access/tokens/tokenCommand.js";
import { readEnvironment } from "../config/environment.js";

/** `npm run token`: creates, lists and revokes the bearer tokens of clients. */
try {
  // biome-ignore lint/style/noProcessEnv: a command of its own, which reads its environment once
  const { CLIENTS_FILE: path } = readEnvironment(process.env).variables;
  const { out, notes } = tokenCommand(process.argv.slice(2), path === "" ? undefined : path, systemClock);
  process.stdout.write(out);
  process.stderr.write(notes);
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`${error.message}\n${error instanceof CommandError ? "" : "Nothing was changed.\n"}`);
  process.exitCode = 1;
}
