import { Fault } from "../../datasources/index.js";

/** Reasons to refuse a client. They do not say what is wrong with a token, because that would help to guess one. */
export const NO_TOKEN = new Fault("UNAUTHENTICATED", "this gateway requires a token: send it as `Authorization: Bearer <token>`");
/** For an invalid token. */
export const BAD_TOKEN = new Fault("UNAUTHENTICATED", "the token is unknown or no longer valid");
/** For a JWT whose keys cannot be fetched: it may be valid. */
export const KEYS_MISSING = new Fault("UNAUTHENTICATED", "the token cannot be checked now: its issuer's keys cannot be fetched");
/** For an open connection whose token now has other rights. */
export const RIGHTS_CHANGED = new Fault("FORBIDDEN", "the rights of the token have changed: connect again");
