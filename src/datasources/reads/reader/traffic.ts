import type { Outcome } from "../../../instrumentation/events.js";
import type { CallEnd } from "../../../instrumentation/recording.js";
import { Answered, EXCHANGE_FAILURES, TransportFailure } from "../../calls/index.js";
import { Fault } from "../../errors/index.js";

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

/** What an answer, or the error of a call without one, tells about HTTP. */
export type Ending = Pick<CallEnd, "status" | "error">;

/** The HTTP status and the code of a failed call. */
export const endingOf = (error: unknown): Ending => ({
  status: error instanceof Fault && error.cause instanceof Answered ? error.cause.status : undefined,
  error: error instanceof Fault ? error.code : "INTERNAL_SERVER_ERROR",
});
