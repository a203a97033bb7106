import { existsSync, readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import { openToOthers } from "../files/guardedFile.js";
import { ConfigError } from "./configError.js";
import { SECRET_VARIABLES } from "./secrets.js";
import { unknownInEnvironment, unknownInFile } from "./unknown.js";

/** What the process was started with. */
export interface Environment {
  /** The variables of the process, and under them those of a `.env` file where there is one. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** One line for each variable that is no setting. */
  readonly mistakes: readonly string[];
}

/** Reads a `.env` file where there is one. Throws `ConfigError` when others can read the secrets in it. */
export function readEnvironment(variables: Environment["variables"], file = ".env"): Environment {
  const unknown = unknownInEnvironment(variables);
  if (!existsSync(file)) return { variables, mistakes: unknown };
  const fromFile = parseEnv(readFileSync(file, "utf8"));
  const holdsSecrets = SECRET_VARIABLES.some((name) => (fromFile[name] ?? "") !== "");
  const open = holdsSecrets ? openToOthers(file, statSync(file)) : undefined;
  if (open !== undefined) throw new ConfigError([`${file}: ${open}`]);
  return { variables: { ...fromFile, ...variables }, mistakes: [...unknown, ...unknownInFile(fromFile, file)] };
}

/**
 * Takes the secrets out of the process's environment once they are read: Node writes the environment into diagnostic
 * reports, and every child process inherits it.
 */
export function forgetSecrets(variables: Record<string, string | undefined>): void {
  for (const name of SECRET_VARIABLES) delete variables[name];
}
