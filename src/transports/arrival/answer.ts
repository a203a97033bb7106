import { FAULTS } from "../../datasources/errors/index.js";
import type { Operation } from "../../instrumentation/events.js";

/** A complete HTTP answer, which several requests can share. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Text rather than bytes: Node then writes it together with the headers. */
  readonly body: string;
  /** The operation, if the request became one. */
  readonly operation?: Operation;
  /** Whether the connection is closed after it: the rest of the request is not read. */
  readonly isLast?: boolean;
}

/** A refusal in the shape of a GraphQL response, for requests that never become an operation. */
export const refusal = (status: number, message: string): HttpAnswer => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: JSON.stringify({ errors: [{ message, extensions: { code: "BAD_REQUEST", retryable: false } }] }),
});

/** Seconds after which another gateway, or this one after a restart, should serve. */
const RETRY_AFTER_S = 1;

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
  isLast: true,
});
