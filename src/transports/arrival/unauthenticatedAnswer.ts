import { NO_TOKEN } from "../../access/principal/bearer.js";
import type { Fault } from "../../datasources/index.js";
import type { HttpAnswer } from "./answer.js";

const REALM = 'Bearer realm="exchange-graph"';

/** Refuses a request without a valid token (RFC 6750, section 3). */
export const refusedAs = (why: Fault): HttpAnswer => ({
  status: why.code === "FORBIDDEN" ? 403 : 401,
  headers: {
    "content-type": "application/json; charset=utf-8",
    "www-authenticate":
      why === NO_TOKEN ? REALM : `${REALM}, error="${why.code === "FORBIDDEN" ? "insufficient_scope" : "invalid_token"}"`,
    "cache-control": "no-store",
  },
  body: JSON.stringify({ errors: [{ message: why.message, extensions: why.extensions }] }),
});
