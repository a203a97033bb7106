import { KEYS_MISSING, NO_TOKEN } from "../../access/principal/bearer.js";
import type { Fault } from "../../datasources/index.js";
import { type HttpAnswer, refusal } from "./answer.js";

const REALM = 'Bearer realm="exchange-graph"';

/** Refuses a request without a valid token (RFC 6750, section 3), or one whose token cannot be checked now. */
export const refusedAs = (why: Fault): HttpAnswer =>
  why === KEYS_MISSING ? refusal(503, why.message, "UNAVAILABLE") : unauthenticated(why);

const unauthenticated = (why: Fault): HttpAnswer => ({
  status: why.code === "FORBIDDEN" ? 403 : 401,
  headers: {
    "content-type": "application/json; charset=utf-8",
    "www-authenticate":
      why === NO_TOKEN ? REALM : `${REALM}, error="${why.code === "FORBIDDEN" ? "insufficient_scope" : "invalid_token"}"`,
    "cache-control": "no-store",
  },
  body: JSON.stringify({ errors: [{ message: why.message, extensions: why.extensions }] }),
});
