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

/** A name counts as misspelt if it is one change away from a setting; one of at least this many letters, if it is two away. */
const SLIP_LENGTH = 10;
/** A setting is suggested only if it differs in less than this share of the name. */
const SUGGESTED_SHARE = 0.4;

/** Variables of the process that look like settings and are none. An empty variable counts as not set. */
export const unknownInEnvironment = (variables: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(variables)
    .filter((name) => isGiven(name, variables) && !OF_A_SERVICE.test(name) && isOurs(name.toUpperCase()))
    .map((name) => sentence(name, ""));

/** Variables of a `.env` file that are no settings; the file is for this program only. */
export const unknownInFile = (variables: Readonly<Record<string, string | undefined>>, file: string): string[] =>
  Object.keys(variables)
    .filter((name) => isGiven(name, variables))
    .map((name) => sentence(name, ` in ${file}`));

const isGiven = (name: string, variables: Readonly<Record<string, string | undefined>>): boolean =>
  variables[name] !== undefined && variables[name] !== "" && !VARIABLES.includes(name);

function isOurs(name: string): boolean {
  if ([...OWN_PREFIXES, ...FORMER_PREFIXES].some((prefix) => name.startsWith(prefix))) return true;
  const slips = name.length < SLIP_LENGTH ? 1 : 2;
  // The difference in length is a lower bound of the distance, which excludes most variables of other programs.
  return VARIABLES.some(
    (variable) => Math.abs(variable.length - name.length) <= slips && changesBetween(name, variable) <= slips,
  );
}

function sentence(name: string, place: string): string {
  const { variable, changes } = nearest(name.toUpperCase());
  const hint = changes <= name.length * SUGGESTED_SHARE ? `. Did you mean ${variable}?` : "";
  return `${name}: is not a setting${place}${hint}`;
}

function nearest(name: string): { readonly variable: string; readonly changes: number } {
  return VARIABLES.map((variable) => ({ variable, changes: changesBetween(name, variable) })).reduce((best, one) =>
    one.changes < best.changes ? one : best,
  );
}

/** Whether one is the other with two neighbouring letters swapped. */
function isSwapped(one: string, other: string): boolean {
  const at = [...one].findIndex((letter, place) => letter !== other[place]);
  return one.length === other.length && one.slice(0, at) + one.charAt(at + 1) + one.charAt(at) + one.slice(at + 2) === other;
}

/** The Levenshtein distance: insertions, deletions and replacements. Two swapped letters are one change if nothing else differs. */
function changesBetween(one: string, other: string): number {
  if (isSwapped(one, other)) return 1;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const letter of one) {
    const next = [(row[0] ?? 0) + 1];
    for (let at = 1; at <= other.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (letter === other[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
