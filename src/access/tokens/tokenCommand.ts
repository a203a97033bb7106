import { randomBytes } from "node:crypto";
import type { Clock } from "@exchange-graph/contract/clock";
import { type DeniedJwt, isOver } from "../jwt/denyList.js";
import {
  CommandError,
  grantsFrom,
  lifetimeMs,
  momentOf,
  parsed,
  type TokenOptions,
  takesOnly,
  USAGE,
  weightFrom,
} from "./tokenArguments.js";
import { changeTokenFile, readTokenFile, type TokenFile, type TokenRecord } from "./tokenFile.js";
import { digestOf, newToken } from "./tokenText.js";

/** Output of a command: a new token alone on `out`, so that it can be piped, and everything else on `notes`. */
interface CommandResult {
  readonly out: string;
  readonly notes: string;
}

/** Executes `npm run token`. Throws `CommandError`. */
export function tokenCommand(args: readonly string[], configured: string | undefined, clock: Clock): CommandResult {
  const { positionals, values } = parsed(args);
  const [command, subject, ...rest] = positionals;
  if (rest.length > 0) throw new CommandError(USAGE);
  const path = values.file ?? configured;
  if (path === undefined) throw new CommandError("Say which file: set CLIENTS_FILE, or give --file <path>.");
  if (command === "list" && subject === undefined) {
    takesOnly(values, []);
    return { out: listing(readAll(path)), notes: "" };
  }
  if (command === "create" && subject !== undefined) {
    takesOnly(values, ["scope", "expires", "weight"]);
    return create(path, subject, values, clock);
  }
  if (command === "revoke" && subject !== undefined) {
    takesOnly(values, []);
    return revoke(path, subject);
  }
  if (command === "revoke") {
    takesOnly(values, ["jti", "subject", "issued-before", "expires"]);
    return revokeJwts(path, values, clock);
  }
  throw new CommandError(USAGE);
}

function create(
  path: string,
  name: string,
  { scope: scopes = [], expires: lifetime, weight }: TokenOptions,
  clock: Clock,
): CommandResult {
  if (scopes.length === 0) throw new CommandError("Say what the token may do: --scope <scope>, once for each scope.");
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
  change(path, ({ tokens, ...more }) => {
    if (tokens.some((one) => one.name === name)) throw new CommandError(`There is a token named ${name} already.`);
    return { tokens: [...tokens, record], ...more };
  });
  return { out: `${token}\n`, notes: `Created ${name} (${record.id}) in ${path}. The token is shown this once.\n` };
}

function revoke(path: string, subject: string): CommandResult {
  change(path, ({ tokens, ...more }) => {
    const left = tokens.filter(({ id, name }) => id !== subject && name !== subject);
    if (left.length === tokens.length) throw new CommandError(`There is no token ${subject}.`);
    return { tokens: left, ...more };
  });
  return { out: "", notes: `Revoked ${subject}. A running gateway ends its connections within a second.\n` };
}

function revokeJwts(path: string, values: TokenOptions, clock: Clock): CommandResult {
  const denied = deniedFrom(values, clock.now());
  const whose = "jti" in denied ? `the JWT ${denied.jti}` : `JWTs of ${denied.sub} issued before ${denied.issuedBefore}`;
  change(path, ({ tokens, deniedJwts = [] }) => ({
    tokens,
    deniedJwts: [...deniedJwts.filter((one) => !isOver(one, clock.now())), denied],
  }));
  return { out: "", notes: `Revoked ${whose}. A running gateway ends their connections within a second.\n` };
}

function deniedFrom({ jti, subject: sub, "issued-before": issuedBefore, expires }: TokenOptions, now: number): DeniedJwt {
  if ((jti === undefined) === (sub === undefined)) throw new CommandError(USAGE);
  if (expires === undefined) throw new CommandError("Say when the last of them will have expired: --expires <time>, 12h or 30d.");
  const expiresAt = momentOf("--expires", /^\d+[dh]$/.test(expires) ? now + lifetimeMs(expires) : expires);
  if (Date.parse(expiresAt) <= now) throw new CommandError("--expires is past: there is nothing to revoke.");
  if (jti !== undefined && issuedBefore !== undefined)
    throw new CommandError("--issued-before requires --subject, and cannot be combined with --jti.");
  if (jti !== undefined) return { jti, expiresAt };
  return { sub: sub ?? "", issuedBefore: momentOf("--issued-before", issuedBefore ?? now), expiresAt };
}

function readAll(path: string): TokenFile {
  const read = readTokenFile(path);
  if ("mistakes" in read) throw new CommandError(`${path}: ${read.mistakes.join("; ")}`);
  return read.content;
}

function change(path: string, task: (content: TokenFile) => TokenFile): void {
  try {
    changeTokenFile(path, task);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST")
      throw new CommandError(`${path}.new exists: another command is changing the file. Remove it if none is.`);
    throw error;
  }
}

function listing({ tokens, deniedJwts = [] }: TokenFile): string {
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
  const denied = deniedJwts.map((one) =>
    "jti" in one ? ["jti", one.jti, "any", one.expiresAt] : ["sub", one.sub, one.issuedBefore, one.expiresAt],
  );
  const table = (head: readonly string[], lines: readonly (readonly string[])[]) =>
    [head, ...lines].map((line) => `${line.join("\t")}\n`).join("");
  const ofTokens = table(["id", "name", "scopes", "created", "expires", "weight"], rows);
  return denied.length === 0 ? ofTokens : `${ofTokens}\n${table(["revoked JWTs", "of", "issued before", "until"], denied)}`;
}
