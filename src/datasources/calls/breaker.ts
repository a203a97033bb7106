import type { Clock } from "@exchange-graph/contract/clock";
import { callFault, Fault } from "../errors/index.js";

/** `HALF_OPEN`: the pause is over, and one trial call may be sent. */
export type BreakerState = "CLOSED" | "OPEN" | "HALF_OPEN";

/** Number of consecutive failures that open the breaker. */
const FAILURES = 5;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * A circuit breaker for one endpoint, or for a store. After a pause one trial call is sent: if it succeeds, the breaker closes; if it fails, the
 * next pause is twice as long.
 *
 * Only temporary failures count: no answer, out of service, or an unusable answer. Refusals and answers that break the interface
 * do not, because they would come again.
 */
export class Breaker {
  #failures = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #openUntil: number | undefined;
  #probing = false;
  #cause: Error | undefined;

  /** `failures`: the number that opens it. `isFailure`: whether an error is a temporary failure. */
  constructor(
    private readonly endpoint: string,
    private readonly clock: Clock,
    private readonly options: {
      readonly failures: number;
      readonly isFailure: (error: unknown) => error is Error;
    } = { failures: FAILURES, isFailure: isExchangeFailure },
  ) {}

  /** The last failure; undefined if the last call was answered. */
  get cause(): Error | undefined {
    return this.#cause;
  }

  get state(): BreakerState {
    if (this.#openUntil === undefined) return "CLOSED";
    return this.clock.now() < this.#openUntil ? "OPEN" : "HALF_OPEN";
  }

  /** Admits one call, or throws `EXCHANGE_UNAVAILABLE`. */
  enter(): void {
    if (this.#openUntil === undefined) return;
    const wait = this.#openUntil - this.clock.now();
    if (wait > 0 || this.#probing) {
      const why = this.#cause === undefined ? "" : `; the last error: ${this.#cause.message}`;
      const text = `the last calls have failed, so none is sent for a moment${why}`;
      throw callFault("EXCHANGE_UNAVAILABLE", this.endpoint, text, { retryAfterMs: Math.max(1, wait) });
    }
    this.#probing = true;
  }

  /** Reports the outcome of a call: answered, not sent, or an error, which may be a failure of the exchange. */
  leave(outcome: "answered" | "unsent" | { readonly error: unknown }): void {
    this.#probing = false;
    if (outcome === "unsent") return;
    if (outcome === "answered" || !this.options.isFailure(outcome.error)) {
      this.#failures = 0;
      this.#openUntil = undefined;
      this.#pauseMs = FIRST_PAUSE_MS;
      this.#cause = undefined;
      return;
    }
    this.#failures++;
    this.#cause = outcome.error;
    if (this.#openUntil !== undefined) this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    if (this.#failures >= this.options.failures) this.#openUntil = this.clock.now() + this.#pauseMs;
  }
}

/** Codes of calls without a usable answer. */
export const EXCHANGE_FAILURES: ReadonlySet<string> = new Set([
  "EXCHANGE_UNAVAILABLE",
  "EXCHANGE_TIMEOUT",
  "EXCHANGE_BAD_RESPONSE",
]);

/** Whether an error is a temporary failure of the exchange, rather than a refusal or an answer that cannot be decoded. */
export const isExchangeFailure = (error: unknown): error is Fault =>
  error instanceof Fault && EXCHANGE_FAILURES.has(error.code) && error.extensions.retryable;
