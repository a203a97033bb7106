import { errorRow } from "@exchange-graph/contract/errors";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";
import { Answered, TransportFailure } from "../calls/index.js";
import type { Fault } from "../errors/index.js";
import type { WritePolicy } from "./policies/policy.js";

/**
 * Certainty about the write of a failed call: it certainly never reached the exchange, the exchange certainly refused it, or its
 * outcome is unknown.
 */
type Certainty = "unsent" | "refused" | "lost";

/** HTTP statuses of the exchange's own answers. Answers with any other may come from a proxy. */
const isSuccess = (status: number): boolean => status >= 200 && status < 300;
const isRefusal = (status: number): boolean => isSuccess(status) || [400, 401, 403, 404, TOO_MANY_REQUESTS].includes(status);
const TOO_MANY_REQUESTS = 429;

/** Whether an envelope that reports success can be trusted with this HTTP status. */
export const isCertain = isSuccess;

/**
 * Codes that only concern the time of a request, not its effect. A copy that a proxy sent earlier may have been executed, and a
 * later one still may be.
 */
const TOO_LATE: ReadonlySet<string> = new Set([REFUSAL.staleTimestamp.code, REFUSAL.outsideReceiveWindow.code]);

/**
 * Only two outcomes are certain: a request of which no byte was written, and a refusal by the exchange itself with a code that
 * its table lists and that does not require a look-up. Everything else may have come after the effect: a timeout, a broken
 * connection, an unusable answer, HTTP 5xx with any content, an unknown code, and an outdated timestamp.
 *
 * The exchange refuses what exceeds a rate limit before any effect. Every proxy may answer HTTP 429 too, also to its own
 * repetition of a request that was executed: only an answer with the exchange's code and time is the exchange's.
 */
export function certaintyOf(fault: Fault, policy: WritePolicy): Certainty {
  const { cause, extensions } = fault;
  if (cause instanceof TransportFailure) return cause.unreached ? "unsent" : "lost";
  const { exchange } = extensions;
  if (exchange === undefined || !(cause instanceof Answered)) return "lost";
  if (!isRefusal(cause.status)) return "lost";
  const { code } = REFUSAL.tooManyRequests;
  if (exchange.code === code ? !cause.isDated : cause.status === TOO_MANY_REQUESTS) return "lost";
  if (TOO_LATE.has(exchange.code)) return "lost";
  if (mayBeItself(fault, policy)) return "lost";
  const row = errorRow(policy.endpoint.apiVersion, exchange.code);
  return row === undefined || row.retry === "look up" ? "lost" : "refused";
}

/**
 * Whether the refusal may be caused by the same write: if a proxy repeats a request, the copy is refused because its client id is
 * taken; some endpoints have further such codes.
 */
export function mayBeItself({ cause, extensions: { exchange } }: Fault, { endpoint, echoes }: WritePolicy): boolean {
  if (exchange === undefined || !(cause instanceof Answered) || !isRefusal(cause.status)) return false;
  return echoes.includes(exchange.code) || errorRow(endpoint.apiVersion, exchange.code)?.category === "duplicate";
}
