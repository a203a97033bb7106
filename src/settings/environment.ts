import { existsSync, readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import { openToOthers } from "../guardedFile.js";
import { ConfigError } from "./configError.js";
import { SECRET_VARIABLES } from "./variables.js";

/** The variables of the process, and under them those of a `.env` file where there is one. */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  file = ".env",
): Readonly<Record<string, string | undefined>> {
  if (!existsSync(file)) return variables;
  const fromFile = parseEnv(readFileSync(file, "utf8"));
  const holdsSecrets = SECRET_VARIABLES.some((name) => (fromFile[name] ?? "") !== "");
  const open = holdsSecrets ? openToOthers(file, statSync(file)) : undefined;
  if (open !== undefined) throw new ConfigError([`${file}: ${open}`]);
  return { ...fromFile, ...variables };
}

/**
 * Takes the secrets out of the process's environment once they are read: Node writes the environment into diagnostic
 * reports, and every child process inherits it.
 */
export function forgetSecrets(variables: Record<string, string | undefined>): void {
  for (const name of SECRET_VARIABLES) delete variables[name];
}
