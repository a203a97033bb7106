import { parseArgs } from "node:util";
import { DAY_MS, HOUR_MS, isDay } from "@exchange-graph/contract/clock";
import { isAccountBound, SCOPE_NAMES, SCOPES, type Scope } from "../../schema/scopes.js";
import { MAX_WEIGHT } from "../principal/clientPrincipal.js";
import type { TokenRecord } from "./tokenFile.js";

/** The command was used incorrectly or cannot be carried out. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

export const USAGE = `Usage:
  npm run --silent token -- create <name> --scope <scope>[=<account>,<account>] ... [--expires <days>d|<hours>h] [--weight <n>]
  npm run --silent token -- list
  npm run --silent token -- revoke <name or id>
  npm run --silent token -- revoke --jti <id of a JWT> --expires <when>
  npm run --silent token -- revoke --subject <sub of JWTs> [--issued-before <time>] --expires <when>

The token file is CLIENTS_FILE, or the one of --file <path>. A running gateway applies changes within a second.

--scope          A scope without accounts is granted for all accounts.
--weight         1 to ${MAX_WEIGHT}, default 1: calls of the token per turn, where clients take turns for the same rate limit.
--expires        Of a new token: its lifetime. Of a revocation of JWTs: the time at which the last of them has expired, in
                 ISO 8601 or from now (12h, 30d); until then the gateway refuses them.
--issued-before  Revokes the subject's JWTs that were issued before this time, in ISO 8601. Default: now.

Scopes:
${SCOPE_NAMES.map((scope) => `  ${scope.padEnd(14)}${SCOPES[scope]}`).join("\n")}
`;

export type TokenOptions = ReturnType<typeof parsed>["values"];

export function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        file: { type: "string" },
        scope: { type: "string", multiple: true },
        expires: { type: "string" },
        weight: { type: "string" },
        jti: { type: "string" },
        subject: { type: "string" },
        "issued-before": { type: "string" },
      },
    });
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

/** Refuses options that have no effect on a command: what they ask for would silently not be done. */
export function takesOnly(values: TokenOptions, names: readonly (keyof TokenOptions)[]): void {
  const other = Object.keys(values).find((name) => name !== "file" && !names.some((taken) => taken === name));
  if (other !== undefined) throw new CommandError(`--${other} has no effect here.\n\n${USAGE}`);
}

export function grantsFrom(texts: readonly string[]): TokenRecord["scopes"] {
  const grants = new Map<Scope, "*" | string[]>();
  for (const [scope, accounts] of texts.map(grantFrom)) {
    if (grants.has(scope))
      throw new CommandError(`${scope} is given twice. List its accounts in one option: ${scope}=main,classic.`);
    grants.set(scope, accounts);
  }
  return Object.fromEntries(grants);
}

/** Parses a grant such as `trade=main,classic`. Without accounts, the scope is granted for all accounts. */
function grantFrom(text: string): [Scope, "*" | string[]] {
  const [, name = "", accounts] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const scope = SCOPE_NAMES.find((one) => one === name);
  if (scope === undefined) throw new CommandError(`There is no scope ${name}. The scopes are ${SCOPE_NAMES.join(", ")}.`);
  if (accounts === undefined || accounts === "*") return [scope, "*"];
  if (!isAccountBound(scope)) throw new CommandError(`${scope} is not granted per account.`);
  return [scope, accounts.split(",")];
}

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ["d", DAY_MS],
  ["h", HOUR_MS],
]);

export function lifetimeMs(text: string): number {
  const [, count = "", unit = ""] = /^([1-9]\d{0,4})([dh])$/.exec(text) ?? [];
  const ms = Number.parseInt(count, 10) * (UNIT_MS.get(unit) ?? Number.NaN);
  if (Number.isNaN(ms)) throw new CommandError("--expires must be days or hours, such as 90d or 12h.");
  return ms;
}

export function weightFrom(text: string): number {
  const weight = /^[1-9]\d{0,2}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  if (!(weight <= MAX_WEIGHT)) throw new CommandError(`--weight must be a whole number from 1 to ${MAX_WEIGHT}.`);
  return weight;
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/** ISO 8601 text of a time given in Unix ms or in ISO 8601 with a time zone. */
export function momentOf(option: string, time: string | number): string {
  const isTime = typeof time === "number" || (ISO.test(time) && isDay(time.slice(0, 10)));
  const moment = new Date(isTime ? time : Number.NaN);
  if (Number.isNaN(moment.getTime()))
    throw new CommandError(
      `${option} must be a time such as 2026-11-21T12:00:00Z${option === "--expires" ? ", 12h or 30d" : ""}.`,
    );
  return moment.toISOString();
}
