import type { Clock } from "@exchange-graph/contract/clock";
import type { Endpoint } from "@exchange-graph/contract/endpoint";
import { callFault, Fault } from "../../errors/index.js";

/** Time between slots from which a budget counts as scarce: a call that gets none keeps its place in the queue. */
const SCARCE_MS = 1_000;
/** Maximum number of kept places. */
const MAX_PLACES = 500;
/** Time for which a place is kept, in ms. */
export const PLACE_MS = 120_000;

/**
 * Keeps the place in the queue of a call that got no slot in time, from one request to the next: later reads of the same wait
 * with it, and its answer is cached. Only for scarce budgets, where starting again each time might never get a slot.
 */
export class Places {
  readonly #keys = new Set<string>();

  constructor(
    private readonly clock: Clock,
    /** Maximum wait of one read, in ms. */
    private readonly deadlineMs: number,
  ) {}

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  /** Keeps the place of a call that failed with `error`, if it got no slot. `wait` waits for one. */
  keep(key: string, endpoint: Endpoint, error: unknown, wait: () => Promise<void>): void {
    if (endpoint.cache === undefined || !isScarce(endpoint) || !isUnsent(error)) return;
    if (this.#keys.has(key) || this.#keys.size >= MAX_PLACES) return;
    this.#keys.add(key);
    void wait().finally(() => this.#keys.delete(key));
  }

  /** Waits for the answer of a kept call, as long as a read of its own would. Then throws `RATE_LIMITED`. */
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

/** Whether slots are so far apart that a call waits longer for its slot than for its answer. */
export const isScarce = ({ rate }: Pick<Endpoint, "rate">): boolean => rate.windowMs / rate.limit >= SCARCE_MS;

/** Whether the call was not sent because it got no slot. */
export const isUnsent = (error: unknown): boolean =>
  error instanceof Fault && error.code === "RATE_LIMITED" && error.extensions.exchange === undefined;

const stillWaiting = (endpoint: string): Fault =>
  callFault("RATE_LIMITED", endpoint, "no slot came in time; the call keeps its place", { retryAfterMs: SCARCE_MS });
