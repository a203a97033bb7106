import { existsSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import { suggestionList } from "graphql/jsutils/suggestionList.js";
import { openToOthers, readGuarded } from "../files/guardedFile.js";
import { ConfigError } from "./configError.js";
import { SECRET_VARIABLES } from "./secrets.js";
import { VARIABLES } from "./variables.js";

/**
 * Prefixes that only this program's variables have. In the environment of a process only names with such a prefix, or close to a
 * setting, can be judged: others may belong to other programs.
 */
export const OWN_PREFIXES: readonly string[] = [
  ...["ALLOWED_", "AUDIT_", "CLIENTS_", "CORS_", "EXCHANGE_", "CONNECTION_", "JOURNAL_", "JWT_", "MAX_", "OPERATION_"],
  ...["SHUTDOWN_", "STREAMS_", "TLS_", "TRUSTED_", "WITHDRAW_"],
];

/** Prefixes of renamed settings, which certainly mean this program. */
const FORMER_PREFIXES: readonly string[] = ["CALLERS_", "CALLER_"];

/** Variables that Kubernetes and Docker add for a service named, for example, `exchange-graph`. */
const OF_A_SERVICE = /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)?|NAME)$/;

/** Variables of the process that look like settings and are none. An empty variable counts as not set. */
const unknownInEnvironment = (variables: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(variables)
    .filter((name) => isGiven(name, variables) && !OF_A_SERVICE.test(name) && isOurs(name.toUpperCase()))
    .map((name) => sentence(name, ""));

/** Variables of a `.env` file that are no settings; the file is for this program only. */
const unknownInFile = (variables: Readonly<Record<string, string | undefined>>, file: string): string[] =>
  Object.keys(variables)
    .filter((name) => isGiven(name, variables))
    .map((name) => sentence(name, ` in ${file}`));

const isGiven = (name: string, variables: Readonly<Record<string, string | undefined>>): boolean =>
  variables[name] !== undefined && variables[name] !== "" && !VARIABLES.includes(name);

const isOurs = (name: string): boolean =>
  [...OWN_PREFIXES, ...FORMER_PREFIXES].some((prefix) => name.startsWith(prefix)) ||
  VARIABLES.some((variable) => isMisspelt(name, variable));

function sentence(name: string, place: string): string {
  const [nearest] = suggestionList(name.toUpperCase(), VARIABLES);
  return `${name}: is not a setting${place}${nearest === undefined ? "" : `. Did you mean ${nearest}?`}`;
}

/** Whether a letter is missing, added or wrong, or two neighbouring ones are swapped. */
function isMisspelt(name: string, variable: string): boolean {
  const start = [...`${name} `].findIndex((letter, at) => letter !== variable[at]);
  const [rest, others] = [name.slice(start), variable.slice(start)];
  return (
    rest.slice(1) === others.slice(1) ||
    rest.slice(1) === others ||
    rest === others.slice(1) ||
    `${rest.charAt(1)}${rest.charAt(0)}${rest.slice(2)}` === others
  );
}

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
