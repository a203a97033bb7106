import { type ErrorCategory, errorRow } from "@exchange-graph/contract/errors";
import { type RawData, WebSocket } from "ws";
import { Fault, type FaultCode } from "../../errors/index.js";

/** Receives the events of a connection. None arrives before `OpenWire` has returned. */
export interface WireListener {
  opened(): void;
  received(text: string): void;
  /** The connection has ended, or could not be opened. The last event. `cause` is the underlying error, if known. */
  closed(cause: Error | undefined): void;
}

export interface Wire {
  send(text: string): void;
  /** Ends it with a close frame. */
  close(): void;
  /** Ends it at once, also before it is open. */
  terminate(): void;
}

/** Opens a connection to an address. Failures are events. */
export type OpenWire = (url: string, listener: WireListener) => Wire;

/** Maximum size of a frame; the exchange's are smaller. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;

/** A connection over the network. */
export const openWebSocket: OpenWire = (url, listener) => {
  const ws = new WebSocket(url, { perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES });
  let cause: Error | undefined;
  ws.on("open", () => listener.opened());
  // Text frames arrive as one Buffer, ws's default for messages.
  ws.on("message", (data: RawData) => listener.received(data.toString()));
  // `close` follows every `error`.
  ws.on("error", (error) => {
    cause = error;
    ws.terminate();
  });
  ws.on("close", () => listener.closed(cause));
  return ws;
};

/** Error codes of refusals by category. Other categories, and unlisted codes, are `EXCHANGE_REJECTED`. */
const BY_CATEGORY: Partial<Record<ErrorCategory, FaultCode>> = {
  auth: "FORBIDDEN",
  rateLimit: "RATE_LIMITED",
  unavailable: "EXCHANGE_UNAVAILABLE",
  accountMode: "ACCOUNT_MODE_MISMATCH",
};

/**
 * The fault for a refusal on a socket, with the exchange's code and text. `what` names the request. Refusals about the account,
 * above all its mode, have the codes of REST.
 */
export function socketFault(what: string, code: string, msg: string): Fault {
  const row = errorRow("socket", code) ?? errorRow("v3", code);
  const text = msg === "" ? (row?.meaning ?? "no text") : msg;
  const fault = (row && BY_CATEGORY[row.category]) ?? "EXCHANGE_REJECTED";
  return new Fault(fault, `the exchange refused the ${what === "login" ? what : "subscription"} with ${code}: ${text}`, {
    endpoint: what,
    exchange: { code, msg: text, endpoint: what },
    ...(row?.retry === "backoff" ? { retryable: true } : {}),
  });
}

/** Whether the same request may succeed later. Unlisted codes count as permanent. */
export const isPassing = (code: string): boolean => errorRow("socket", code)?.retry === "backoff";
