import { errorRow } from "@exchange-graph/contract/errors";
import { Fault, type FaultCode } from "../../errors/index.js";

/**
 * The fault for a refusal on a socket, with the exchange's code and text. `what` names the request. Refusals about the account,
 * above all its mode, have the codes of REST.
 */
export function socketFault(what: string, code: string, msg: string): Fault {
  const row = errorRow("socket", code) ?? errorRow("v3", code);
  const text = msg === "" ? (row?.meaning ?? "no text") : msg;
  const fault: FaultCode =
    row?.category === "auth"
      ? "FORBIDDEN"
      : row?.category === "rateLimit"
        ? "RATE_LIMITED"
        : row?.category === "unavailable"
          ? "EXCHANGE_UNAVAILABLE"
          : row?.category === "accountMode"
            ? "ACCOUNT_MODE_MISMATCH"
            : "EXCHANGE_REJECTED";
  return new Fault(fault, `the exchange refused the ${what === "login" ? what : "subscription"} with ${code}: ${text}`, {
    endpoint: what,
    exchange: { code, msg: text, endpoint: what },
    ...(row?.retry === "backoff" ? { retryable: true } : {}),
  });
}

/** Whether the same request may succeed later. Unlisted codes count as permanent. */
export const isPassing = (code: string): boolean => errorRow("socket", code)?.retry === "backoff";
