import { SUCCESS } from "@exchange-graph/contract/envelope";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";

/** Stands in the log where no endpoint does: the path leads nowhere. */
export const UNKNOWN_ENDPOINT = "unknown";
/** Stands in the log for a call that a fault ended before it had any effect. */
export const FAULT_CODE = "fault";

/** One call as the log keeps it: no header, no parameter value, nothing secret. */
interface LoggedCall {
  /** Unix ms. */
  readonly at: number;
  /** The endpoint's contract name; or `UNKNOWN_ENDPOINT`. */
  readonly endpoint: string;
  /** The envelope's code, or `FAULT_CODE`. */
  readonly code: string;
  /** Who called, where a key said so. */
  readonly uid: string | undefined;
}

/** How often an endpoint was called and how that ended. */
interface CallCount {
  readonly total: number;
  readonly succeeded: number;
  readonly refused: number;
  /** Of the refused ones, those over a rate limit. */
  readonly limited: number;
}

const NO_CALLS: CallCount = { total: 0, succeeded: 0, refused: 0, limited: 0 };
const LOG_LENGTH = 10_000;

/** What has been called: a count per endpoint, and the latest calls in order. */
export class CallLog {
  readonly #counts = new Map<string, CallCount>();
  readonly #log: LoggedCall[] = [];

  record(call: LoggedCall): void {
    const { total, succeeded, refused, limited } = this.of(call.endpoint);
    const isSuccess = call.code === SUCCESS;
    this.#counts.set(call.endpoint, {
      total: total + 1,
      succeeded: succeeded + (isSuccess ? 1 : 0),
      refused: refused + (isSuccess ? 0 : 1),
      limited: limited + (call.code === REFUSAL.tooManyRequests.code ? 1 : 0),
    });
    this.#log.push(call);
    // Cut in blocks: dropping one entry per call would copy the whole log each time.
    if (this.#log.length >= 2 * LOG_LENGTH) this.#log.splice(0, LOG_LENGTH);
  }

  /** The count of one endpoint, by its contract name. */
  of(endpoint: string): CallCount {
    return this.#counts.get(endpoint) ?? NO_CALLS;
  }

  /** The counts of all endpoints that were called. */
  counts(): Readonly<Record<string, CallCount>> {
    return Object.fromEntries(this.#counts);
  }

  /** The latest calls, oldest first. */
  latest(): readonly LoggedCall[] {
    return this.#log.slice(-LOG_LENGTH);
  }

  /** Starts over. */
  clear(): void {
    this.#counts.clear();
    this.#log.length = 0;
  }
}
