import type { Clock } from "../../clock.js";
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
 * Only the exchange's own failures count (no answer, out of service, nonsense), and of those only what may pass. A refusal
 * is an answer.
 */
export class Breaker {
  #failures = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #openUntil: number | undefined;
  #probing = false;

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
      throw new Fault("EXCHANGE_UNAVAILABLE", `${this.endpoint} has been failing and is left alone for a moment`, {
        endpoint: this.endpoint,
        retryAfterMs: Math.max(1, wait),
      });
    }
    this.#probing = true;
  }

  /** Reports how the call ended; `undefined` means that it never left. */
  leave(outcome: "answered" | "failed" | undefined): void {
    this.#probing = false;
    if (outcome === undefined) return;
    if (outcome === "answered") {
      this.#failures = 0;
      this.#openUntil = undefined;
      this.#pauseMs = FIRST_PAUSE_MS;
      return;
    }
    this.#failures++;
    if (this.#openUntil !== undefined) this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    if (this.#failures >= FAILURES) this.#openUntil = this.clock.now() + this.#pauseMs;
  }
}

const EXCHANGE_FAILURES = new Set(["EXCHANGE_UNAVAILABLE", "EXCHANGE_TIMEOUT", "EXCHANGE_BAD_RESPONSE"]);

/** Does this error say that the exchange is in trouble, rather than that it said no? */
export const isExchangeFailure = (error: unknown): boolean => error instanceof Fault && EXCHANGE_FAILURES.has(error.code);

/** The same of trouble that may pass. What would come again is not asked for again, and says nothing about other calls. */
export const isPassingFailure = (error: unknown): boolean =>
  error instanceof Fault && error.extensions.retryable && isExchangeFailure(error);
