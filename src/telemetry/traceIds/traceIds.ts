import type { Clock } from "@exchange-graph/contract/clock";
import type { Origin } from "../../instrumentation/events.js";

/** More than the maximum of running requests, plus some that have just ended. */
const MAX_REQUESTS = 10_000;

export interface Exemplar {
  readonly labelSet: { readonly trace_id: string };
  readonly value: number;
  /** Unix time, s. */
  readonly timestamp: number;
}

/** Maps requests to recorded traces for lines of the log, and makes exemplars of metrics. */
export class TraceIds {
  /**
   * By request. When this map is full it becomes the former one, and the one before is dropped: cheaper than evicting single
   * entries.
   */
  #ofRequests = new Map<string, string>();
  #ofFormerRequests: ReadonlyMap<string, string> = new Map();

  constructor(private readonly clock: Clock) {}

  /** An exemplar of a value; `undefined` if the trace is not recorded. */
  exemplar(traceId: string | undefined, value: number): Exemplar | undefined {
    return traceId === undefined ? undefined : { labelSet: { trace_id: traceId }, value, timestamp: this.clock.now() / 1_000 };
  }

  /** All messages of one socket have the same request id, so their traces are not stored. */
  add({ over, requestId }: Origin, traceId: string): void {
    if (over === "websocket") return;
    if (this.#ofRequests.size >= MAX_REQUESTS) {
      this.#ofFormerRequests = this.#ofRequests;
      this.#ofRequests = new Map();
    }
    this.#ofRequests.set(requestId, traceId);
  }

  /** The trace of a request; `undefined` if it is not recorded, and for sockets, whose messages have separate traces. */
  ofRequest(requestId: string): string | undefined {
    return this.#ofRequests.get(requestId) ?? this.#ofFormerRequests.get(requestId);
  }
}
