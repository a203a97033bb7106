import { errorRow } from "@exchange-graph/contract/errors";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { Answered } from "../exchange/refusal.js";
import { TransportFailure } from "../exchange/transport.js";
import type { Fault } from "../fault.js";
import type { WritePolicy } from "./policies/policy.js";

/**
 * What a failed call says about the write that it carried: it certainly never reached the exchange, the exchange has
 * certainly refused it, or nobody knows.
 */
type Certainty = "unsent" | "refused" | "lost";

/** The HTTP statuses of the exchange's own answers. Under any other one somebody else may speak who stands in between. */
const isSuccess = (status: number): boolean => status >= 200 && status < 300;
const isRefusal = (status: number): boolean => isSuccess(status) || [400, 401, 403, 404].includes(status);

/** Is an envelope that says success to be believed under this HTTP status? */
export const isCertain = isSuccess;

/**
 * Codes that say when a request came, not what it did. A copy of it that somebody on the way has sent before may have been
 * carried out, and one that comes later still may be.
 */
const TOO_LATE: ReadonlySet<string> = new Set([REFUSAL.staleTimestamp.code, REFUSAL.outsideReceiveWindow.code]);

/**
 * Only two things are certain: a request of which no byte was written, and a refusal that the exchange has given itself,
 * with a code that its table lists and that does not ask to look first. Everything else may have come after the effect:
 * silence, a broken connection, an answer that is none, HTTP 5xx and 429 whatever they carry, "too many requests", which
 * anything on the way may say, a code that nobody knows, and a timestamp that has grown old.
 */
export function certaintyOf(fault: Fault, policy: WritePolicy): Certainty {
  const { cause, extensions } = fault;
  if (cause instanceof TransportFailure) return cause.unreached ? "unsent" : "lost";
  const { exchange } = extensions;
  if (exchange === undefined || !(cause instanceof Answered)) return "lost";
  if (!isRefusal(cause.status) || exchange.code === REFUSAL.tooManyRequests.code) return "lost";
  if (TOO_LATE.has(exchange.code)) return "lost";
  if (mayBeItself(fault, policy)) return "lost";
  const row = errorRow(policy.endpoint.apiVersion, exchange.code);
  return row === undefined || row.retry === "look up" ? "lost" : "refused";
}

/**
 * May the refusal be the echo of the very write that it refuses? "This name is taken" is also what a request hears that
 * somebody on the way has sent twice; some endpoints have further words for it.
 */
export function mayBeItself({ cause, extensions: { exchange } }: Fault, { endpoint, echoes }: WritePolicy): boolean {
  if (exchange === undefined || !(cause instanceof Answered) || !isRefusal(cause.status)) return false;
  return echoes.includes(exchange.code) || errorRow(endpoint.apiVersion, exchange.code)?.category === "duplicate";
}
