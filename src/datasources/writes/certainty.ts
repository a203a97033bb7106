import { REFUSAL } from "../../contract/errors/refusal.js";
import { type ErrorTable, errorRow } from "../../contract/errors.js";
import { TransportFailure } from "../exchange/transport.js";
import type { Fault } from "../fault.js";

/**
 * What a failed call says about the write that it carried: it certainly never reached the exchange, the exchange has
 * certainly refused it, or nobody knows.
 */
type Certainty = "unsent" | "refused" | "lost";

/**
 * Only two things are certain: a connection that was never opened, and a refusal that the exchange has given itself, with a
 * code that does not ask to look first. Everything else may have come after the effect: silence, a broken connection, an
 * answer that is none, and "too many requests", which anything on the way may say.
 */
export function certaintyOf(fault: Fault, table: ErrorTable): Certainty {
  if (fault.cause instanceof TransportFailure) return fault.cause.unreached ? "unsent" : "lost";
  const { exchange } = fault.extensions;
  if (exchange === undefined || exchange.code === REFUSAL.tooManyRequests.code) return "lost";
  const row = errorRow(table, exchange.code);
  if (row === undefined) return fault.code === "EXCHANGE_UNAVAILABLE" ? "lost" : "refused";
  return row.retry === "look up" ? "lost" : "refused";
}

/**
 * May the refusal be the echo of the very write that it refuses? "This name is taken" is also what a request hears that
 * somebody on the way has sent twice.
 */
export const mayBeItself = ({ extensions: { exchange } }: Fault, table: ErrorTable): boolean =>
  exchange !== undefined && errorRow(table, exchange.code)?.category === "duplicate";
