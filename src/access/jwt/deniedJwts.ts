import { z } from "zod";
import { type Denial, denialOfId, denialOfSubject } from "./denyList.js";

/** Maximum number of entries in a file. */
const MAX_DENIED = 5_000;
/** A JWT may be accepted for this long after its expiry: the maximum of `JWT_CLOCK_TOLERANCE_MS`. */
const MAX_TOLERANCE_MS = 300_000;
const MS_PER_S = 1_000;

const claim = z.string().min(1, "must not be empty").max(1_000, "must have at most 1000 characters");
const moment = z.iso.datetime();

const deniedJwt = z.union(
  [
    z.strictObject({ jti: claim, expiresAt: moment }),
    z.strictObject({ sub: claim.max(256, "must have at most 256 characters"), issuedBefore: moment, expiresAt: moment }),
  ],
  { error: "must have jti and expiresAt, or sub, issuedBefore and expiresAt, times in ISO 8601" },
);

/** A denied JWT, or denied JWTs of a subject, as stored in the file. */
export type DeniedJwt = z.infer<typeof deniedJwt>;

export const deniedJwts = z.array(deniedJwt).max(MAX_DENIED, `must have at most ${MAX_DENIED} entries`);

/** The denial that replicas share. `issuedBefore` is rounded up to a full second, because `iat` has whole seconds. */
export function denialOf(denied: DeniedJwt): Denial {
  const until = Date.parse(denied.expiresAt) + MAX_TOLERANCE_MS;
  if ("jti" in denied) return denialOfId(denied.jti, until);
  return denialOfSubject(denied.sub, Math.ceil(Date.parse(denied.issuedBefore) / MS_PER_S), until);
}

/** Whether the denial has no effect any more. */
export const isOver = (denied: DeniedJwt, now: number): boolean => denialOf(denied).until <= now;
