import type { Clock } from "@exchange-graph/contract/clock";
import { LRUCache } from "lru-cache";
import type { OperationToken } from "../../instrumentation/events.js";

/** More requests than are ever under way at once, and some that have just ended. */
const MAX_REQUESTS = 10_000;

/** A value and the trace in which it was met. */
export interface Exemplar {
  readonly labelSet: { readonly trace_id: string };
  readonly value: number;
  /** Unix time, s. */
  readonly timestamp: number;
}

/** Which requests and operations are recorded in which trace: lines of the log and exemplars of metrics name it. */
export class TraceIds {
  readonly #ofRequests = new LRUCache<string, string>({ max: MAX_REQUESTS });
  readonly #ofOperations = new WeakMap<OperationToken, string>();

  constructor(private readonly clock: Clock) {}

  /** A value as an example of its bucket, with the trace in which it was met; `undefined` where that is not recorded. */
  exemplar(traceId: string | undefined, value: number): Exemplar | undefined {
    return traceId === undefined ? undefined : { labelSet: { trace_id: traceId }, value, timestamp: this.clock.now() / 1_000 };
  }

  add(requestId: string, operation: OperationToken, traceId: string): void {
    this.#ofRequests.set(requestId, traceId);
    this.#ofOperations.set(operation, traceId);
  }

  /** The trace of a request; `undefined` where it is not recorded. */
  ofRequest(requestId: string): string | undefined {
    return this.#ofRequests.get(requestId);
  }

  /** The trace of an operation; `undefined` where it is not recorded. */
  ofOperation(operation: OperationToken | undefined): string | undefined {
    return operation && this.#ofOperations.get(operation);
  }
}
