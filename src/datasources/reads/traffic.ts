import { Fault } from "../fault.js";
import { EXCHANGE_FAILURES } from "./breaker.js";

/**
 * How a call ended: answered (`ok`), refused by the exchange, refused as one too many (`throttled`), or without a usable
 * answer (`failed`). Or why it never left: no rate budget before its deadline (`limited`), an endpoint that is left alone
 * because it keeps failing (`withheld`), nobody who waits for it and may still have it (`abandoned`).
 */
export const OUTCOMES = ["ok", "refused", "throttled", "failed", "limited", "withheld", "abandoned"] as const;
/** One of `OUTCOMES`. */
export type Outcome = (typeof OUTCOMES)[number];

/** Listens to every call, for metrics. */
export interface TrafficObserver {
  /** `timing` in milliseconds, the wait for rate budget and from there to the answer; none when the call never left. */
  upstream(endpoint: string, outcome: Outcome, timing?: { readonly waitMs: number; readonly tookMs: number }): void;
}

/** The outcome of a call that had no turn. */
export const unsentBecause = (error: unknown): Outcome =>
  error instanceof Fault && error.code === "RATE_LIMITED" ? "limited" : "abandoned";

/** The outcome of a call that was sent and threw. */
export function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof Fault) || EXCHANGE_FAILURES.has(error.code)) return "failed";
  return error.code === "RATE_LIMITED" ? "throttled" : "refused";
}
