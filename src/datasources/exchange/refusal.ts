import type { Endpoint } from "@exchange-graph/contract/endpoint";
import type { Envelope } from "@exchange-graph/contract/envelope";
import { type ErrorCategory, errorRow } from "@exchange-graph/contract/errors";
import type { WireError } from "@exchange-graph/contract/wireError";
import { Fault, type FaultCode } from "../fault.js";

/** What a kind of refusal is to our clients; every other kind, and every unlisted code, is `EXCHANGE_REJECTED`. */
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

/** Why a call failed that was answered: the cause of its `Fault`. The HTTP status shows who may have answered. */
export class Answered extends Error {
  override readonly name = "Answered";

  constructor(
    readonly status: number,
    options?: ErrorOptions,
  ) {
    super(`HTTP ${status}`, options);
  }
}

/**
 * Turns the exchange's "no" into a fault: its code and text are kept, its meaning comes from its API version's table. Only
 * for a code that no table lists the HTTP status decides between a refusal and a failure of the exchange's own.
 */
export function refusal(endpoint: Endpoint, { code, msg }: Envelope, status: number): Fault {
  const row = errorRow(endpoint.apiVersion, code);
  const unlisted: FaultCode = status >= 500 ? "EXCHANGE_UNAVAILABLE" : "EXCHANGE_REJECTED";
  const fault = row === undefined ? unlisted : (BY_CATEGORY[row.category] ?? "EXCHANGE_REJECTED");
  const text = msg === "" ? (row?.meaning ?? "no text") : msg;
  const details = {
    endpoint: endpoint.name,
    exchange: { code, msg: text, endpoint: endpoint.path },
    // The same call may do better later, whatever the kind of refusal.
    ...(row?.retry === "backoff" ? { retryable: true } : {}),
    ...(fault === "RATE_LIMITED" ? { retryAfterMs: endpoint.rate.windowMs } : {}),
  };
  const message = `${endpoint.name}: the exchange refused with ${code}: ${text}`;
  return new Fault(fault, message, details, { cause: new Answered(status) });
}

/** What breaks the interface once does so again: asking once more changes nothing. */
export const unreadable = (endpoint: string, { message }: WireError, cause?: Error): Fault =>
  new Fault("EXCHANGE_BAD_RESPONSE", `${endpoint}: ${message}`, { endpoint, retryable: false }, { cause });
