import type { Clock } from "../../clock.js";

/** A sample older than this no longer counts: machine clocks drift. */
const SAMPLE_LIFE_MS = 60_000;

/**
 * The exchange's time, estimated from the server time in its answers. A signature is valid for thirty seconds around
 * that time, so a machine whose own clock is off would otherwise be refused.
 *
 * Every answer gives a sample: the server's time against the middle of our wait. The sample with the shortest wait is
 * the best one, since half the wait bounds its error.
 */
export class ExchangeClock {
  #best: { offset: number; wait: number; at: number } | undefined;

  constructor(private readonly clock: Clock) {}

  /** Server time minus our time, in milliseconds; 0 until the first answer. */
  get offsetMs(): number {
    return this.#best?.offset ?? 0;
  }

  /** Has the exchange told its time yet? */
  get isKnown(): boolean {
    return this.#best !== undefined;
  }

  /** The exchange's time now, Unix ms. */
  now(): number {
    return this.clock.now() + this.offsetMs;
  }

  /** Takes one answer: when it was asked for and came (our clock), and the server time it carried. */
  observe(sentAt: number, receivedAt: number, serverTime: number): void {
    const wait = receivedAt - sentAt;
    const best = this.#best;
    if (best !== undefined && wait > best.wait && receivedAt - best.at < SAMPLE_LIFE_MS) return;
    this.#best = { offset: Math.round(serverTime - (sentAt + receivedAt) / 2), wait, at: receivedAt };
  }

  /** Forgets what it knew: the next answer sets the offset anew. */
  reset(): void {
    this.#best = undefined;
  }
}
