import { z } from "zod";
import { type Denial, denialOfId, denialOfSubject } from "../../datasources/ports/denyList.js";

/** A file holds at most so many. */
const MAX_DENIED = 5_000;
/** A JWT is taken for at most so long after it has expired: the largest `JWT_CLOCK_TOLERANCE_MS`. */
const MAX_TOLERANCE_MS = 300_000;
const MS_PER_S = 1_000;

const claim = z.string().min(1).max(1_000);
const moment = z.iso.datetime();

const deniedJwt = z.union(
  [
    z.strictObject({ jti: claim, expiresAt: moment }),
    z.strictObject({ sub: claim.max(256), issuedBefore: moment, expiresAt: moment }),
  ],
  { error: "must have jti and expiresAt, or sub, issuedBefore and expiresAt, times in ISO 8601" },
);

/** JWTs that are refused although they have not expired, as a file keeps them: one, or those of a subject. */
export type DeniedJwt = z.infer<typeof deniedJwt>;

export const deniedJwts = z.array(deniedJwt).max(MAX_DENIED, `must have at most ${MAX_DENIED} entries`);

/** What replicas announce to one another of it. A moment within a second counts as the second's end, for `iat` has whole seconds. */
export function denialOf(denied: DeniedJwt): Denial {
  const until = Date.parse(denied.expiresAt) + MAX_TOLERANCE_MS;
  if ("jti" in denied) return denialOfId(denied.jti, until);
  return denialOfSubject(denied.sub, Math.ceil(Date.parse(denied.issuedBefore) / MS_PER_S), until);
}

/** Is it good for nothing any more? */
export const isOver = (denied: DeniedJwt, now: number): boolean => denialOf(denied).until <= now;
