import { z } from "zod";
import type { DeniableClaims } from "../../datasources/ports/denyList.js";
import { type Grants, Rights } from "../../resolvers/index.js";
import { isAccountBound, SCOPE_NAMES } from "../../schema/scopes.js";
import { ClientPrincipal, MAX_WEIGHT } from "../principal/clientPrincipal.js";

const names = z.union([z.literal("*"), z.array(z.string())]);
/** For all scopes the same, or for each its own. */
const accountsClaim = z.union([names, z.partialRecord(z.enum(SCOPE_NAMES), names)]);

/** Of the year 9999: the last that a date can be written of. */
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
 * The client that the claims of a verified JWT speak of; `undefined` when they do not have the shape, or were denied. Scopes that this
 * gateway does not know are somebody else's. Without a claim about accounts a token is good for none.
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
  const asked = new Set(scope.split(" "));
  const accounts = about.data;
  const grants: Grants = Object.fromEntries(
    SCOPE_NAMES.filter((name) => asked.has(name)).map((name) => [
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
