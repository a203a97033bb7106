import { Fault } from "../../datasources/index.js";

/** Why somebody is not let in. What was wrong with a token is not said: it would help to guess one. */
export const NO_TOKEN = new Fault("UNAUTHENTICATED", "this gateway asks for a token: send it as `Authorization: Bearer <token>`");
/** Of a token that was sent. */
export const BAD_TOKEN = new Fault("UNAUTHENTICATED", "the token is not known, or not valid any more");
/** Of a JWT whose keys cannot be had: it may be good. */
export const KEYS_MISSING = new Fault("UNAUTHENTICATED", "the token cannot be checked now: its issuer's keys are out of reach");
/** Not of a token, but of a connection that was opened with another idea of what it may do. */
export const RIGHTS_CHANGED = new Fault("FORBIDDEN", "what the token may do has changed: connect again");
