import { errorRow } from "@exchange-graph/contract/errors";
import { Fault, type FaultCode } from "../../fault.js";

/**
 * A socket's "no", with the exchange's code and text. `what` names what was asked for. What is about the account, its
 * mode above all, is said with the codes of REST.
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
  return new Fault(fault, `${what}: the exchange refused with ${code}: ${text}`, {
    endpoint: what,
    exchange: { code, msg: text, endpoint: what },
    ...(row?.retry === "backoff" ? { retryable: true } : {}),
  });
}

/** May the same be asked again after a while? An unlisted code is taken at its word: no. */
export const isPassing = (code: string): boolean => errorRow("socket", code)?.retry === "backoff";
