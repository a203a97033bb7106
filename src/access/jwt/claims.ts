import { z } from "zod";
import { type Grants, Rights } from "../../resolvers/index.js";
import { isAccountBound, SCOPE_NAMES } from "../../schema/scopes.js";
import { ClientPrincipal, MAX_WEIGHT } from "../principal/clientPrincipal.js";
import type { DeniableClaims } from "./denyList.js";

const names = z.union([z.literal("*"), z.array(z.string())]);
/** The same accounts for all scopes, or accounts by scope. */
const accountsClaim = z.union([names, z.partialRecord(z.enum(SCOPE_NAMES), names)]);

/** End of the year 9999, the last year that a date supports. */
const LAST_SECOND = 253_402_300_799;

const claims = z.object({
  sub: z.string().min(1).max(256),
  exp: z.number().positive().max(LAST_SECOND),
  iat: z.number().optional(),
  jti: z.string().optional(),
  scope: z.string().max(1_000).default(""),
  weight: z.int().min(1).max(MAX_WEIGHT).optional(),
});

/**
 * The client of a verified JWT's claims; `undefined` if they are malformed or denied. Unknown scopes are ignored. Without an
 * accounts claim a token is granted no account.
 */
export function principalFrom(
  payload: object,
  accountsIn: string,
  toleranceMs: number,
  isDenied: (claims: DeniableClaims) => boolean,
): ClientPrincipal | undefined {
  const read = claims.safeParse(payload);
  const about = accountsClaim.default([]).safeParse(Object.entries(payload).find(([name]) => name === accountsIn)?.[1]);
  if (!read.success || !about.success || isDenied(read.data)) return undefined;
  const { sub, exp, scope, weight } = read.data;
  const claimed = new Set(scope.split(" "));
  const accounts = about.data;
  const grants: Grants = Object.fromEntries(
    SCOPE_NAMES.filter((name) => claimed.has(name)).map((name) => [
      name,
      !isAccountBound(name) ? "*" : accounts === "*" || Array.isArray(accounts) ? accounts : (accounts[name] ?? []),
    ]),
  );
  return new ClientPrincipal({
    id: `jwt:${sub}`,
    name: sub,
    rights: new Rights(grants),
    expiresAt: Math.round(exp * MS_PER_S) + toleranceMs,
    ...(weight === undefined ? {} : { weight }),
  });
}

const MS_PER_S = 1_000;
