import { SUCCESS } from "@exchange-graph/contract/envelope";
import { REFUSAL } from "@exchange-graph/contract/errors/refusal";

/** Endpoint in the log of a call with an unknown path. */
export const UNKNOWN_ENDPOINT = "unknown";
/** Code in the log of a call that a fault ended before it took effect. */
export const FAULT_CODE = "fault";

/** One entry of the call log: no header, no parameter value, no secret. */
interface LoggedCall {
  /** Unix ms. */
  readonly at: number;
  /** The endpoint's contract name; or `UNKNOWN_ENDPOINT`. */
  readonly endpoint: string;
  /** The envelope's code, or `FAULT_CODE`. */
  readonly code: string;
  readonly uid: string | undefined;
}

interface CallCount {
  readonly total: number;
  readonly succeeded: number;
  readonly refused: number;
  /** Number of refused calls that exceeded a rate limit. */
  readonly limited: number;
}

const NO_CALLS: CallCount = { total: 0, succeeded: 0, refused: 0, limited: 0 };
const LOG_LENGTH = 10_000;

/** Log of calls: a count per endpoint, and the latest calls in order. */
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
    // Trimmed in blocks: dropping one entry per call would copy the whole log each time.
    if (this.#log.length >= 2 * LOG_LENGTH) this.#log.splice(0, LOG_LENGTH);
  }

  of(endpoint: string): CallCount {
    return this.#counts.get(endpoint) ?? NO_CALLS;
  }

  counts(): Readonly<Record<string, CallCount>> {
    return Object.fromEntries(this.#counts);
  }

  /** The latest calls, oldest first. */
  latest(): readonly LoggedCall[] {
    return this.#log.slice(-LOG_LENGTH);
  }

  clear(): void {
    this.#counts.clear();
    this.#log.length = 0;
  }
}
