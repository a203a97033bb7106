import { KEYS_MISSING, NO_TOKEN } from "../../access/principal/bearer.js";
import { FAULTS, type FaultCode } from "../../datasources/errors/index.js";
import type { Fault } from "../../datasources/index.js";
import { isRefusal } from "../../engine/errors/refusalCodes.js";
import type { Operation } from "../../instrumentation/events.js";

/** Headers of every answer. Pages add their own content security policy. */
export const SECURITY_HEADERS = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

/** A complete HTTP answer, which several requests can share. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text rather than bytes: Node then writes it together with the headers. */
  readonly body: string;
  /** The operation, if the request became one. */
  readonly operation?: Operation;
  /** For the audit: the client is unknown, lacks a right, or exceeds a limit. */
  readonly refusalCode?: string | undefined;
  /** Whether the connection is closed after it: the rest of the request is not read. */
  readonly isLast?: boolean;
}

/** Codes of refusals by their status; all others are `BAD_REQUEST`. */
const CODES: ReadonlyMap<number, FaultCode> = new Map([
  [403, "FORBIDDEN"],
  [421, "FORBIDDEN"],
  [429, "RATE_LIMITED"],
  [500, "INTERNAL_SERVER_ERROR"],
  [503, "OVERLOADED"],
]);

/** Seconds after which this gateway, or another one, should serve. */
const RETRY_AFTER_S = 1;

/** A refusal in the shape of a GraphQL response, for requests that never become an operation. */
export function refusal(status: number, message: string, code = CODES.get(status)): HttpAnswer {
  const isRetryable = code !== undefined && FAULTS[code].retryable;
  const extensions = {
    code: code ?? "BAD_REQUEST",
    retryable: isRetryable,
    ...(isRetryable && { retryAfterMs: RETRY_AFTER_S * 1_000 }),
  };
  return {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      ...(isRetryable && { "retry-after": String(RETRY_AFTER_S) }),
    },
    body: JSON.stringify({ errors: [{ message, extensions }] }),
    refusalCode: code !== undefined && isRefusal(code) ? code : undefined,
  };
}

/** The refusal of a method other than these. */
export function methodRefusal(...methods: readonly string[]): HttpAnswer {
  const allow = methods.join(", ");
  const answer = refusal(405, `Use ${allow.replace(/, (\w+)$/, " or $1")}.`);
  return { ...answer, headers: { ...answer.headers, allow } };
}

/** The answer of a gateway that stops: the request was not started and may be repeated. */
export const STOPPING: HttpAnswer = refusal(503, "the gateway is stopping; nothing was started", "UNAVAILABLE");

/** The refusal of a compressed body, which is not read. */
export const ENCODED: HttpAnswer = (() => {
  const answer = refusal(415, "Send the request body without a content encoding.");
  return { ...answer, headers: { ...answer.headers, "accept-encoding": "identity" }, isLast: true };
})();

/** The refusal of a body beyond the maximum size. */
export const bodyTooLong = (maxBytes: number): HttpAnswer => ({
  ...refusal(413, `The request body is longer than ${maxBytes} bytes.`),
  refusalCode: "REQUEST_TOO_LARGE",
  isLast: true,
});

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
  refusalCode: why.code,
});
