import type { Clock } from "@exchange-graph/contract/clock";
import type { OperationToken, Origin } from "../../instrumentation/events.js";

/** More than the maximum of running requests, plus some that have just ended. */
const MAX_REQUESTS = 10_000;

/** A value and its trace. */
export interface Exemplar {
  readonly labelSet: { readonly trace_id: string };
  readonly value: number;
  /** Unix time, s. */
  readonly timestamp: number;
}

/** Maps requests and operations to recorded traces, for lines of the log and exemplars of metrics. */
export class TraceIds {
  /** By request. A full map replaces the former one, which is dropped: cheaper than evicting single entries. */
  #ofRequests = new Map<string, string>();
  #ofFormerRequests: ReadonlyMap<string, string> = new Map();

  constructor(private readonly clock: Clock) {}

  /** An exemplar of a value; `undefined` if the trace is not recorded. */
  exemplar(traceId: string | undefined, value: number): Exemplar | undefined {
    return traceId === undefined ? undefined : { labelSet: { trace_id: traceId }, value, timestamp: this.clock.now() / 1_000 };
  }

  add(origin: Origin, traceId: string): void {
    // All messages of one socket have the same request id.
    if (origin.over !== "websocket") this.#addRequest(origin.requestId, traceId);
    origin.traceId = traceId;
  }

  /** The trace of a request; `undefined` if it is not recorded, and for sockets, whose messages have separate traces. */
  ofRequest(requestId: string): string | undefined {
    return this.#ofRequests.get(requestId) ?? this.#ofFormerRequests.get(requestId);
  }

  /** The trace of the operation with this origin; `undefined` if it is not recorded. */
  ofOrigin({ traceId }: Origin): string | undefined {
    return traceId;
  }

  /** The trace of an operation; `undefined` if it is not recorded. */
  ofOperation(operation: OperationToken | undefined): string | undefined {
    return operation?.recording?.traceId;
  }

  #addRequest(requestId: string, traceId: string): void {
    if (this.#ofRequests.size >= MAX_REQUESTS) {
      this.#ofFormerRequests = this.#ofRequests;
      this.#ofRequests = new Map();
    }
    this.#ofRequests.set(requestId, traceId);
  }
}
