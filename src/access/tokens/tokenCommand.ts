import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Clock, DAY_MS, HOUR_MS } from "@exchange-graph/contract/clock";
import { isAccountBound, SCOPE_NAMES, SCOPES, type Scope } from "../../schema/scopes.js";
import { MAX_WEIGHT } from "../principal/clientPrincipal.js";
import { changeTokenFile, readTokenFile, type TokenRecord } from "./tokenFile.js";
import { digestOf, newToken } from "./tokenText.js";

/** What a command has to say: a new token alone on `out`, so that it can be piped, and everything else on `notes`. */
interface CommandResult {
  readonly out: string;
  readonly notes: string;
}

/** The command was used wrongly, or cannot be carried out. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

const USAGE = `Usage:
  npm run --silent token -- create <name> --scope <scope>[=<account>,<account>] ... [--expires <days>d|<hours>h] [--weight <n>]
  npm run --silent token -- list
  npm run --silent token -- revoke <name or id>

The file of tokens is the one in CLIENTS_FILE; --file <path> names another. A running gateway takes changes over within a
second. A scope without accounts is granted for all accounts. A weight (1 to ${MAX_WEIGHT}, 1 if left out) is how many
turns at a time the token's calls have where clients wait for the same.

Scopes:
${SCOPE_NAMES.map((scope) => `  ${scope.padEnd(14)}${SCOPES[scope]}`).join("\n")}
`;

/** Carries out `npm run token`. Throws `CommandError`. */
export function tokenCommand(args: readonly string[], configured: string | undefined, clock: Clock): CommandResult {
  const { positionals, values } = parsed(args);
  const [command, subject, ...rest] = positionals;
  if (rest.length > 0) throw new CommandError(USAGE);
  const path = values.file ?? configured;
  if (path === undefined) throw new CommandError("Say which file: set CLIENTS_FILE, or give --file <path>.");
  if (command === "list" && subject === undefined) return { out: listing(readAll(path)), notes: "" };
  if (command === "create" && subject !== undefined) return create(path, subject, values, clock);
  if (command === "revoke" && subject !== undefined) return revoke(path, subject);
  throw new CommandError(USAGE);
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        file: { type: "string" },
        scope: { type: "string", multiple: true },
        expires: { type: "string" },
        weight: { type: "string" },
      },
    });
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

function create(
  path: string,
  name: string,
  { scope: scopes = [], expires: lifetime, weight }: ReturnType<typeof parsed>["values"],
  clock: Clock,
): CommandResult {
  if (scopes.length === 0) throw new CommandError("Say what the token may do: --scope <scope>, as often as needed.");
  const now = clock.now();
  const token = newToken();
  const record: TokenRecord = {
    id: randomBytes(6).toString("hex"),
    name,
    hash: digestOf(token).toString("base64url"),
    scopes: grantsFrom(scopes),
    createdAt: new Date(now).toISOString(),
    ...(lifetime === undefined ? {} : { expiresAt: new Date(now + lifetimeMs(lifetime)).toISOString() }),
    ...(weight === undefined ? {} : { weight: weightFrom(weight) }),
  };
  change(path, (tokens) => {
    if (tokens.some((one) => one.name === name)) throw new CommandError(`There is a token named ${name} already.`);
    return [...tokens, record];
  });
  return { out: `${token}\n`, notes: `Created ${name} (${record.id}) in ${path}. The token is shown this once.\n` };
}

function revoke(path: string, subject: string): CommandResult {
  change(path, (tokens) => {
    const left = tokens.filter(({ id, name }) => id !== subject && name !== subject);
    if (left.length === tokens.length) throw new CommandError(`There is no token ${subject}.`);
    return left;
  });
  return { out: "", notes: `Revoked ${subject}. A running gateway ends its connections within a second.\n` };
}

function grantsFrom(texts: readonly string[]): TokenRecord["scopes"] {
  const grants = new Map<Scope, "*" | string[]>();
  for (const [scope, accounts] of texts.map(grantFrom)) {
    if (grants.has(scope)) throw new CommandError(`${scope} is there twice. Give its accounts at once: ${scope}=main,classic.`);
    grants.set(scope, accounts);
  }
  return Object.fromEntries(grants);
}

/** `trade=main,classic`; without accounts, for all of them. */
function grantFrom(text: string): [Scope, "*" | string[]] {
  const [name, accounts] = text.split("=", 2);
  const scope = SCOPE_NAMES.find((one) => one === name);
  if (scope === undefined) throw new CommandError(`There is no scope ${name}. There are ${SCOPE_NAMES.join(", ")}.`);
  if (accounts === undefined || accounts === "*") return [scope, "*"];
  if (!isAccountBound(scope)) throw new CommandError(`${scope} is about no account.`);
  return [scope, accounts.split(",")];
}

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ["d", DAY_MS],
  ["h", HOUR_MS],
]);

function lifetimeMs(text: string): number {
  const [, count = "", unit = ""] = /^([1-9]\d{0,4})([dh])$/.exec(text) ?? [];
  const ms = Number.parseInt(count, 10) * (UNIT_MS.get(unit) ?? Number.NaN);
  if (Number.isNaN(ms)) throw new CommandError("--expires must be days or hours, such as 90d or 12h.");
  return ms;
}

function weightFrom(text: string): number {
  const weight = /^[1-9]\d{0,2}$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
  if (!(weight <= MAX_WEIGHT)) throw new CommandError(`--weight must be a whole number from 1 to ${MAX_WEIGHT}.`);
  return weight;
}

function readAll(path: string): readonly TokenRecord[] {
  const read = readTokenFile(path);
  if ("mistakes" in read) throw new CommandError(`${path}: ${read.mistakes.join("; ")}`);
  return read.content;
}

function change(path: string, task: (tokens: readonly TokenRecord[]) => readonly TokenRecord[]): void {
  try {
    changeTokenFile(path, existsSync(path), task);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST")
      throw new CommandError(`${path}.new is there: somebody else changes the file. If nobody does, remove it.`);
    throw error;
  }
}

function listing(tokens: readonly TokenRecord[]): string {
  const rows = tokens.map(({ id, name, scopes, createdAt, expiresAt, weight = 1 }) => [
    id,
    name,
    Object.entries(scopes)
      .map(([scope, accounts]) => (accounts === "*" ? scope : `${scope}=${accounts.join(",")}`))
      .join(" "),
    createdAt,
    expiresAt ?? "never",
    String(weight),
  ]);
  return [["id", "name", "scopes", "created", "expires", "weight"], ...rows].map((row) => `${row.join("\t")}\n`).join("");
}
