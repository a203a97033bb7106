import { existsSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import { openToOthers, readGuarded } from "../files/guardedFile.js";
import { ConfigError } from "./configError.js";
import { SECRET_VARIABLES } from "./secrets.js";
import { unknownInEnvironment, unknownInFile } from "./unknown.js";

export interface Environment {
  /** The variables of the process, with defaults from a `.env` file if there is one. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** One line for each unknown variable. */
  readonly mistakes: readonly string[];
}

/** Reads a `.env` file if there is one. Throws `ConfigError` if other users can read the secrets in it. */
export function readEnvironment(variables: Environment["variables"], file = ".env"): Environment {
  const unknown = unknownInEnvironment(variables);
  if (!existsSync(file)) return { variables, mistakes: unknown };
  const fromFile = parseEnv(textOf(file));
  const holdsSecrets = SECRET_VARIABLES.some((name) => (fromFile[name] ?? "") !== "");
  const open = holdsSecrets ? openToOthers(file, statSync(file)) : undefined;
  if (open !== undefined) throw new ConfigError([`${file}: ${open}`]);
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  return { variables: { ...fromFile, ...given }, mistakes: [...unknown, ...unknownInFile(fromFile, file)] };
}

/** The text of the file without a byte order mark, which some editors write and which would become a part of the first name. */
function textOf(file: string): string {
  const read = readGuarded(file, () => undefined);
  if ("mistakes" in read) throw new ConfigError(read.mistakes.map((mistake) => `${file}: ${mistake}`));
  return read.content.replace(/^\uFEFF/, "");
}

/**
 * Removes the secrets from the process's environment after they were read: Node writes the environment into diagnostic reports,
 * and child processes inherit it.
 */
export function forgetSecrets(variables: Record<string, string | undefined>): void {
  for (const name of SECRET_VARIABLES) delete variables[name];
}
