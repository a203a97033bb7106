import {
  closeSync,
  existsSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { ACCOUNT_NAME, MAX_ACCOUNTS } from "../../datasources/calls/index.js";
import { changeableByOthers, type GuardedFile, readGuardedJson } from "../../files/guardedFile.js";
import { SCOPE_NAMES } from "../../schema/scopes.js";
import { deniedJwts } from "../jwt/denyList.js";
import { MAX_WEIGHT } from "../principal/clientPrincipal.js";

const MAX_TOKENS = 1_000;

const accounts = z.union(
  [z.literal("*"), z.array(z.string().regex(ACCOUNT_NAME, "must be names of accounts, comma-separated")).max(MAX_ACCOUNTS)],
  {
    error: 'accounts must be "*" or a list of their names',
  },
);

const moment = z.iso.datetime({ error: "must be a time such as 2026-11-21T12:00:00Z" });
const WEIGHT = `must be a whole number from 1 to ${MAX_WEIGHT}`;

const token = z.strictObject({
  /** Stable and not secret: the token's name in logs. */
  id: z.string().regex(/^[\w-]{1,32}$/, "must have at most 32 letters, digits, _ or -"),
  name: z.string().regex(/^[\w.@-]{1,64}$/, "must have at most 64 letters, digits, _ . @ or -"),
  /** SHA-256 of the token, base64url. */
  hash: z.string().regex(/^[\w-]{43}$/, "must be 43 characters of base64url"),
  scopes: z.partialRecord(z.enum(SCOPE_NAMES), accounts, {
    error: `must be an object with accounts by scope; scopes are ${SCOPE_NAMES.join(", ")}`,
  }),
  /** Share of the client's calls when clients compete for a rate limit. */
  weight: z.int(WEIGHT).min(1, WEIGHT).max(MAX_WEIGHT, WEIGHT).optional(),
  createdAt: moment,
  expiresAt: moment.optional(),
});

/** A bearer token as stored in the file. */
export type TokenRecord = z.infer<typeof token>;

const file = z
  .strictObject({
    tokens: z.array(token).max(MAX_TOKENS, `must have at most ${MAX_TOKENS} tokens`),
    deniedJwts: deniedJwts.optional(),
  })
  .superRefine(({ tokens }, context) => {
    for (const key of ["id", "name", "hash"] as const)
      tokens.forEach((one, index) => {
        if (tokens.findIndex((other) => other[key] === one[key]) < index)
          context.addIssue({ code: "custom", path: ["tokens", index, key], message: "must be unique" });
      });
  });

/** The valid bearer tokens, and the denied JWTs. */
export type TokenFile = z.infer<typeof file>;

/** Reads the file of tokens. Only its owner may write it, because adding a line grants access. */
export function readTokenFile(path: string): GuardedFile<TokenFile> {
  return readGuardedJson(path, changeableByOthers, file);
}

/**
 * Changes the file of tokens atomically. The new file is written under a name that only one process at a time can create, so that
 * concurrent changes are not lost.
 */
export function changeTokenFile(path: string, change: (content: TokenFile) => TokenFile): void {
  const beside = `${path}.new`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const handle = openSync(beside, "wx", 0o600);
  try {
    // Another process may have made the file until now.
    const exists = existsSync(path);
    const read = exists ? readTokenFile(path) : { content: { tokens: [] } };
    if ("mistakes" in read) throw new Error(`${path}: ${read.mistakes.join("; ")}`);
    const next = file.safeParse(change(read.content));
    if (!next.success)
      throw new Error(next.error.issues.map(({ path: at, message }) => `${String(at.findLast(isName))}: ${message}`).join("; "));
    writeSync(handle, `${JSON.stringify(next.data, undefined, 2)}\n`);
    if (exists) keepOwner(handle, path);
    fsyncSync(handle);
    renameSync(beside, path);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

const isName = (step: PropertyKey): step is string => typeof step === "string";

/** Keeps the owner of the file, so that the gateway can still read it: an unreadable revocation has no effect. */
function keepOwner(handle: number, path: string): void {
  const before = statSync(path);
  const now = fstatSync(handle);
  if (before.uid !== now.uid || before.gid !== now.gid) fchownSync(handle, before.uid, before.gid);
}
