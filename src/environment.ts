import { existsSync, readFileSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import { openToOthers } from "./accountsFile.js";
import { ConfigError } from "./config.js";

/** The variables of the process, and under them those of a `.env` file where there is one. */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  file = ".env",
): Readonly<Record<string, string | undefined>> {
  if (!existsSync(file)) return variables;
  const fromFile = parseEnv(readFileSync(file, "utf8"));
  const holdsSecrets = Object.entries(fromFile).some(([name, value]) => name.startsWith("EXCHANGE_API_") && value !== "");
  const open = holdsSecrets ? openToOthers(file, statSync(file)) : undefined;
  if (open !== undefined) throw new ConfigError([`${file}: ${open}`]);
  return { ...fromFile, ...variables };
}
