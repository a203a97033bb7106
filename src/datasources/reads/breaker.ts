import type { Clock } from "@exchange-graph/contract/clock";
import { Fault } from "../fault.js";

/** `HALF_OPEN`: the pause is over, and one probe may go through. */
export type BreakerState = "CLOSED" | "OPEN" | "HALF_OPEN";

/** Failures in a row that open the breaker. */
const FAILURES = 5;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Stops asking an endpoint that keeps failing. After a pause one probe goes through: it succeeds, and the breaker
 * closes; it fails, and the next pause is twice as long.
 *
 * Only failures that pass count (no answer, out of service, nonsense). A refusal is an answer, and so is one that breaks
 * the interface: it would come again.
 */
export class Breaker {
  #failures = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #openUntil: number | undefined;
  #probing = false;
  #cause: Fault | undefined;

  constructor(
    private readonly endpoint: string,
    private readonly clock: Clock,
  ) {}

  get state(): BreakerState {
    if (this.#openUntil === undefined) return "CLOSED";
    return this.clock.now() < this.#openUntil ? "OPEN" : "HALF_OPEN";
  }

  /** Lets one call pass, or throws `EXCHANGE_UNAVAILABLE` without it having been sent. */
  enter(): void {
    if (this.#openUntil === undefined) return;
    const wait = this.#openUntil - this.clock.now();
    if (wait > 0 || this.#probing) {
      const why = this.#cause === undefined ? "" : `; the last time: ${this.#cause.message}`;
      throw new Fault("EXCHANGE_UNAVAILABLE", `${this.endpoint} has been failing and is left alone for a moment${why}`, {
        endpoint: this.endpoint,
        retryAfterMs: Math.max(1, wait),
      });
    }
    this.#probing = true;
  }

  /** Reports how the call ended: answered, never sent, or with an error, which may be a failure of the exchange's. */
  leave(outcome: "answered" | "unsent" | { readonly error: unknown }): void {
    this.#probing = false;
    if (outcome === "unsent") return;
    if (outcome === "answered" || !isExchangeFailure(outcome.error)) {
      this.#failures = 0;
      this.#openUntil = undefined;
      this.#pauseMs = FIRST_PAUSE_MS;
      this.#cause = undefined;
      return;
    }
    this.#failures++;
    this.#cause = outcome.error;
    if (this.#openUntil !== undefined) this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    if (this.#failures >= FAILURES) this.#openUntil = this.clock.now() + this.#pauseMs;
  }
}

/** No usable answer. */
export const EXCHANGE_FAILURES: ReadonlySet<string> = new Set([
  "EXCHANGE_UNAVAILABLE",
  "EXCHANGE_TIMEOUT",
  "EXCHANGE_BAD_RESPONSE",
]);

/** Does this error say that the exchange is in trouble for now, rather than that it said no, or says what we cannot read? */
export const isExchangeFailure = (error: unknown): error is Fault =>
  error instanceof Fault && EXCHANGE_FAILURES.has(error.code) && error.extensions.retryable;
