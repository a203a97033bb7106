import type { Outcome } from "../../../instrumentation/events.js";
import { EXCHANGE_FAILURES } from "../../calls/breaker.js";
import { TransportFailure } from "../../calls/client/transport.js";
import { Fault } from "../../errors/fault.js";

/** The outcome of a call that was not sent. */
export const unsentBecause = (error: unknown): Outcome =>
  error instanceof Fault && error.code === "RATE_LIMITED" ? "limited" : "abandoned";

/** The outcome of a call that was sent and threw. */
export function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof Fault) || EXCHANGE_FAILURES.has(error.code)) return "failed";
  return error.code === "RATE_LIMITED" ? "throttled" : "refused";
}

/** Whether a request may still arrive at the exchange, and be counted, although its wait has ended. */
export const isUnderWay = (error: unknown): boolean =>
  error instanceof Fault && error.cause instanceof TransportFailure && error.cause.kind === "timeout";
