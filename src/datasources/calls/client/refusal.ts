import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { Envelope } from "@exchange-graph/contract/envelope";
import { type ErrorCategory, errorRow } from "@exchange-graph/contract/errors";
import type { WireError } from "@exchange-graph/contract/wireError";
import { callFault, type Fault, type FaultCode } from "../../errors/index.js";
import { codingOf, isReadable } from "./answerBody.js";
import type { WireAnswer } from "./transport.js";

/** Error codes of refusals by category. Other categories, and unlisted codes, are `EXCHANGE_REJECTED`. */
const BY_CATEGORY: Partial<Record<ErrorCategory, FaultCode>> = {
  permission: "FORBIDDEN",
  accountMode: "ACCOUNT_MODE_MISMATCH",
  rateLimit: "RATE_LIMITED",
  balance: "INSUFFICIENT_BALANCE",
  orderNotFound: "ORDER_NOT_FOUND",
  duplicate: "DUPLICATE_CLIENT_OID",
  unavailable: "EXCHANGE_UNAVAILABLE",
  maintenance: "EXCHANGE_UNAVAILABLE",
};

/** Cause of the `Fault` of a call that was answered. The HTTP status shows whether a proxy may have answered. */
export class Answered extends Error {
  override readonly name = "Answered";
  /** Whether the answer has the exchange's time, as its own answers have and those of proxies do not. */
  readonly isDated: boolean;

  constructor(
    readonly status: number,
    { isDated = false, ...options }: ErrorOptions & { readonly isDated?: boolean } = {},
  ) {
    super(`HTTP ${status}`, options);
    this.isDated = isDated;
  }
}

/**
 * Converts a refusal into a fault with the exchange's code and text; its meaning comes from the table of the API version. Only
 * for an unlisted code the HTTP status decides between a refusal and a failure of the exchange.
 */
export function refusal(endpoint: Endpoint, { code, msg, requestTime }: Envelope, status: number): Fault {
  const row = errorRow(endpoint.apiVersion, code);
  const unlisted: FaultCode = status >= 500 ? "EXCHANGE_UNAVAILABLE" : "EXCHANGE_REJECTED";
  const fault = row === undefined ? unlisted : (BY_CATEGORY[row.category] ?? "EXCHANGE_REJECTED");
  const text = msg === "" ? (row?.meaning ?? "no text") : msg;
  const details = {
    exchange: { code, msg: text, endpoint: endpoint.path },
    // The same call may succeed later, in any category.
    ...(row?.retry === "backoff" ? { retryable: true } : {}),
    ...(fault === "RATE_LIMITED" ? { retryAfterMs: endpoint.rate.windowMs } : {}),
  };
  const cause = new Answered(status, { isDated: requestTime !== undefined });
  return callFault(fault, endpoint.name, `the exchange refused with ${code}: ${text}`, details, { cause });
}

/** An answer that breaks the interface would do so again, so the call is not repeated. */
export const unreadable = (endpoint: string, { message }: WireError, cause?: Error): Fault =>
  callFault("EXCHANGE_BAD_RESPONSE", endpoint, message, { retryable: false }, { cause });

/** Statuses below 500 after which the same call may succeed: timeout, and "too early". */
const PASSING = new Set([408, 425]);

/** The fault for an answer without an envelope: a proxy answered, or the answer was damaged. */
export function withoutEnvelope({ name, rate }: Endpoint, answer: WireAnswer): Fault {
  const { status } = answer;
  const options = { cause: new Answered(status) };
  const bad = (problem: string, retryable: boolean) =>
    callFault("EXCHANGE_BAD_RESPONSE", name, `${problem} (HTTP ${status})`, { retryable }, options);
  const coding = codingOf(answer);
  if (status === 429) {
    return callFault("RATE_LIMITED", name, "the exchange says too many requests", { retryAfterMs: rate.windowMs }, options);
  }
  if (status >= 500) return callFault("EXCHANGE_UNAVAILABLE", name, `the exchange answered with HTTP ${status}`, {}, options);
  if (status >= 400) return bad("refused by something on the way to the exchange, such as a firewall", PASSING.has(status));
  if (status >= 300) return bad("the answer is a redirect, which is not followed", false);
  if (!isReadable(coding)) return bad(`the answer is compressed in a way that cannot be read, "${coding.slice(0, 40)}"`, false);
  return bad("the answer is empty or not JSON", true);
}
