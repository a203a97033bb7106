import type { Clock } from "@exchange-graph/contract/clock";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { Fault } from "../fault.js";

/** Slots that are further apart than this are scarce: a call that finds none keeps its place. */
const SCARCE_MS = 1_000;
/** How many places are kept. */
const MAX_PLACES = 500;
/** How long a place is kept, ms. */
export const PLACE_MS = 120_000;

/**
 * A call that found no slot in time goes on waiting for one, so that it keeps its place from one request to the next:
 * whoever asks for the same then waits with it, and its answer is cached for those who come later. Only where the
 * exchange gives so few slots that asking again might never get one.
 */
export class Places {
  readonly #keys = new Set<string>();

  constructor(
    private readonly clock: Clock,
    /** How long one read may wait, ms. */
    private readonly deadlineMs: number,
  ) {}

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Keeps the place of a call that failed with `error`, if that was for want of a slot. `wait` waits for one. */
  keep(key: string, endpoint: Endpoint, error: unknown, wait: () => Promise<void>): void {
    if (endpoint.cache === undefined || !isScarce(endpoint) || !isUnsent(error)) return;
    if (this.#keys.has(key) || this.#keys.size >= MAX_PLACES) return;
    this.#keys.add(key);
    void wait().finally(() => this.#keys.delete(key));
  }

  /** Waits for the answer to a kept call, no longer than a read of one's own would. Throws `RATE_LIMITED` then. */
  async inTime<T>({ name }: Endpoint, answer: Promise<T>): Promise<T> {
    let cancel: (() => void) | undefined;
    const late = new Promise<never>((_, reject) => {
      cancel = this.clock.after(this.deadlineMs, () => reject(stillWaiting(name)));
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      cancel?.();
    }
  }
}

/** Are its slots so far apart that a call waits for the next one longer than for its answer? */
export const isScarce = ({ rate }: Pick<Endpoint, "rate">): boolean => rate.windowMs / rate.limit >= SCARCE_MS;

/** Was nothing sent, for want of a slot? */
export const isUnsent = (error: unknown): boolean =>
  error instanceof Fault && error.code === "RATE_LIMITED" && error.extensions.exchange === undefined;

const stillWaiting = (endpoint: string): Fault =>
  new Fault("RATE_LIMITED", `${endpoint}: no slot came in time; the call keeps its place`, { endpoint, retryAfterMs: SCARCE_MS });
